"""What guards and sanitizers found out: how much of it holds for what was made of the data, or decoded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from burnish.analysers.taint.memory.values import EVERYTHING, HARMLESS_MARKS, WORD, Cell, Key, Taint, Value

ABOUT_NOTHING: frozenset[str] = frozenset()
# In the key of what was decoded, before the character that tells what is to be decoded.
DECODED = "decoded"
# What is known of data however it is written.
LASTING = frozenset({"deserialisation", "trust_boundary", "xxe"})
# By a key of ours: whoever signed it knew what it is decoded to.
SIGNED = "is:signed"
Guards: TypeAlias = "Mapping[Key, frozenset[str]]"


def agreed(found: list[frozenset[str]]) -> frozenset[str]:
    """What every branch knows; clean for everything is clean for each."""
    partial = [one for one in found if one.isdisjoint(HARMLESS_MARKS)]
    partial = partial or [one for one in found if EVERYTHING not in one]
    return frozenset.intersection(*partial) if partial else found[0]


def cleared(taint: Taint, facts: Guards) -> frozenset[str]:
    """What guards say of any cell on its way."""
    return _said_of(taint.cell, facts) if facts else ABOUT_NOTHING


def _said_of(cell: Cell | None, facts: Guards) -> frozenset[str]:
    found = ABOUT_NOTHING
    while cell:
        if cell.key in facts:
            found |= facts[cell.key]
        if len(cell.key) == 3 and cell.key[1] == DECODED:
            return found | after_decoding(_said_of(cell.before, facts), str(cell.key[2]))
        cell = cell.before
    return found


def after_decoding(clean: frozenset[str], special: str) -> frozenset[str]:
    """What was found out of a text says little of what it is decoded to: `%2e%2e` has no dots.

    `special` is the character without which nothing is decoded; empty where every text is, as with hex.
    """
    if EVERYTHING in clean or SIGNED in clean:
        return clean
    if special and (WORD in clean or f"no:{special}" in clean):
        return clean
    return clean & LASTING


def settled(value: Any, facts: Guards) -> Any:
    if not facts or not isinstance(value, Value) or not value.taints:
        return value
    known = [cleared(taint, facts) for taint in value.taints]
    if not any(more - taint.clean for taint, more in zip(value.taints, known, strict=True)):
        return value
    taints = (
        Taint(one.origin, one.cell, one.clean | more, one.doubts)
        for one, more in zip(value.taints, known, strict=True)
    )
    kept = tuple(taint for taint in taints if EVERYTHING not in taint.clean)
    return Value(kept, value.consts, value.refs, value.shape, value.sure, value.when)
