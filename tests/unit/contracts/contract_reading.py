"""What the tests of the contracts share: read a text, name the answer."""

from __future__ import annotations

from typing import Any

from burnish.errors import ContractViolation
from burnish.model.agent import Reply
from burnish.model.review import Review, Verdict
from burnish.registry import load

NAMES = ("grade", "verdict-line", "json-verdict", "loop-result", "findings")


def review(name: str, text: str, **options: Any) -> Review:
    found: Review = load("contracts", name)(**options).parse(Reply(text))
    return found


def answer(name: str, text: str, **options: Any) -> str:
    """The native word, with a question mark when it is unclear, or the code of the violation."""
    try:
        found = review(name, text, **options)
    except ContractViolation as violation:
        return violation.code
    return found.native + ("?" if found.unclear else "")


def passes(name: str, text: str, **options: Any) -> bool:
    try:
        found = review(name, text, **options)
    except ContractViolation:
        return False
    return found.verdict is Verdict.PASS
