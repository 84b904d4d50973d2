"""Python source of strings and of values: quotes, escapes, braces."""

from __future__ import annotations

from collections.abc import Iterable

from burnish.fixers._python import NotRepaired

_SHORT = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def literal(parts: Iterable[object], quote: str = '"') -> str:
    """A string of these parts: text as it is, anything else between braces."""
    parts = list(parts)
    values = [part for part in parts if not isinstance(part, str)]
    text = "".join(part for part in parts if isinstance(part, str))
    quote = _quote(text, quote)
    if any(mark in str(value) for value in values for mark in ("\\", "\n", "#")):
        raise NotRepaired("a value is not a plain one")
    if any(quote in str(value) for value in values):
        other = ("'" if quote[0] == '"' else '"') * len(quote)
        if other in text or any(other in str(value) for value in values):
            raise NotRepaired("a value is not a plain one")
        quote = other
    told = "".join(
        _escaped(part, quote, bool(values)) if isinstance(part, str) else "{" + _apart(str(part)) + "}"
        for part in parts
    )
    return ("f" if values else "") + quote + _last_quote(told, quote) + quote


def _apart(code: str) -> str:
    """A dictionary or set would read as a brace that stands for itself."""
    return f" {code}" if code.startswith("{") else code


def _quote(text: str, wanted: str) -> str:
    if len(wanted) == 3:
        return wanted
    other = "'" if wanted == '"' else '"'
    return other if wanted in text and other not in text else wanted


def _escaped(text: str, quote: str, braces: bool) -> str:
    told = ""
    for letter in text:
        if len(quote) == 3 and letter in "\n\t":
            told += letter
        elif letter in _SHORT:
            told += _SHORT[letter]
        elif letter == quote:
            told += f"\\{letter}"
        elif braces and letter in "{}":
            told += letter * 2
        else:
            told += letter if letter.isprintable() else letter.encode("unicode_escape").decode("ascii")
    return told.replace(quote, f"\\{quote}") if len(quote) == 3 else told


def _last_quote(told: str, quote: str) -> str:
    """Three quotes that end a text must not be four."""
    if len(quote) == 3 and told.endswith(quote[0]):
        return f"{told[:-1]}\\{quote[0]}"
    return told


def one_line(code: str) -> str:
    """What stands in several lines cannot be moved into another place as it is."""
    if "\n" in code or "\r" in code or "#" in code:
        raise NotRepaired("a value has several lines")
    return code
