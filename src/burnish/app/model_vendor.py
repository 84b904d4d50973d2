"""Whose a model is, by its name: one line a vendor."""

from __future__ import annotations

import re

_NAMES = {
    "anthropic": r"claude|opus|sonnet|haiku",
    "openai": r"gpt|chatgpt|codex|o\d",
    "google": r"gemini|gemma",
    "alibaba": r"qwen",
}
_PATTERNS = {
    vendor: re.compile(rf"(?:[\w.-]{{1,40}}/)?(?:{names})(?![a-z])", re.I | re.A)
    for vendor, names in _NAMES.items()
}


def vendor_of(model: str) -> str:
    """Empty for a name that tells nothing, such as one of a user's own gateway."""
    return next((vendor for vendor, pattern in _PATTERNS.items() if pattern.match(model)), "")
