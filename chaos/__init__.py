"""Faults and attacks on purpose: each section is a seeded program that prints `injected N survived M`."""
