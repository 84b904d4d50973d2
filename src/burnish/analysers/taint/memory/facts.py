"""What guards and sanitizers found out: how much of it holds for what was made of the data, or decoded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from burnish.analysers.taint.memory.marks import UP
from burnish.analysers.taint.memory.proofs import OURS, PROVED, Proof, informed
from burnish.analysers.taint.memory.values import EVERYTHING, HARMLESS_MARKS, WORD, Cell, Key, Taint, Value

ABOUT_NOTHING: frozenset[str] = frozenset()
# In the key of what was decoded, before the character that tells what is to be decoded.
DECODED = "decoded"
# In the key of what something of ours was put into, before those characters.
PUT_IN = "put in"
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
        if len(cell.key) == 3 and cell.key[1] == PUT_IN:
            return found | after_putting_in(_said_of(cell.before, facts), str(cell.key[2]))
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


def after_putting_in(clean: frozenset[str], characters: str) -> frozenset[str]:
    """What was found out of a text into which these characters of ours were put since.

    Letters and digits stay harmless beside whatever is ours.
    """
    lost = {f"no:{character}" for character in characters}
    if "." in characters:
        lost.add(f"no:{UP}")
    if "/" in characters:
        lost |= {"no:absolute", "not:begins://"}
    return clean - lost


def proved(value: Value, facts: Guards) -> Proof | None:
    """What is proved of its text, with what guards found out of its name."""
    found = value.proved
    if found is None or not found.subject:
        return found
    words = facts.get((PROVED, found.subject))
    return informed(found, words) if words else found


def settled(value: Any, facts: Guards) -> Any:
    if not facts or not isinstance(value, Value) or not value.taints:
        return value
    known = [cleared(taint, facts) for taint in value.taints]
    proof = proved(value, facts)
    if not any(more - taint.clean for taint, more in zip(value.taints, known, strict=True)):
        return value if proof is value.proof else replace(value, proof=proof)
    taints = (
        Taint(one.origin, one.cell, one.clean | more, one.doubts)
        for one, more in zip(value.taints, known, strict=True)
    )
    kept = tuple(taint for taint in taints if EVERYTHING not in taint.clean)
    # Without a proof, a value whose taints were dropped is not known any more.
    sure = value.sure and (len(kept) == len(value.taints) or is_ours(proof))
    return Value(kept, value.consts, value.refs, value.shape, sure, value.when, proof)


def is_ours(proof: Proof | None) -> bool:
    """Whether every part of a text is one of the program's own."""
    return proof is not None and all(isinstance(part, str) or OURS in part.fit for part in proof.parts)
