"""What runs share with each other: agents' places, the limits they reported, and the day's budget."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from burnish.agents._known_as import each_part, known_as
from burnish.agents._limited import LimitedAgent, Places
from burnish.agents._own_cooldowns import OwnCooldowns
from burnish.agents._patient import PatientAgent, Report
from burnish.app.allowance import Allowance, AllowedAgent
from burnish.app.waiting import WaitingAgent
from burnish.model.ceiling import Ceiling
from burnish.model.cooldown import LONGEST_WAIT_S, RUN_ASKS
from burnish.ports import Agent
from burnish.store.cooldowns import Cooldowns
from burnish.store.database import Database


@dataclass(frozen=True)
class Shared:
    """`places` are this process's, the rest is in the database; `day` is what may be spent in 24 hours.

    Without `places` a run is alone: a person waits for it. `alone_s` is how long it waits for the end of a
    limit; None: not at all, a limit is a failure like any other.
    """

    database: Database
    places: Places | None = None
    day: Ceiling = field(default_factory=Ceiling)
    longest_wait_s: float = LONGEST_WAIT_S
    alone_s: float | None = None


def unwatched(agent: Agent) -> Agent:
    return agent


def wrap(
    agent: Agent, shared: Shared, report: Report, watched: Callable[[Agent], Agent] = unwatched
) -> Agent:
    """Waits for the end of limits, then for a place, then looks whether the day's budget still lasts.

    `watched` goes around the agent itself, so that it sees nothing of the time spent waiting.
    """

    whole, cooldowns = known_as(agent), Cooldowns(shared.database)

    async def cools() -> bool:
        return await cooldowns.of(whole) is not None

    def part(inner: Agent) -> Agent:
        name, found = known_as(inner), watched(inner)
        if not shared.day.open:
            found = AllowedAgent(found, Allowance(shared.database, shared.day))
        room = shared.places.of(name) if shared.places else None
        # What cools down is the whole agent: a part of a fallback may be asked although another is limited.
        return found if room is None else LimitedAgent(found, room, cools if name == whole else None)

    parts = each_part(agent, part)
    if shared.places is not None:
        return PatientAgent(parts, whole, cooldowns, report, longest_s=shared.longest_wait_s)
    return parts if shared.alone_s is None else waiting_alone(parts, whole, shared, report)


def waiting_alone(agent: Agent, known_as: str, shared: Shared, report: Report) -> Agent:
    """What other runs were told is not asked for: whoever starts a run wants to know how it is now."""
    assert shared.alone_s is not None
    patient = PatientAgent(
        agent, known_as, OwnCooldowns(), report, longest_s=shared.alone_s, most_asks=RUN_ASKS
    )
    return WaitingAgent(patient, Allowance(shared.database, Ceiling()))
