"""Slots of seed 002, without any of the outside: picking, markers, delays, prompts."""
