"""Checking a receipt: a list of named checks in order, each with what was expected and what was found."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, fields
from typing import Any

from burnish.model.events import Event, Noticed, QuestionAsked, Recorded, RunFinished, RunReopened
from burnish.model.outcome import Outcome
from burnish.model.reason import Reason
from burnish.model.receipt import VERSION, Receipt
from burnish.model.review import Verdict
from burnish.ports import Trees
from burnish.receipts.chain import compact, link, seal
from burnish.receipts.make import changed_files
from burnish.receipts.project import Evidence, project

# The key of the one notice that is recorded after a receipt: the receipt has to be there to be signed.
NOT_SIGNED = "not_signed"


@dataclass(frozen=True)
class Check:
    """`wrong` is empty when the check holds."""

    name: str
    wrong: str = ""

    @property
    def holds(self) -> bool:
        return not self.wrong


async def verify(receipt: Receipt, trees: Trees, journal: Sequence[Recorded] | None = None) -> list[Check]:
    """Every check up to the first that does not hold. `journal` is the run's own, where it is at hand."""
    done: list[Check] = []
    try:
        async for check in _checks(receipt, trees, journal):
            done.append(check)
            if not check.holds:
                break
    except RecursionError:  # just not too deep to be read, but too deep to be hashed
        done = [Check("format", "the events are nested too deeply")]
    return done


async def _checks(receipt: Receipt, trees: Trees, journal: Sequence[Recorded] | None) -> AsyncIterator[Check]:
    unknown = f"version {receipt.v} is not one that this Burnish knows ({VERSION})"
    yield Check("format", "" if receipt.v == VERSION else unknown)
    yield _same("seal", receipt.seal, seal(receipt))
    yield _same("event chain", receipt.chain, link(receipt.events))
    yield _evidence(receipt)
    if journal is not None:
        yield _journal(receipt, journal)
    yield _outcome(receipt)
    if receipt.outcome == Outcome.PASSED:
        yield _verdict(receipt)
        yield _gate(receipt)
    yield await _base(receipt, trees)
    found = await trees.tree_of(receipt.result_commit)
    yield _same("result commit", receipt.result_tree, found, receipt.result_commit)
    raw = await trees.raw_diff(receipt.base_tree, receipt.result_tree)
    yield _same("difference", receipt.diff_sha256, hashlib.sha256(raw or b"").hexdigest())
    yield _same("changed files", receipt.files, changed_files(raw or b""))
    if receipt.outcome == Outcome.PASSED:
        yield _given(receipt)
    if journal is not None:
        yield _recorded_seal(receipt, journal)


async def _base(receipt: Receipt, trees: Trees) -> Check:
    """Work on top of uncommitted files is measured against those: then the start is what holds the tree."""
    if await trees.tree_of(receipt.start_commit) == receipt.base_tree:
        return Check("base commit")
    found = await trees.tree_of(receipt.base_commit)
    return _same("base commit", receipt.base_tree, found, receipt.base_commit)


def _same(name: str, expected: Any, found: Any, where: str = "") -> Check:
    if expected == found:
        return Check(name)
    if found is None:
        return Check(name, f"{where[:12] or 'it'} is not in this repository")
    return Check(name, f"expected {_short(expected)}, found {_short(found)}")


def _evidence(receipt: Receipt) -> Check:
    """What the receipt says must be what its own events say."""
    name = "evidence"
    try:
        told = project(receipt.events)
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        return Check(name, f"the events are not those of a run ({type(error).__name__})")
    for field in fields(Evidence):
        if getattr(receipt, field.name) != getattr(told, field.name):
            return Check(name, f"{field.name!r} is not what the events say")
    if any(event.get("run") != receipt.run for event in receipt.events):
        return Check(name, "an event belongs to another run")
    if [event.get("seq") for event in receipt.events] != list(range(1, len(receipt.events) + 1)):
        return Check(name, "events are missing or out of order")
    return Check(name)


def _journal(receipt: Receipt, journal: Sequence[Recorded]) -> Check:
    recorded = [compact(entry) for entry in journal[: len(receipt.events)]]
    for number, (ours, theirs) in enumerate(zip(receipt.events, recorded, strict=False), 1):
        if link([ours]) != link([theirs]):  # as written: to Python 1, 1.0 and true are the same
            return Check("journal", f"event {number} is not the one in the journal")
    if missing := len(receipt.events) - len(recorded):
        return Check("journal", f"{missing} events are not in the journal")
    return Check("journal", _another_end(receipt, journal))


def _another_end(receipt: Receipt, journal: Sequence[Recorded]) -> str:
    """The end is recorded after the receipt is written, so only the journal has it as an event."""
    later = [recorded.event for recorded in journal[len(receipt.events) :]]
    if any(isinstance(event, RunReopened) for event in later):
        return "the run was opened again after this"
    for event in later:
        if isinstance(event, RunFinished):
            return _differs(receipt, event)
        if not _after_receipt(event):
            return f"the run went on after this ({event.kind})"
    return ""


def _after_receipt(event: Event) -> bool:
    """Whether it may be recorded between the receipt and the end; anything else was cut from the receipt."""
    return isinstance(event, QuestionAsked) or (isinstance(event, Noticed) and event.key == NOT_SIGNED)


def _differs(receipt: Receipt, end: RunFinished) -> str:
    if (end.outcome, end.reason) != (receipt.outcome, receipt.reason):
        return f"the run ended {end.outcome} ({end.reason})"
    if (end.commit or end.base) != receipt.result_commit:
        return f"the run ended with commit {(end.commit or end.base)[:12]}"
    return ""


def recorded_end(receipt: Receipt, journal: Sequence[Recorded]) -> RunFinished | None:
    """The end of the run behind the receipt's events; without one nothing vouches for the outcome."""
    ends = (recorded.event for recorded in journal[len(receipt.events) :])
    return next((event for event in ends if isinstance(event, RunFinished)), None)


def _recorded_seal(receipt: Receipt, journal: Sequence[Recorded]) -> Check:
    """Over what no event tells, such as who made the receipt; an older Burnish recorded no seal."""
    end = recorded_end(receipt, journal)
    same = end is None or end.seal in ("", receipt.seal)
    return Check("seal in the journal", "" if same else "the journal has another one")


def _outcome(receipt: Receipt) -> Check:
    """Known words that fit each other and the reviews."""
    if receipt.outcome not in list(Outcome) or receipt.reason not in list(Reason):
        return Check("outcome", f"{receipt.outcome!r} ({receipt.reason!r}) is no way in which a run ends")
    passed = receipt.outcome == Outcome.PASSED
    if passed != (receipt.reason == Reason.REVIEW_PASSED):
        return Check("outcome", f"{receipt.outcome!r} does not go with {receipt.reason!r}")
    if not passed and not _verdict(receipt).wrong and not _gate(receipt).wrong:
        return Check("outcome", f"{receipt.outcome!r}, although the last review passed the result")
    return Check("outcome")


def _verdict(receipt: Receipt) -> Check:
    """A pass is the last review, of exactly the tree that is delivered, clear and not overruled."""
    name = "verdict"
    if not receipt.reviews:
        return Check(name, "the run passed without any review")
    last = receipt.reviews[-1]
    if last.verdict != Verdict.PASS or last.overruled or last.unclear:
        stain = last.overruled or last.unclear or last.native
        return Check(name, f"the last review is no pass ({stain})")
    if last.tree != receipt.result_tree:
        return Check(name, f"the pass is for tree {last.tree[:12]}, the result is {receipt.result_tree[:12]}")
    if receipt.base_tree == receipt.result_tree:
        return Check(name, "nothing was changed, so nothing was reviewed")
    return Check(name)


def _gate(receipt: Receipt) -> Check:
    base = [gate for gate in receipt.gates if gate.base]
    last = [gate for gate in receipt.gates if gate.tree == receipt.result_tree]
    if not base:
        return Check("gate")
    if not last:
        return Check("gate", "the gate was not run on the result")
    red = base[-1].exit == 0 and last[-1].exit != 0
    return Check("gate", f"{last[-1].command!r} turned red" if red else "")


def _given(receipt: Receipt) -> Check:
    """Every changed file was shown to the reviewer who passed it, or the pass says that it is partial."""
    last = receipt.reviews[-1]
    given = {file.path for file in last.given}
    # A partial review says itself that it did not see everything; nothing else may leave a file out.
    missing = [path for path in receipt.files if path not in given and not last.partial]
    return Check("files given to the reviewer", f"{missing[0]!r} was not" if missing else "")


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
