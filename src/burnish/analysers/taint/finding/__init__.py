"""Where data hurts and what is said of it: sinks, checks that data cannot say, the report.

It knows `memory` and `knowledge`.
"""
