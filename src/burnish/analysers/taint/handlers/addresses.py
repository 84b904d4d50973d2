"""Addresses of handlers: which of their parameters can only be numbers and plain words."""

from __future__ import annotations

import re

# What these let through is no more than letters, digits, `-` and `_`.
_HARMLESS = frozenset({
    "int", "float", "number", "uuid", "slug", "any", "bool", "date", "ymd", "yyyy", "alpha", "integer",
})  # fmt: skip
_TYPE_FIRST = re.compile(r"<(?:(\w+)(?:\([^)]*\))?:)?(\w+)>")
_NAME_FIRST = re.compile(r"<(\w+):(\w+)(?::((?:[^<>\\]|\\.)*))?>")
_BRACES = re.compile(r"\{(\w+)(?::((?:[^{}]|\{[\d,]*\})*))?\}")
_GROUP = re.compile(r"\(\?P<(\w+)>((?:[^()]|\([^()]*\))*)\)")
_PLACE = re.compile(r"\((?!\?)((?:[^()]|\([^()]*\))*)\)")
_ITEM = r"(?:\\[dw]|\[(?:\\[dw]|\w-\w|[\w-])+\]|[\w-]|\[:\w+:\])"
_PLAIN = re.compile(rf"(?:\^|\\A)?(?:{_ITEM}|[+*?|)(]|\(\?:|\{{[\d,]*\}})+(?:\$|\\Z|\\z)?")


def plain_pattern(pattern: str) -> bool:
    """Whether what matches the whole of this is letters, digits, `-` and `_` only."""
    return bool(pattern) and bool(_PLAIN.fullmatch(pattern))


def anchored(pattern: str) -> bool:
    """Whether a search with it is a match of the whole."""
    alternatives = "|" in re.sub(r"\([^()]*\)", "", pattern)
    return pattern.startswith(("^", r"\A")) and pattern.endswith(("$", r"\Z", r"\z")) and not alternatives


# What these let through is a number.
_NUMBERS = frozenset({"int", "float", "number", "integer"})


def number_names(address: str) -> frozenset[str]:
    """The parameters of an address that are surely numbers."""
    found = {name for kind, name in _TYPE_FIRST.findall(address) if kind in _NUMBERS}
    found |= {name for name, kind, _ in _NAME_FIRST.findall(address) if kind in _NUMBERS}
    return frozenset(found | {name for name, kind in _BRACES.findall(address) if kind in _NUMBERS})


def harmless_names(address: str) -> frozenset[str]:
    """The parameters of an address that a converter or a pattern keeps harmless."""
    found = {name for kind, name in _TYPE_FIRST.findall(address) if kind in _HARMLESS}
    for name, kind, pattern in _NAME_FIRST.findall(address):
        if kind in _HARMLESS or (kind == "re" and plain_pattern(pattern)):
            found.add(name)
    for name, kind in _BRACES.findall(address):
        if kind in _HARMLESS or (plain_pattern(kind) and kind not in ("path", "str", "string")):
            found.add(name)
    found |= {name for name, pattern in _GROUP.findall(address) if plain_pattern(pattern)}
    return frozenset(found)


def names(address: str) -> frozenset[str]:
    """Every parameter of an address."""
    found = {name for _, name in _TYPE_FIRST.findall(address)}
    found |= {name for name, _, _ in _NAME_FIRST.findall(address)}
    found |= {name for name, _ in _BRACES.findall(address)}
    return frozenset(found | {name for name, _ in _GROUP.findall(address)})


def harmless_places(address: str) -> frozenset[int]:
    """The same for groups without a name, by their number."""
    found = _PLACE.findall(address)
    return frozenset(number for number, pattern in enumerate(found) if plain_pattern(pattern))
