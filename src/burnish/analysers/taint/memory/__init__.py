"""What a value is and where it is kept: values, objects, the heap with its undo log, frames, modules.

It knows `knowledge` only.
"""
