"""The queue of a place as it stands now, read the quick way where that works."""

from __future__ import annotations

import gc
import os
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from burnish.app.place import Place
from burnish.config.files import TOML_NAME, YAML_NAME, user_folder
from burnish.git.committed import read_file
from burnish.model.agent import Usage
from burnish.model.overview import Cooling, DayUse, Overview
from burnish.model.question import Waiting
from burnish.model.queue import TaskView
from burnish.store.clock import SystemClock
from burnish.store.glance import Glance, glance
from burnish.store.holders import this_process

Looked = tuple[tuple[TaskView, ...], tuple[Cooling, ...], Usage, tuple[Waiting, ...]]


def look(place: Place, limits: DayUse | None, *, whole: bool = False) -> Overview:
    """`whole` has full prompts, notes and answers; without it they are cut to what a line shows."""
    # Ten thousand new objects and none of them garbage: the collector would go over them again and again.
    gc.disable()
    try:
        return _look(place, limits, whole=whole)
    finally:
        gc.enable()


def _look(place: Place, limits: DayUse | None, *, whole: bool) -> Overview:
    now = SystemClock().now()
    since = (datetime.now(UTC) - timedelta(days=1)).isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def ask(at: Glance) -> Looked:
        used = at.spent_since(since) if limits else Usage()
        return at.tasks(this_process(), whole=whole), at.cooling(now), used, at.waiting()

    views, cooling, used, waiting = glance(place.database, ask) or _thorough(place, now, since)
    day = DayUse(used, limits.cost_usd, limits.tokens, limits.minutes) if limits else None
    return Overview(now, views, cooling, day, waiting)


def _thorough(place: Place, now: str, since: str) -> Looked:
    """For a database that has to be made or brought up to date first, or cannot be read in the quick way."""
    from burnish.store.cooldowns import in_force
    from burnish.store.database import open_database
    from burnish.store.queries import waiting_runs
    from burnish.store.queue import Queue
    from burnish.store.spending import spent_since

    with closing(open_database(place.database)) as database:
        cooling = tuple(Cooling(one.agent, one.until, one.why) for one in in_force(database, now))
        return Queue(database).all(), cooling, spent_since(database, since), waiting_runs(database)


async def day_limits(place: Place) -> DayUse | None:
    """What a day may use; None without such a limit. Settings are read only where a budget is spoken of."""
    if not await _mentions_budget(place):
        return None
    budget = (await place.settings(place.repository.head)).settings.budget
    found = DayUse(Usage(), budget.day_cost_usd, budget.day_tokens, budget.day_minutes)
    return found if found.limited else None


async def _mentions_budget(place: Place) -> bool:
    """Whether a setting about budgets can be anywhere: reading all settings takes a tenth of a second."""
    if any(name.startswith("BURNISH_") and "BUDGET" in name.upper() for name in place.environ):
        return True
    folder = user_folder(place.environ)
    if any(_speaks(folder / name) for name in (TOML_NAME, YAML_NAME)):
        return True
    repository = place.repository
    if not repository.head:
        return False
    listed = await repository.git.ask(
        "ls-tree", "-z", "--name-only", repository.head, "--", TOML_NAME, YAML_NAME, at=repository.place
    )
    found = [await read_file(repository, repository.head, os.fsdecode(name)) for name in _names(listed.out)]
    return any(b"budget" in (data or b"") for data in found)


def _names(listed: bytes) -> list[bytes]:
    return [name for name in listed.split(b"\0") if name]


def _speaks(path: Path) -> bool:
    try:
        return path.is_file() and b"budget" in path.read_bytes()
    except OSError:
        return True
