"""Three ways to answer the labelled replies: ours, the seeds' literal rules, and naive ones."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from burnish.errors import ContractViolation
from burnish.model.agent import Reply
from burnish.model.review import Verdict
from burnish.registry import load

Row = Mapping[str, Any]
# What a script looks for that reads no more than the word.
_NAIVE = {
    "verdict-line": re.compile(r"\bAPPROVED\b"),
    "grade": re.compile(r"\bPASS\b"),
    "json-verdict": re.compile(r'"verdict"\s*:\s*"pass"'),
    "loop-result": re.compile(r'"passed"\s*:\s*true'),
    "findings": re.compile(r'"findings"\s*:\s*\[\s*\]'),
}


def ours(row: Row) -> bool:
    """Whether a row passes by the contract that it is written for."""
    return _passes(row, compat=False)


def seeds(row: Row) -> bool:
    """The literal rule of the document that the contract comes from."""
    return _passes(row, compat=True)


def naive(row: Row) -> bool:
    """The passing word anywhere in what came back."""
    return _NAIVE[row["contract"]].search(f"{row['text']}\n{row.get('report') or ''}") is not None


def _passes(row: Row, *, compat: bool) -> bool:
    reply = Reply(
        row["text"],
        report=row.get("report"),
        structured=row.get("structured"),
        report_witnessed=bool(row.get("witnessed")),
    )
    try:
        review = load("contracts", row["contract"])(compat=compat).parse(reply)
    except ContractViolation:
        return False
    return review.verdict is Verdict.PASS and not review.unclear
