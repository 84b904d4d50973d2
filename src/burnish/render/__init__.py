"""Events to something a person or a program reads: one renderer per file."""
