"""What is proved of a text, and the few operations that prove something or keep it proved.

Marks (`marks.py`) decide what is reported, and may guess. A proof decides what is cleared, and may not: it is
the text itself as a row of parts, each written out in the program or known by the characters it cannot have.
A value is made without a proof; only the operations of this list hand one on, each with what it promises:

    bound, passed, returned    the same text
    a + b, f"{a}", "%s", join  the parts of both, side by side (`together`)
    strip, slice, split, case  a lone part without the characters that none of the parts had (`blurred`)
    replace, pad               the same, without the characters that are put in
    a guard on a name          the same name, until it is bound again
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeAlias

# All of ASCII but letters, digits and the underscore.
SPECIAL = frozenset(chr(code) for code in range(128) if not (chr(code).isalnum() or chr(code) == "_"))
MAX_PARTS = 60
# What a part is: a constant of the program, a number, surely a text, one word of a shell.
OURS, NUMBER, TEXT, QUOTED = "ours", "number", "text", "quoted"
# In the key and the words of a fact that a guard has proved.
PROVED, FREE, FIT = "proved", "free:", "fit:"
_DIGITS = re.compile(r"-?\d+(?:\.\d+)?", re.ASCII)
Parts: TypeAlias = "tuple[str | Part, ...]"


@dataclass(frozen=True, slots=True)
class Part:
    """Text that is not written out: it has no character of `free`, and is what `fit` says."""

    free: frozenset[str] = frozenset()
    fit: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Proof:
    """`subject` is the binding that guards on it speak of; 0 for what has no name."""

    parts: Parts
    subject: int = 0


UNKNOWN_PART = Part()
OURS_PART = Part(fit=frozenset({OURS}))
NUMBER_PART = Part(SPECIAL - set("+-."), frozenset({NUMBER, TEXT}))
OF_A_NUMBER = Proof((NUMBER_PART,))
SOME_TEXT = Proof((Part(fit=frozenset({TEXT})),))


def lone(free: Iterable[str] = (), fit: Iterable[str] = ()) -> Proof:
    return Proof((Part(frozenset(free) & SPECIAL, frozenset(fit)),))


def bound(proof: Proof | None, subject: int) -> Proof:
    """Of what is bound to a name: from here on guards can speak of it."""
    return Proof(proof.parts if proof else (UNKNOWN_PART,), subject)


def unbound(proof: Proof | None) -> Proof | None:
    return Proof(proof.parts) if proof and proof.subject else proof


def together(proofs: Iterable[Proof | None]) -> Proof | None:
    """Side by side; nothing is proved where nothing is of one of them."""
    found: list[str | Part] = []
    for proof in proofs:
        if proof is None or len(found) + len(proof.parts) > MAX_PARTS:
            return None
        found += proof.parts
    return Proof(tuple(found))


def blurred(proof: Proof, put_in: str = "", taken_out: Iterable[str] = "") -> Part:
    """Any piece of it, with letters in any case: without what no part has, and what was not put in."""
    free = SPECIAL
    for part in proof.parts:
        free = free - set(part) if isinstance(part, str) else free & part.free
    # What is made of texts of ours, with texts of ours, is ours.
    ours = all(isinstance(part, str) or OURS in part.fit for part in proof.parts)
    fit = frozenset({TEXT, OURS} if ours else {TEXT})
    return Part((free - set(put_in)) | (frozenset(taken_out) & SPECIAL), fit)


def piece(proof: Proof | None, put_in: str = "", taken_out: Iterable[str] = "") -> Proof:
    """`blurred`, where anything is known; of anything else only what was taken out."""
    return Proof((blurred(proof or Proof((UNKNOWN_PART,)), put_in, taken_out),))


def is_number(proof: Proof | None) -> bool:
    if proof is None or len(proof.parts) != 1:
        return False
    (part,) = proof.parts
    return bool(_DIGITS.fullmatch(part)) if isinstance(part, str) else NUMBER in part.fit


def is_surely_text(proof: Proof | None) -> bool:
    """No list, no number: what JSON gives may be one."""
    return proof is not None and all(isinstance(part, str) or TEXT in part.fit for part in proof.parts)


def as_text(proof: Proof | None) -> Proof | None:
    """`str(value)`: of what may be no text, nothing but that it is one now."""
    if proof is None or len(proof.parts) != 1:
        return proof
    (part,) = proof.parts
    if isinstance(part, str) or OURS in part.fit or TEXT in part.fit:
        return proof
    return Proof((Part(fit=frozenset({TEXT})),))


def either(one: Proof | None, other: Proof | None) -> Proof | None:
    """What holds of both."""
    if one is None or other is None:
        return None
    if one.parts == other.parts:
        return Proof(one.parts, one.subject if one.subject == other.subject else 0)
    first, second = _whole(one), _whole(other)
    return Proof((Part(first.free & second.free, first.fit & second.fit),))


def _whole(proof: Proof) -> Part:
    """All of it as one part."""
    if is_number(proof) and isinstance(proof.parts[0], str):
        return replace(blurred(proof), fit=frozenset({OURS, TEXT, NUMBER}))
    if len(proof.parts) == 1 and isinstance(proof.parts[0], Part):
        return proof.parts[0]
    return blurred(proof)


def facts(proof: Proof | None, part: Part) -> frozenset[tuple[tuple[object, ...], str]]:
    """That a guard found this out of the name that was asked; nothing where no name was."""
    if proof is None or not proof.subject:
        return frozenset()
    key = (PROVED, proof.subject)
    words = {FIT + one for one in part.fit}
    if part.free:
        words.add(FREE + "".join(sorted(part.free)))
    return frozenset((key, word) for word in words)


def informed(proof: Proof, words: Iterable[str]) -> Proof:
    """With what guards found out of its name."""
    part = _whole(proof)
    free, fit = set(part.free), set(part.fit)
    for word in words:
        if word.startswith(FREE):
            free |= set(word.removeprefix(FREE))
        elif word.startswith(FIT):
            fit.add(word.removeprefix(FIT))
    return Proof((Part(frozenset(free), frozenset(fit)),), proof.subject)


def shown(proof: Proof, untrusted: str, ours: str) -> str:
    """The text with a sign for each part that is not written out."""
    return "".join(
        part if isinstance(part, str) else ours if OURS in part.fit else untrusted for part in proof.parts
    )
