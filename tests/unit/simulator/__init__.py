"""The simulator of reviewers and fixers."""
