"""Small edits of one statement, a family of them in each file."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from burnish.fixers.search._code import Code, expressions
from burnish.fixers.search.edits import (
    calls,
    comparisons,
    exceptions,
    guards,
    insertions,
    names,
    numbers,
    operators,
    own,
    statements,
    wraps,
)
from burnish.fixers.search.edits._proposal import Family, Proposal

FAMILIES: tuple[Family, ...] = (
    comparisons.comparison, comparisons.more_condition, comparisons.returned_condition,
    operators.arithmetic, operators.augmented, operators.boolean, operators.unary, operators.condition,
    numbers.constant, numbers.variable_meant, numbers.ends, numbers.by_one, numbers.bounds, numbers.sliced,
    names.variable, names.attribute, names.function, names.simpler,
    calls.argument_order, calls.argument_number, calls.unwrapped, calls.copied, calls.literals,
    wraps.wrapped, wraps.accumulated, own.through_own, own.kept, own.term_added,
    own.within,
    statements.returns, statements.jumps, statements.order, statements.values_swapped, statements.dropped,
    statements.branches,
    guards.guards, guards.refusals, insertions.inserted, insertions.final_return,
    exceptions.caught, exceptions.raised,
)  # fmt: skip


def proposals(code: Code, statement: ast.stmt) -> Iterator[tuple[int, Proposal]]:
    """All that could be changed about one statement, its blocks aside, by the part it is about."""
    for site, node in enumerate(expressions(statement)):
        if hasattr(node, "lineno") and not code.placed(node):
            continue
        for family in FAMILIES:
            for proposal in family(code, node):
                if proposal.edits:
                    yield site, proposal


__all__ = ["FAMILIES", "Proposal", "proposals"]
