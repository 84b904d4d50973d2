"""Where in a piece of HTML a value stands: escaping helps in text and plain attributes, and nowhere else."""

from __future__ import annotations

import re

_SCRIPTED = ("script", "style", "xmp", "iframe", "noscript")
_ADDRESSES = frozenset({"href", "src", "action", "formaction", "data", "srcset", "poster", "xlink:href"})


def escaping_helps(before: str) -> bool:
    """`before` is all the HTML up to the value, with `\\0` for other values."""
    lower = before.lower()
    if any(lower.rfind(f"<{name}") > lower.rfind(f"</{name}") for name in _SCRIPTED):
        return False
    opened = before.rfind("<")
    if opened < 0 or ">" in _outside_quotes(before[opened:]) or before.startswith("<!--", opened):
        return True
    attribute = _attribute(before[opened:])
    if attribute is None:
        return False
    name, value = attribute
    if name.startswith("on") or name in ("style", "srcdoc"):
        return False
    return name not in _ADDRESSES or bool(value.strip("\0 "))


def _outside_quotes(tag: str) -> str:
    return re.sub(r"\"[^\"]*(?:\"|$)|'[^']*(?:'|$)", "", tag)


def _attribute(tag: str) -> tuple[str, str] | None:
    """Name and beginning of the quoted value that a tag ends in; None where it ends in none."""
    quote, start = "", 0
    for at, letter in enumerate(tag):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote, start = letter, at
    found = re.search(r"([\w:-]+)\s*=\s*$", tag[:start])
    return (found[1].lower(), tag[start + 1 :]) if quote and found else None
