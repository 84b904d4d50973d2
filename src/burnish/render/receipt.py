"""A receipt, and the checks of one, as pages for people: nothing a file says is printed as it stands."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from burnish.model.receipt import Receipt, ReviewEvidence
from burnish.model.review import Review
from burnish.receipts.verify import Check
from burnish.render.parts import by_whom
from burnish.sanitise import clean_line


def page(receipt: Receipt, path: Path) -> str:
    lines = [
        f"receipt  {path}",
        f"run      {receipt.run} ({receipt.outcome}: {receipt.reason})",
        f"made by  burnish {receipt.burnish}, profile {receipt.profile}, contract {receipt.contract}",
        f"base     {receipt.base_commit} (tree {receipt.base_tree[:12]})",
        f"result   {receipt.result_commit} (tree {receipt.result_tree[:12]})",
        f"changes  {len(receipt.files)} files, difference {receipt.diff_sha256[:16]}",
        f"chain    {receipt.chain[:16]} over {len(receipt.events)} events",
    ]
    replaced = _replaced(receipt)
    for number, review in enumerate(receipt.reviews):
        passed_over = replaced[number] if number < len(replaced) else ()
        lines.append(_review(review, by_whom({"agent": review.agent, "passed_over": passed_over})))
    for gate in receipt.gates:
        where = "base" if gate.base else f"tree {gate.tree[:12]}"
        lines.append(f"gate     {gate.command} on {where}: exit {gate.exit}")
    return "\n".join(clean_line(line) for line in lines)


def checked(receipt: Receipt, checks: Sequence[Check]) -> str:
    """Every check made, and in the last line what that comes to."""
    lines = [f"✓ {one.name}" if one.holds else f"✗ {one.name}: {one.wrong}" for one in checks]
    holds = all(one.holds for one in checks)
    end = f"holds: {receipt.outcome} ({receipt.reason})" if holds else "does not hold"
    return "\n".join(clean_line(line) for line in [*lines, f"the receipt of {receipt.run} {end}"])


def _replaced(receipt: Receipt) -> list[tuple[str, ...]]:
    """In whose place each review was made, as the events tell it; a file may say anything."""
    results = [
        event.get("result")
        for event in receipt.events
        if isinstance(event, dict) and event.get("result_type") == Review.__name__
    ]
    found = [result.get("passed_over") if isinstance(result, dict) else () for result in results]
    return [tuple(names) if isinstance(names, list) else () for names in found]


def _review(review: ReviewEvidence, by: str) -> str:
    stain = f", overruled: {review.overruled}" if review.overruled else ", partial" if review.partial else ""
    shown = f"{sum(len(given.hunks) for given in review.given)} hunks of {len(review.given)} files"
    told = (by, review.version or "version unknown", review.model or "model not told")
    who = ", ".join((*told, *([review.isolation] if review.isolation else [])))
    return f"review   cycle {review.cycle}: {review.native}{stain}; tree {review.tree[:12]}, {shown}, {who}"
