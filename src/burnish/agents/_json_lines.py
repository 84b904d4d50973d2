"""Lines of JSON as CLIs print them: whatever is missing or of another kind counts as nothing."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from burnish import codec

# Nobody uses more in one answer: such a number is a mistake, and would spoil every sum.
MOST_TOKENS = 10**12
MOST_USD = 1e6
ABOUT_CHARS = 200
_TOLD_BY = ("file_path", "path", "command", "cmd", "pattern", "query", "url", "prompt")


def record(data: bytes) -> dict[str, Any]:
    """The object on a line; empty for anything else."""
    text = data.strip()
    if not text.startswith(b"{"):
        return {}
    try:
        found = codec.loads(text.decode("utf8", "replace"))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def text(found: Any, key: str) -> str:
    value = found.get(key) if isinstance(found, dict) else None
    return value if isinstance(value, str) else ""


def inner(found: Any, key: str) -> dict[str, Any]:
    value = found.get(key) if isinstance(found, dict) else None
    return value if isinstance(value, dict) else {}


def items(found: Any, key: str) -> Iterator[dict[str, Any]]:
    value = found.get(key) if isinstance(found, dict) else None
    if isinstance(value, list):
        yield from (item for item in value if isinstance(item, dict))


def count(found: Any, key: str) -> int:
    value = found.get(key) if isinstance(found, dict) else None
    whole = isinstance(value, int) and not isinstance(value, bool)
    return value if whole and 0 <= value <= MOST_TOKENS else 0  # type: ignore[operator, return-value]


def number(found: Any, key: str, most: float = MOST_USD) -> float | None:
    value = found.get(key) if isinstance(found, dict) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if 0 <= value <= most and math.isfinite(value) else None


def about(arguments: Any) -> str:
    """What a tool was called for, in a few words: a file, a command."""
    told = next((text(arguments, key) for key in _TOLD_BY if text(arguments, key)), "")
    return " ".join(told.split())[:ABOUT_CHARS]
