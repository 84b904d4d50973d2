"""Reviewers' words to Review: one dialect per file, instructions and parser side by side."""
