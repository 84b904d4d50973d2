"""Configuration: one schema, one loader, and where each value came from."""
