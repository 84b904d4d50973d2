"""Telling: everybody hears everything, in order."""

from __future__ import annotations

import pytest

from burnish.model.events import Noticed, Recorded
from burnish.store.publishing import publish


def test_every_listener_hears_every_event_in_order_whatever_another_raises() -> None:
    heard: list[tuple[str, int]] = []
    told = [Recorded("r-1", seq, "now", Noticed("key", "text")) for seq in (1, 2)]

    def first(entry: Recorded) -> None:
        heard.append(("first", entry.seq))
        raise BrokenPipeError(f"first at {entry.seq}")

    with pytest.raises(BrokenPipeError, match="first at 2"):
        publish(told, [first, lambda entry: heard.append(("second", entry.seq))])
    assert heard == [("first", 1), ("second", 1), ("first", 2), ("second", 2)]
