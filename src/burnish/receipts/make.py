"""A receipt from a run's events and what git says about its trees."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

from burnish import __version__
from burnish.codec import dumps, loads, validate
from burnish.errors import UsageError
from burnish.model.events import Recorded
from burnish.model.history import Ending
from burnish.model.receipt import FORMAT, Receipt
from burnish.ports import Trees
from burnish.receipts.chain import compact, link, seal, told
from burnish.receipts.project import project
from burnish.sanitise import decoded

MAX_BYTES = 64 * 1024 * 1024


async def make_receipt(recorded: Sequence[Recorded], ending: Ending, trees: Trees) -> Receipt:
    """Needs the events from the first on; the end of the run itself is told by the ending."""
    events = tuple(compact(entry) for entry in recorded)
    evidence = project(events)
    history = ending.history
    raw = await trees.raw_diff(evidence.base_tree, history.tree) or b""
    receipt = Receipt(
        run=evidence.run,
        burnish=__version__,
        profile=evidence.profile,
        contract=evidence.contract,
        outcome=ending.stop.outcome,
        reason=ending.stop.reason,
        base_commit=evidence.base_commit,
        base_tree=evidence.base_tree,
        start_commit=evidence.start_commit,
        result_commit=history.commit,
        result_tree=history.tree,
        diff_sha256=hashlib.sha256(raw).hexdigest(),
        files=changed_files(raw),
        reviews=evidence.reviews,
        gates=evidence.gates,
        writes=evidence.writes,
        started_at=evidence.started_at,
        finished_at=evidence.finished_at,
        events=events,
        chain=link(events),
        seal="",
    )
    return replace(receipt, seal=seal(receipt))


def changed_files(raw: bytes) -> tuple[str, ...]:
    """The paths of git's raw difference (-z): after each `:modes objects status` comes one path."""
    fields = raw.split(b"\0")
    paths = [path for about, path in zip(fields[::2], fields[1::2], strict=False) if about.startswith(b":")]
    return tuple(decoded(path) for path in paths)


def write(receipt: Receipt) -> str:
    try:
        return dumps(told(receipt) | {"events": receipt.events}, indent=1) + "\n"
    except RecursionError:
        raise UsageError(f"the receipt of {receipt.run[:60]!r} is nested too deeply to be written.") from None


def read(text: str, name: str) -> Receipt:
    """A receipt from a file's text; anything else is the caller's mistake, told in a sentence."""
    try:
        found = loads(text)
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            raise UsageError(f"{name} is not a receipt: expected a JSON object with format {FORMAT!r}.")
        _look_over(found)
        # The events are plain data already: having each of them looked at again would take seconds.
        receipt: Receipt = replace(validate(Receipt, {**found, "events": []}), events=tuple(found["events"]))
        _compare(found, told(receipt))
    except ValueError as error:
        first = str(error).splitlines()[0]
        raise UsageError(
            f"{name} cannot be read as a receipt: {first}.", hint="it may be cut off or edited"
        ) from None
    return receipt


def _look_over(found: dict[str, Any]) -> None:
    """The shape of it, before anything is read closely: a file of rubbish is refused at once."""
    known = {field.name for field in fields(Receipt)}
    if unknown := [name for name in found if name not in known]:
        raise ValueError(f"unknown field {unknown[0][:60]!r}")
    if missing := sorted(known - found.keys()):
        raise ValueError(f"missing field {missing[0]!r}")
    events = found["events"]
    if not isinstance(events, list) or not all(type(event) is dict for event in events):
        raise ValueError("events must be a list of objects")


def _compare(found: dict[str, Any], read: dict[str, Any]) -> None:
    """A file says what we read in it, and nothing besides: no `"1"` for 1, no further key in a review."""
    for name, value in read.items():
        if name != "events" and dumps(value, sort_keys=True) != dumps(found[name], sort_keys=True):
            raise ValueError(f"field {name!r} holds something else than a receipt has there")
