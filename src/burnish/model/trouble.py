"""What an agent's last words tell about why it gave no answer: a limit, a server, a connection."""

from __future__ import annotations

import re
from enum import StrEnum

# Programs end with a page of text; what went wrong stands at its end.
READ_CHARS = 4000
_MOST_S = 24 * 3600.0


class Trouble(StrEnum):
    LIMIT = "rate limit"
    SERVER = "server error"
    CONNECTION = "no connection"


# Numbers count as a status only beside a word that says so: `line 500` is no server error.
_STATUS = r"(?:\bhttp(?:/\d(?:\.\d)?)?|\bstatus(?: code)?|\berror(?: code)?|\bcode|\bapi error)\W{0,4}"
_WORDS = (
    (
        Trouble.LIMIT,
        rf"{_STATUS}(?:429|529)\b|\b429\W{{1,3}}too many|too many requests|rate.?limit|quota|usage limit"
        r"|overloaded|resource.?exhausted",
    ),
    (
        Trouble.SERVER,
        rf"{_STATUS}5\d\d\b|\b5\d\d\W{{1,3}}(?:internal|bad gateway|service|gateway)|internal server error"
        r"|bad gateway|service unavailable|gateway time-?out",
    ),
    (
        Trouble.CONNECTION,
        r"connection (?:timed out|time-?out|refused|reset|aborted|error)|connect(?:ion)? ?time-?out|etimedout"
        r"|econnreset|econnrefused|enotfound|eai_again|could not resolve|name resolution"
        r"|network is unreachable|read timed out|request timed out|socket hang up",
    ),
)
_PATTERNS = tuple((trouble, re.compile(words, re.I | re.A)) for trouble, words in _WORDS)
_WAIT = re.compile(
    r"(?:retry.?after|(?:try|retry)(?: again)? in)\W{0,4}(\d{1,6}(?:\.\d{1,3})?)"
    r" ?(ms\b|m(?:in(?:ute)?s?)?\b|h(?:ours?)?\b)?",
    re.I | re.A,
)
_UNITS = {"ms": 0.001, "m": 60.0, "h": 3600.0}


def trouble_of(text: str) -> Trouble | None:
    """The kind of trouble these words speak of, if any that another attempt or another agent could help."""
    end = text[-READ_CHARS:]
    return next((trouble for trouble, pattern in _PATTERNS if pattern.search(end)), None)


def asked_to_wait_s(text: str) -> float | None:
    """How long to wait, where the words say so (`Retry-After: 20`, `try again in 1.5 min`)."""
    found = _WAIT.search(text[-READ_CHARS:])
    if found is None:
        return None
    unit = (found[2] or "").lower()
    factor = _UNITS.get(unit, _UNITS.get(unit[:1], 1.0))
    return min(float(found[1]) * factor, _MOST_S)
