"""The program, walked: expressions, statements, branches, calls into functions of the tree.

It knows all other parts; of them, only `engine.py`, which puts the pass together, knows it.
"""
