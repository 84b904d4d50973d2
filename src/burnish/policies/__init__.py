"""History to decision: one idea per file, pure."""
