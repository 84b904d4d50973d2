"""An event as plain data: what `--json` prints and other programs read."""

from __future__ import annotations

from typing import Any

from burnish.codec import plain
from burnish.model.events import Recorded


def as_data(recorded: Recorded) -> dict[str, Any]:
    """One flat object: what kind, which run, when, then the event's own fields."""
    event = recorded.event
    head = {"kind": event.kind, "v": event.v, "run": recorded.run, "seq": recorded.seq, "at": recorded.at}
    fields: dict[str, Any] = plain(event)
    return head | fields
