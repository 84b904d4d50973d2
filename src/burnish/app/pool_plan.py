"""What `burnish work` is told before it begins: how many at once, which limits, whom to tell."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from burnish.agents._limited import Places
from burnish.app.agent_choice import decide
from burnish.app.allowance import Allowance
from burnish.app.ceilings import day_ceiling
from burnish.app.choices import Agents
from burnish.app.estimate import estimate, lines
from burnish.app.notify import Notifier
from burnish.app.priced import check_prices
from burnish.app.queue_place import QueuePlace
from burnish.app.start import Hooks
from burnish.app.work import Pool, Show, Wanted
from burnish.config.load import Flag, Loaded
from burnish.errors import UsageError
from burnish.model.queue import TaskState, TaskView
from burnish.store.spending import typical


@dataclass(frozen=True)
class Asked:
    """As it was typed; `flags` are budgets of the day by key, `agents` for tasks that name none."""

    numbers: frozenset[int] = frozenset()
    everything: bool = False
    watch: bool = False
    jobs: int | None = None
    flags: dict[str, Flag] | None = None
    agents: dict[str, Flag] = field(default_factory=dict)


@dataclass(frozen=True)
class PoolPlan:
    pool: Pool
    wanted: Wanted
    estimate: tuple[str, ...]


async def plan_pool(here: QueuePlace, asked: Asked, show: Show, say: Callable[[str], None]) -> PoolPlan:
    loaded = await here.settings({**(asked.flags or {}), **asked.agents})
    settings = loaded.settings
    day = day_ceiling(settings.budget)
    wanted = Wanted(
        numbers=asked.numbers or None,
        most=None if asked.everything or asked.watch else len(asked.numbers) or 1,
        jobs=asked.jobs or settings.work.jobs,
        watch=asked.watch,
        stop_after=settings.work.stop_after_failures,
    )
    hooks = Hooks(own_signals=False, places=Places(settings.work.agents_at_once), day=day)
    pool = Pool(here, show, say, hooks, Notifier(settings.notify, here.place.environ), asked.agents)
    tasks = _coming(here, wanted)
    if tasks:
        _check_prices(loaded, here.place.environ)
    reviews = max((view.task.max_review_cycles for view in tasks if view.task.auto_review), default=0)
    found = estimate(typical(here.database), len(tasks), reviews)
    left = Allowance(here.database, day).left()
    return PoolPlan(pool, wanted, lines(found, left, wanted.jobs) if tasks else ())


def _check_prices(loaded: Loaded, environ: Mapping[str, str]) -> None:
    """Before the night, not in it: raises UsageError where a limit in dollars could not be kept by those who
    are asked where a task names nobody."""
    try:
        settings = decide(loaded, environ).settings
    except UsageError:
        # Each task may name its own.
        return
    named = settings.agents
    asked = Agents(named.implementer, named.reviewer, named.fixer or named.implementer)
    check_prices(settings, asked, environ)


def _coming(here: QueuePlace, wanted: Wanted) -> list[TaskView]:
    """What it would work on, with those that only wait for others of these."""
    able = [
        view
        for view in here.queue.all()
        if view.state in (TaskState.PENDING, TaskState.INTERRUPTED) and not view.blocked_by
    ]
    if wanted.numbers is not None:
        able = [view for view in able if view.number in wanted.numbers]
    return able[: wanted.most]
