"""Labelled replies and gate cheats that any loop or parser can be scored on."""
