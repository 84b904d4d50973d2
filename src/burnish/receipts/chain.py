"""Hashes of a receipt: a chain over the run's events, and a seal over everything in it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from burnish.codec import dumps, plain
from burnish.model.events import Recorded
from burnish.model.receipt import Receipt

LONG = 200
# Who was asked first and why that one's answer was not used; a receipt that hides it names the wrong reviewer
WHOLE = frozenset({"passed_over"})
START = "burnish-receipt-chain-1"


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf8", "surrogatepass")).hexdigest()


def compact(recorded: Recorded) -> dict[str, Any]:
    """An event as it goes into a receipt: whole, but with long texts as their hashes."""
    event = recorded.event
    head = {"kind": event.kind, "v": event.v, "run": recorded.run, "seq": recorded.seq, "at": recorded.at}
    body: dict[str, Any] = _shortened(plain(event))
    return head | body


def link(events: Iterable[dict[str, Any]]) -> str:
    """The last link: each one is over the link before it and the event's own bytes, its keys in order."""
    last = sha256(START)
    for event in events:
        last = sha256(last + sha256(dumps(event, sort_keys=True)))
    return last


def seal(receipt: Receipt) -> str:
    """Over every value of the receipt but the seal itself: compact JSON in ASCII, keys in order."""
    whole = told(receipt) | {"events": receipt.events}
    del whole["seal"]
    return sha256(dumps(whole, sort_keys=True))


def told(receipt: Receipt) -> dict[str, Any]:
    """All of it as plain data but the events, which are that already: looking at each would take seconds."""
    without: dict[str, Any] = plain(replace(receipt, events=()))
    return without


def hash_of(value: Any) -> str:
    """The hash of a text, whether it stands there whole or as its hash already."""
    return str(value["sha256"]) if isinstance(value, dict) else sha256(value)


def _shortened(value: Any) -> Any:
    match value:
        case str() if len(value) > LONG:
            return {"sha256": sha256(value), "chars": len(value)}
        case dict():
            return {key: inner if key in WHOLE else _shortened(inner) for key, inner in value.items()}
        case list():
            return [_shortened(inner) for inner in value]
        case _:
            return value
