"""What things have and do without code of the tree: members, containers, text, encodings, calls out.

It knows `handlers`, `guards` and what these know.
"""
