"""A receipt, and the checks of one, as pages for people: nothing a file says is printed as it stands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from burnish.codec import dumps
from burnish.model.receipt import Receipt, ReviewEvidence
from burnish.model.review import Review
from burnish.receipts.proof import Proof, Verification
from burnish.render.parts import by_whom
from burnish.sanitise import clean_line

HOW = "verify it on the machine that made the run, or have it signed there and allow the signer (--signers)"


def page(receipt: Receipt, path: Path, *, checked: bool) -> str:
    """What it says; a file that was not found by its run is called unchecked."""
    lines = [
        f"receipt  {path}",
        f"run      {receipt.run} ({receipt.outcome}: {receipt.reason})",
        f"made by  burnish {receipt.burnish}, profile {receipt.profile}, contract {receipt.contract}",
        f"base     {receipt.base_commit} (tree {receipt.base_tree[:12]})",
        f"result   {receipt.result_commit} (tree {receipt.result_tree[:12]})",
        f"changes  {len(receipt.files)} files, difference {receipt.diff_sha256[:16]}",
        f"chain    {receipt.chain[:16]} over {len(receipt.events)} events",
    ]
    if not checked:
        lines.insert(1, f"checked  no, this is only what the file says: burnish receipt verify {path}")
    replaced = _replaced(receipt)
    for number, review in enumerate(receipt.reviews):
        passed_over = replaced[number] if number < len(replaced) else ()
        lines.append(_review(review, by_whom({"agent": review.agent, "passed_over": passed_over})))
    for gate in receipt.gates:
        where = "base" if gate.base else f"tree {gate.tree[:12]}"
        lines.append(f"gate     {gate.command} on {where}: exit {gate.exit}")
    return "\n".join(clean_line(line) for line in lines)


def checked(receipt: Receipt, told: Verification) -> str:
    """Every check made, in the last line what they come to; how to prove a receipt that is not proven."""
    lines = [f"✓ {one.name}" if one.holds else f"✗ {one.name}: {one.wrong}" for one in told.checks]
    says = f"{receipt.outcome} ({receipt.reason})"
    if receipt.contract.endswith("(compat)"):
        says += "; its verdicts were read by a literal rule that can be fooled (compat)"
    match told.proof:
        case Proof.PROVEN:
            end = [f"the receipt of {receipt.run} is proven by {' and '.join(told.proven_by)}: {says}"]
        case Proof.NOT_PROVEN:
            why = ", and ".join(told.not_compared)
            end = [
                f"not compared: {why}; to prove it, {HOW}",
                f"the receipt of {receipt.run} is consistent but not proven; it claims: {says}",
            ]
        case Proof.DOES_NOT_HOLD:
            end = [f"the receipt of {receipt.run} does not hold"]
    return "\n".join(clean_line(line) for line in [*lines, *end])


def answer(receipt: Receipt, told: Verification) -> str:
    """The same as one JSON object, in ASCII."""
    return dumps({"run": receipt.run, "outcome": receipt.outcome, "reason": receipt.reason, **facts(told)})


def facts(told: Verification) -> dict[str, Any]:
    """What a verification says, as plain data."""
    checks = [{"name": one.name, "holds": one.holds, "wrong": one.wrong} for one in told.checks]
    return {
        "answer": str(told.proof),
        "proven_by": list(told.proven_by),
        "not_compared": list(told.not_compared),
        "how_to_prove": HOW if told.proof is Proof.NOT_PROVEN else "",
        "checks": checks,
    }


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
