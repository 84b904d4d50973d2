"""What a condition or a change of a text says of it: comparisons, patterns, hosts, paths.

It knows `finding` and what that knows.
"""
