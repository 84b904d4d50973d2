"""The queue is looked at in the quick way where that works, and in the thorough way everywhere else."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest
from bench._queue import fill

from burnish.app.overview import _thorough, look
from burnish.app.place import Place
from burnish.errors import StoreError
from burnish.git.repository import Repository
from burnish.model.agent import Usage
from burnish.model.overview import DayUse


def place_in(folder: Path) -> Place:
    return Place(cast(Repository, None), folder, {})


def test_both_ways_give_the_same(tmp_path: Path) -> None:
    place = place_in(tmp_path)
    fill(place.database, 60)
    seen = look(place, DayUse(Usage(), cost_usd=1.0), whole=True)
    assert seen.day is not None
    assert (seen.views, seen.cooling, seen.day.used, seen.waiting) == _thorough(place, seen.at, "2026-12-01")


def test_a_queue_is_empty_before_there_is_a_database(tmp_path: Path) -> None:
    seen = look(place_in(tmp_path / "new"), None)
    assert (seen.views, seen.cooling, seen.day) == ((), (), None)


def test_a_damaged_database_is_told_in_a_sentence(tmp_path: Path) -> None:
    place = place_in(tmp_path)
    place.database.write_bytes(b"no database, but long enough to be looked at" * 100)
    with pytest.raises(StoreError, match="is not a database"):
        look(place, None)
