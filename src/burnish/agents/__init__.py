"""Programs that take a prompt and answer: one agent per file."""
