"""Reviewed data: sources, sinks, sanitizers, guards and frameworks, a table a file.

Here are the tables and the types they are read into; nothing here knows another part of the pass.
"""
