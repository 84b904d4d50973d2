"""Checks that must not turn red."""
