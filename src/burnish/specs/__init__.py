"""Specs: a document to phases, phases to waves, signals to text and back; all of it pure."""
