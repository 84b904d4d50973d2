"""Questions to a text that make it safe: digits only, a beginning of ours."""

from __future__ import annotations

from burnish.analysers.taint.conditions import NO_FACTS, When, about
from burnish.analysers.taint.frame import Arguments
from burnish.analysers.taint.values import EVERYTHING, Value

ALL = frozenset({EVERYTHING})
_HARMLESS = frozenset({"isdigit", "isalnum", "isalpha", "isdecimal", "isidentifier", "isnumeric"})


def text_facts(receiver: Value, name: str, given: Arguments) -> When | None:
    if not receiver.taints:
        return None
    if name in _HARMLESS:
        return about(receiver, ALL), NO_FACTS
    if name == "startswith":
        return _begins(receiver, given)
    return None


def _begins(receiver: Value, given: Arguments) -> When | None:
    """A path that begins with a folder of ours is inside only where that ends in a separator."""
    start = given.get(0)
    if start is None or start.taints:
        return None
    if start.shape.endswith("/"):
        return about(receiver, frozenset({"path", "ssrf"})), NO_FACTS
    return about(receiver, frozenset({"weak:path", "weak:redirect", "weak:ssrf"})), NO_FACTS
