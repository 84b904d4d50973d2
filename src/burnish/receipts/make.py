"""A receipt from a run's events and what git says about its trees."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from burnish import __version__
from burnish.codec import dumps, loads, plain, validate
from burnish.errors import UsageError
from burnish.model.events import Recorded
from burnish.model.history import Ending
from burnish.model.receipt import FORMAT, Receipt
from burnish.ports import Trees
from burnish.receipts.chain import compact, link
from burnish.receipts.project import project
from burnish.sanitise import decoded

MAX_BYTES = 64 * 1024 * 1024


async def make_receipt(recorded: Sequence[Recorded], ending: Ending, trees: Trees) -> Receipt:
    """Needs the events from the first on; the end of the run itself is told by the ending."""
    events = tuple(compact(entry) for entry in recorded)
    evidence = project(events)
    history = ending.history
    raw = await trees.raw_diff(evidence.base_tree, history.tree) or b""
    return Receipt(
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
    )


def changed_files(raw: bytes) -> tuple[str, ...]:
    """The paths of git's raw difference (-z): after each `:modes objects status` comes one path."""
    fields = raw.split(b"\0")
    paths = [path for about, path in zip(fields[::2], fields[1::2], strict=False) if about.startswith(b":")]
    return tuple(decoded(path) for path in paths)


def write(receipt: Receipt) -> str:
    return dumps(plain(receipt), indent=1) + "\n"


def read(text: str, name: str) -> Receipt:
    """A receipt from a file's text; anything else is the caller's mistake, told in a sentence."""
    try:
        found = loads(text)
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            raise UsageError(f"{name} is not a receipt: expected a JSON object with format {FORMAT!r}.")
        receipt: Receipt = validate(Receipt, found)
    except ValueError as error:
        first = str(error).splitlines()[0]
        raise UsageError(
            f"{name} cannot be read as a receipt: {first}.", hint="it may be cut off or edited"
        ) from None
    return receipt
