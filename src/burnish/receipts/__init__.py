"""Receipts: made from a run's events, and checked against a repository."""
