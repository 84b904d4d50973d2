"""Whether it is proved that a text cannot hurt where it arrives: then, and only then, patterns give way.

Each class has a rule over the parts of the text. A class without one is proved by what is ours alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from burnish.analysers.taint.finding.pages import safe_page
from burnish.analysers.taint.memory.marks import second_shell
from burnish.analysers.taint.memory.proofs import NUMBER, OURS, QUOTED, SPECIAL, Part, Parts, Proof, shown
from burnish.analysers.taint.memory.values import HOLE, TAINTED, Value

# Classes that are about what a value is for, and not about its characters.
_NOT_TEXT = frozenset({"weak_hash", "weak_cipher", "weak_random", "insecure_cookie"})
_QUOTES = "'\"`"
# Text of ours behind which the rules for quotes may be others: comments, escapes, quotes by dollars.
_ODD_SQL = re.compile(r"\\|--|/\*|\$|#")
# What a shell takes for what it is, in the middle of a command.
_PLAIN_IN_SHELL = frozenset("-./,:@+=")
_UP = frozenset("/\\.\0")
_WITH_HOST = re.compile(r"https?://[^/?#\\@\x00\x01]+/|/[^/\\\x00\x01]", re.IGNORECASE)


def is_proved(place: str, value: Value, proof: Proof | None) -> bool:
    """`place` is a class, or one of its contexts; `proof` is what is proved of the value's text now."""
    if (not value.taints and value.sure and (value.seen or value.consts is not None)) or place in _NOT_TEXT:
        return value.seen or value.consts is not None
    if proof is None:
        return False
    untrusted = [part for part in proof.parts if isinstance(part, Part) and OURS not in part.fit]
    if all(place in part.fit for part in untrusted):
        return True
    rule = _RULES.get(place)
    return rule is not None and rule(proof)


def plain_word(value: Value, proof: Proof | None) -> bool:
    """Whether a word of a command is ours, or is letters, digits and underscores: no option, no address."""
    if not value.taints and value.sure and (value.seen or value.consts is not None):
        return True
    return proof is not None and all(is_word(part) for part in _untrusted(proof.parts))


def is_word(part: Part) -> bool:
    """Letters, digits and underscores only."""
    return part.free >= SPECIAL


def _untrusted(parts: Parts) -> Iterator[Part]:
    return (part for part in parts if isinstance(part, Part) and OURS not in part.fit)


def _each(test: Callable[[Part], bool]) -> Callable[[Proof], bool]:
    return lambda proof: all(test(part) for part in _untrusted(proof.parts))


def _quoted(proof: Proof) -> bool:
    """Words anywhere, numbers outside of quotes, inside what has neither these quotes nor a backslash."""
    quote: str | None = ""
    before = ""
    for part in proof.parts:
        if isinstance(part, str):
            quote = None if quote is None or _ODD_SQL.search(part) else _after(quote, part)
            before = part[-1:] or before
            continue
        fine = is_word(part) or _fits(part, quote, before)
        if OURS not in part.fit and not fine:
            return False
        if not part.free >= set(_QUOTES + "\\"):
            quote = quote if quote and {quote, "\\"} <= part.free else None
        before = "" if is_word(part) else "-"
    return True


def _fits(part: Part, quote: str | None, before: str) -> bool:
    if quote is None:
        return False
    if quote == "":
        # `-{number}` may begin a comment.
        return NUMBER in part.fit and before not in ("-", "/", "*")
    return {quote, "\\"} <= part.free


def _after(quote: str, text: str) -> str:
    """The quote that is open behind a text of ours."""
    for character in text:
        if character in _QUOTES and quote in ("", character):
            quote = "" if quote else character
    return quote


def _command(proof: Proof) -> bool:
    """Quoted as a word, or without special characters; neither the program nor code for a second shell."""
    shape = shown(proof, TAINTED, HOLE)
    if HOLE in shape or "\\" in shape or second_shell(shape):
        return False
    lead = shape.partition(TAINTED)[0]
    if not lead.strip() or any(quote in shape for quote in (*_QUOTES, "$", "<<")):
        return False
    return all(
        QUOTED in part.fit or part.free >= SPECIAL - _PLAIN_IN_SHELL for part in _untrusted(proof.parts)
    )


def _address(proof: Proof) -> bool:
    shape = shown(proof, TAINTED, HOLE)
    return bool(_WITH_HOST.match(shape.partition(TAINTED)[0])) and _each(_word_or_number)(proof)


def _word_or_number(part: Part) -> bool:
    return is_word(part) or NUMBER in part.fit


_RULES: dict[str, Callable[[Proof], bool]] = {
    "sql": _quoted,
    "xpath": _quoted,
    "command": _command,
    "xss": safe_page,
    "code": _each(lambda part: NUMBER in part.fit),
    "path": _each(lambda part: part.free >= _UP or NUMBER in part.fit),
    "redirect": _address,
    "ssrf": _address,
    "log": _each(lambda part: part.free >= set("\n\r")),
    "ldap": _each(_word_or_number),
    "ldap:dn": _each(_word_or_number),
}
