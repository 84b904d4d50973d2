"""Burnish: implement, review, fix, until the review passes, with evidence."""

__version__ = "0.1.0"
