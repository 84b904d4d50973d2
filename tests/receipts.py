"""Verifying many altered receipts in one process, and forging them as well as somebody without a key can."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from burnish.codec import plain
from burnish.errors import UsageError
from burnish.git.call import Git, Place
from burnish.git.evidence import GitTrees
from burnish.git.repository import discover
from burnish.model.events import Recorded
from burnish.receipts.chain import link
from burnish.receipts.make import read
from burnish.receipts.project import project
from burnish.receipts.verify import verify


@cache
def _trees(folder: Path) -> GitTrees:
    async def find() -> GitTrees:
        git = await Git.start(folder.parent / "receipt-state")
        if folder.suffix == ".git":  # a run's own store
            return GitTrees(git, Place(folder))
        repository = await discover(git, folder)
        return GitTrees(git, repository.place)

    (folder.parent / "receipt-state").mkdir(exist_ok=True)
    return asyncio.run(find())


def verdict_of(receipt: Any, folder: Path, journal: Sequence[Recorded] | None = None) -> str:
    """`holds`, or the one thing that does not: in the repository at `folder`, from the file alone without a journal."""
    try:
        found = read(json.dumps(receipt), "the file")
    except UsageError as error:
        return error.message
    checks = asyncio.run(verify(found, _trees(folder), journal))
    wrong = [check.name for check in checks if not check.holds]
    assert wrong in ([], [checks[-1].name]), "more than one thing is named, or something after it"
    return wrong[0] if wrong else "holds"


def sealed(receipt: dict[str, Any]) -> dict[str, Any]:
    """Its seal made anew, by the rule and not by our code: compact JSON in ASCII, keys in order, no seal in it."""
    rest = {name: value for name, value in receipt.items() if name != "seal"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return rest | {"seal": hashlib.sha256(text.encode()).hexdigest()}


def forged(receipt: dict[str, Any]) -> dict[str, Any]:
    """Its chain made anew, too."""
    return sealed(receipt | {"chain": link(receipt["events"])})


def rederived(receipt: dict[str, Any]) -> dict[str, Any]:
    """All that follows from the events taken from them anew: the best that can be done without the journal."""
    told = plain(project(receipt["events"]))
    return forged(receipt | told)


def renamed(receipt: dict[str, Any], run: str) -> dict[str, Any]:
    """As if another run had made it."""
    return rederived(receipt | {"events": [event | {"run": run} for event in receipt["events"]]})


def cut_after_the_review(receipt: dict[str, Any]) -> dict[str, Any]:
    """Without what was recorded after the last review, such as where the result went."""
    events = receipt["events"]
    last = max(number for number, event in enumerate(events) if event.get("result_type") == "Review")
    return rederived(receipt | {"events": events[: last + 1]})
