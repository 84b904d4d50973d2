"""Simulated reviewers and fixers around the real loop and policies: what a policy costs and saves."""
