"""Functions that are called from outside: how they are registered, what they are given and answer.

It knows `finding` and what that knows.
"""
