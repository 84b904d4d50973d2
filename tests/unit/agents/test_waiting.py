"""Limits: agents share places in a process, and the end of a limit with every process."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from burnish.agents._in_memory import ScriptedAgent
from burnish.agents._known_as import known_as
from burnish.agents._limited import LimitedAgent, Places
from burnish.agents._own_cooldowns import OwnCooldowns
from burnish.agents._patient import PatientAgent
from burnish.app.shared import Shared, wrap
from burnish.app.waiting import WaitingAgent
from burnish.errors import (
    AgentError,
    AgentFailed,
    AgentLimited,
    AgentMissing,
    AgentTimedOut,
    LimitOutlasts,
    UsageError,
)
from burnish.model.agent import Reply, Request, Usage
from burnish.model.agent_events import AgentTrouble
from burnish.model.step import Role
from burnish.ports import Agent
from burnish.store.cooldowns import Cooldowns, in_force
from burnish.store.database import Database, open_database
from burnish.store.spending import spent
from burnish.workflows.ask import ask
from tests.unit.agents.desk import Desk

REQUEST = Request(Role.REVIEW, "?", Path(), Path(), Path(), timeout_s=5.0)
HOUR = 3600.0


@dataclass
class Time:
    """Wall and monotonic time that pass only by sleeping; the wall clock can be set."""

    wall: datetime = field(default_factory=lambda: datetime.fromisoformat("2026-11-15T02:00:00Z"))
    passed: float = 100.0
    slept: list[float] = field(default_factory=list)

    def now(self) -> str:
        return self.wall.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def monotonic(self) -> float:
        return self.passed

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.passed += seconds
        self.wall += timedelta(seconds=seconds)


@dataclass
class Room:
    database: Database
    time: Time = field(default_factory=Time)
    notes: list[tuple[str, str]] = field(default_factory=list)

    async def report(self, key: str, text: str) -> None:
        self.notes.append((key, text))

    def patient(self, agent: Agent, longest_s: float = 6 * HOUR) -> PatientAgent:
        times = self.time
        return PatientAgent(
            agent, "codex", Cooldowns(self.database, times), self.report, longest_s,
            times.sleep, lambda: 0.0, times.monotonic,
        )  # fmt: skip


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    database = open_database(tmp_path / "burnish.db")
    yield Room(database)
    database.close()


def test_a_limit_is_waited_for_told_and_asked_again(room: Room) -> None:
    limit = AgentLimited("429", retry_after_s=90.0, usage=Usage(5, 0, 0.01, 2.0))
    agent = ScriptedAgent([limit, Reply("fine", usage=Usage(10, 10, 0.5, 3.0))])
    reply = asyncio.run(ask(room.patient(agent), REQUEST))
    assert reply.text == "fine"
    assert sum(room.time.slept) == 90.0
    until = datetime.fromisoformat("2026-11-15T02:01:30Z").astimezone().strftime("%H:%M:%S")
    assert [text for _, text in room.notes] == [f"waiting for codex until {until} (rate limit)"]
    # What the limited attempt spent is counted, the waiting is not.
    assert reply.usage == Usage(15, 10, 0.51, 5.0)


def test_without_a_time_given_it_waits_twice_as_long_each_time(room: Room) -> None:
    agent = ScriptedAgent([AgentLimited("quota"), AgentLimited("quota"), AgentLimited("quota"), "fine"])
    assert asyncio.run(ask(room.patient(agent), REQUEST)).text == "fine"
    assert sum(room.time.slept) == 60.0 + 120.0 + 240.0


def test_a_limit_that_lasts_longer_than_the_longest_wait_is_a_failure_at_once(room: Room) -> None:
    agent = ScriptedAgent([AgentFailed("usage limit reached, try again in 20 h"), "too late"])
    with pytest.raises(AgentLimited, match="is limited: the limit lasts until"):
        asyncio.run(ask(room.patient(agent), REQUEST))
    assert room.time.slept == []
    # Others know of it as well, and do not even ask.
    other = ScriptedAgent(["never"])
    with pytest.raises(AgentLimited):
        asyncio.run(ask(room.patient(other), REQUEST))
    assert other.requests == []


def test_a_wait_is_told_with_the_kind_of_limit_and_only_where_there_is_one(room: Room) -> None:
    quota = AgentLimited("used up", retry_after_s=90.0)
    quota.trouble = AgentTrouble.QUOTA
    assert asyncio.run(ask(room.patient(ScriptedAgent([quota, "fine"])), REQUEST)).text == "fine"
    assert [text.rpartition(" ")[2] for _, text in room.notes] == ["(quota)"]
    with pytest.raises(AgentLimited, match="used up"):
        asyncio.run(ask(room.patient(ScriptedAgent([quota]), longest_s=60.0), REQUEST))
    assert len(room.notes) == 1


@dataclass
class Alone:
    """A run that somebody looks at, with a time of its own."""

    room: Room

    def agent(self, answers: list[object], alone_s: float = 900.0) -> tuple[Agent, ScriptedAgent]:
        scripted = ScriptedAgent(answers)  # type: ignore[arg-type]
        room, times = self.room, self.room.time
        found = wrap(scripted, Shared(room.database, alone_s=alone_s), room.report)
        assert isinstance(found, WaitingAgent)
        assert isinstance(found.inner, PatientAgent)
        patient = replace(
            found.inner, cooldowns=OwnCooldowns(times.monotonic), sleep=times.sleep, chance=lambda: 0.0,
            monotonic=times.monotonic,
        )  # fmt: skip
        return replace(found, inner=patient), scripted


RUN = replace(REQUEST, variables={"BURNISH_RUN": "r-1", "BURNISH_CYCLE": "1"})


def test_a_run_that_is_alone_waits_for_a_limit_whose_end_was_told(room: Room) -> None:
    agent, scripted = Alone(room).agent([AgentLimited("429", retry_after_s=20.0), "fine"])
    assert asyncio.run(ask(agent, RUN)).text == "fine"
    assert (sum(room.time.slept), len(scripted.requests)) == (20.0, 2)
    assert room.notes[0][1].startswith("waiting for ")
    # Nobody else is told: whoever starts another run wants to know how it is then.
    assert in_force(room.database, room.time.now()) == ()


def test_a_limit_that_outlasts_it_leaves_the_run_to_be_resumed_and_names_the_command(room: Room) -> None:
    limit = AgentLimited("429", retry_after_s=1000.0, usage=Usage(70, 0, 0.1))
    agent, scripted = Alone(room).agent([limit, "never"])
    with pytest.raises(LimitOutlasts, match="the limit lasts until") as found:
        asyncio.run(ask(agent, RUN))
    assert "burnish resume r-1" in found.value.hint
    assert (room.time.slept, len(scripted.requests)) == ([], 1)
    assert spent(room.database, ["r-1"]).tokens == 70


def test_it_asks_five_times_at_most_and_never_waits_longer_than_agents_may_work(room: Room) -> None:
    limits = [AgentLimited("429", retry_after_s=2.0)] * 9
    agent, scripted = Alone(room).agent([*limits])
    with pytest.raises(LimitOutlasts, match="asked 5 times"):
        asyncio.run(ask(agent, RUN))
    assert len(scripted.requests) == 5
    short, asked = Alone(room).agent([AgentLimited("429", retry_after_s=20.0), "fine"], alone_s=10.0)
    with pytest.raises(LimitOutlasts):
        asyncio.run(ask(short, RUN))
    assert len(asked.requests) == 1


def test_alone_it_does_not_wait_where_no_time_was_told_or_the_service_is_overloaded(room: Room) -> None:
    overloaded = AgentLimited("overloaded", retry_after_s=2.0)
    overloaded.trouble = AgentTrouble.OVERLOADED
    for error in (AgentLimited("quota"), overloaded, AgentFailed("a bug")):
        agent, scripted = Alone(room).agent([error, "never"])
        with pytest.raises(AgentError) as found:
            asyncio.run(ask(agent, RUN))
        assert found.value is error
        assert len(scripted.requests) == 1
    assert room.time.slept == []


def test_alone_a_sure_rate_limit_is_waited_for_without_a_time_and_a_quota_is_left_to_be_resumed(
    room: Room,
) -> None:
    rate, quota = AgentLimited("429"), AgentLimited("quota")
    rate.trouble, quota.trouble = AgentTrouble.RATE_LIMIT, AgentTrouble.QUOTA
    agent, _ = Alone(room).agent([rate, rate, "fine"])
    assert asyncio.run(ask(agent, RUN)).text == "fine"
    assert sum(room.time.slept) == 60.0 + 120.0
    agent, scripted = Alone(room).agent([quota, "never"])
    with pytest.raises(LimitOutlasts, match="until when was not told"):
        asyncio.run(ask(agent, RUN))
    assert len(scripted.requests) == 1


def test_waits_together_are_bounded(room: Room) -> None:
    agent = ScriptedAgent([AgentLimited("429", retry_after_s=2 * HOUR)] * 10)
    with pytest.raises(AgentLimited, match=r"is limited after waiting 21600 s"):
        asyncio.run(ask(room.patient(agent), REQUEST))
    assert len(agent.requests) == 4


def test_words_that_only_sound_like_a_limit_are_believed_a_few_times(room: Room) -> None:
    agent = ScriptedAgent([AgentFailed("ended with status 1: could not add rate limit to api.py")] * 20)
    with pytest.raises(AgentLimited):
        asyncio.run(ask(room.patient(agent), REQUEST))
    assert len(agent.requests) == 6


@pytest.mark.parametrize(
    "error", [AgentFailed("a bug"), AgentMissing("no program"), AgentTimedOut("late: rate limit")]
)
def test_any_other_failure_stands_as_it_is(room: Room, error: AgentError) -> None:
    with pytest.raises(type(error)) as raised:
        asyncio.run(ask(room.patient(ScriptedAgent([error, "no"])), REQUEST))
    assert raised.value is error
    assert in_force(room.database, room.time.now()) == ()


def test_a_clock_set_back_does_not_make_it_wait_longer(room: Room) -> None:
    times = room.time
    ordinary = times.sleep

    async def set_back(seconds: float) -> None:
        await ordinary(seconds)
        times.wall -= timedelta(hours=3)

    patient = replace(
        room.patient(ScriptedAgent([AgentLimited("429", retry_after_s=60.0), "ok"])), sleep=set_back
    )
    assert asyncio.run(ask(patient, REQUEST)).text == "ok"
    assert sum(times.slept) == 60.0
    # It has been waited for: nobody else does it again.
    assert in_force(room.database, times.now()) == ()


def test_a_clock_set_back_by_days_ends_every_cooldown(room: Room) -> None:
    asyncio.run(Cooldowns(room.database, room.time).cool("codex", 60.0, "rate limit"))
    assert len(in_force(room.database, room.time.now())) == 1
    room.time.wall -= timedelta(days=365)
    assert in_force(room.database, room.time.now()) == ()
    assert asyncio.run(ask(room.patient(ScriptedAgent(["ok"])), REQUEST)).text == "ok"
    assert room.time.slept == []


def test_a_later_end_set_by_somebody_else_is_kept_and_seen_while_waiting(room: Room) -> None:
    cooldowns, times = Cooldowns(room.database, room.time), room.time
    ordinary = times.sleep

    async def busy(seconds: float) -> None:
        await ordinary(seconds)
        if len(times.slept) == 1:
            await cooldowns.cool("codex", 100.0, "rate limit")
            assert (await cooldowns.cool("codex", 5.0, "sooner")).why == "rate limit"

    async def scenario() -> None:
        await cooldowns.cool("codex", 30.0, "rate limit")
        await ask(replace(room.patient(ScriptedAgent(["ok"])), sleep=busy), REQUEST)

    asyncio.run(scenario())
    assert sum(times.slept) == 120.0
    assert len(room.notes) == 2


def test_the_next_try_of_every_agent_can_be_shown(room: Room) -> None:
    async def scenario() -> None:
        await Cooldowns(room.database, room.time).cool("codex", 600.0, "rate limit")
        await Cooldowns(room.database, room.time).cool("claude", 60.0, "rate limit")

    asyncio.run(scenario())
    found = in_force(room.database, room.time.now())
    assert [(one.agent, one.until, one.left_s) for one in found] == [
        ("claude", "2026-11-15T02:01:00.000Z", 60.0),
        ("codex", "2026-11-15T02:10:00.000Z", 600.0),
    ]
    assert [one.agent for one in in_force(room.database, "2026-11-15T02:01:00.000Z")] == ["codex"]


def test_another_process_waits_as_well_and_waiting_can_be_cancelled(room: Room, tmp_path: Path) -> None:
    child = (
        "import asyncio, sys; from pathlib import Path\n"
        "from burnish.store.database import open_database; from burnish.store.cooldowns import Cooldowns\n"
        "asyncio.run(Cooldowns(open_database(Path(sys.argv[1]))).cool('codex', 1000, 'rate limit'))\n"
    )
    subprocess.run([sys.executable, "-c", child, str(tmp_path / "burnish.db")], check=True)
    agent = ScriptedAgent(["never"])
    patient = PatientAgent(agent, "codex", Cooldowns(room.database), room.report)

    async def scenario() -> None:
        asking = asyncio.ensure_future(ask(patient, REQUEST))
        while not room.notes:
            await asyncio.sleep(0.01)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking

    asyncio.run(asyncio.wait_for(scenario(), 20))
    assert agent.requests == []


class Counting:
    """An agent that knows how many of it work at once."""

    name = "claude"

    def __init__(self) -> None:
        self.now = self.most = self.done = 0

    def check(self) -> None:
        """It is there."""

    def session(self) -> Counting:
        return self

    async def spawn(self, request: Request) -> None:
        self.now += 1
        self.most = max(self.most, self.now)

    async def wait(self, timeout_s: float) -> Reply | None:
        await asyncio.sleep(0.01)
        self.done += 1
        if self.done % 3 == 0:
            raise AgentFailed("now and then")
        return Reply("ok")

    async def send(self, text: str) -> None:
        """Nobody listens."""

    async def close(self) -> None:
        self.now -= 1


def test_no_more_than_so_many_work_at_once_whatever_becomes_of_them() -> None:
    async def scenario() -> Counting:
        agent = Counting()
        places = Places(["claude=2", "codex=1"])
        assert places.of("gemini") is None
        room = places.of("claude")
        assert room is not None
        limited = LimitedAgent(agent, room)
        asking = [asyncio.ensure_future(ask(limited, REQUEST)) for _ in range(12)]
        await asyncio.sleep(0.005)
        asking[0].cancel()
        asking[5].cancel()
        await asyncio.gather(*asking, return_exceptions=True)
        assert agent.done >= 10
        assert not room.locked()
        return agent

    assert asyncio.run(scenario()).most == 2


@pytest.mark.parametrize("text", ["claude", "claude=0", "claude=-1", "=2", "claude=2x", "", "a b=2"])
def test_a_limit_in_another_form_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(
        UsageError, match=r"work\.agents_at_once takes NAME=NUMBER, once for each agent, found"
    ):
        Places([text])
    with pytest.raises(UsageError, match="a second time"):
        Places(["claude=2", "claude=3"])


def test_an_agent_is_known_by_its_program_unless_that_only_runs_another(desk: Desk) -> None:
    named = {
        "/usr/local/bin/codex exec -": "codex",
        "retry:3:claude -p": "claude",
        "python3 agent.py": "python3 agent.py",
        "/bin/sh -c 'x'": "/bin/sh -c 'x'",
        "fallback:claude|codex": "fallback:claude|codex",
    }
    assert {spec: known_as(desk.agent(spec)) for spec in named} == named


def test_real_programs_wait_for_a_limit_and_for_their_places(desk: Desk, room: Room) -> None:
    """A program that says 429 the first time, and answers then; two of them have one place."""
    script = desk.root / "codex"
    script.write_text(
        "#!/bin/sh\nif mkdir seen 2>/dev/null; then echo 'HTTP 429, retry after 0.6' >&2; exit 1; fi\n"
        "sleep 0.2; echo done\n"
    )
    script.chmod(0o755)
    shared = Shared(room.database, Places(["codex=1"]))
    agent = wrap(desk.agent(str(script)), shared, room.report)

    async def scenario() -> tuple[Reply, Reply]:
        first, second = await asyncio.gather(ask(agent, desk.request()), ask(agent, desk.request()))
        return first, second

    began = time.monotonic()
    replies = asyncio.run(scenario())
    assert [reply.text for reply in replies] == ["done\n", "done\n"]
    assert time.monotonic() - began >= 0.6 + 0.2 + 0.2
    assert all(reply.usage.seconds >= 0.2 for reply in replies)
    assert room.notes[0][1].startswith("waiting for codex until ")


def test_what_a_fallback_or_a_retry_spent_in_vain_is_counted(desk: Desk) -> None:
    fail = desk.root / "fail"
    fail.write_text(
        '#!/bin/sh\necho \'{"cost_usd": 0.5}\' > "$BURNISH_USAGE"\n'
        'if [ -n "$1" ] && [ -e tried ]; then exit 0; fi; : > tried\n'
        "echo 'error 429: retry after 0.01' >&2; exit 1\n"
    )
    fail.chmod(0o755)
    assert desk.ask(f"fallback:{fail}|/bin/echo yes").usage.cost_usd == 0.5
    (desk.workspace / "tried").unlink()
    with pytest.raises(AgentFailed) as nobody:
        desk.ask(f"fallback:{fail}|{fail}")
    assert nobody.value.usage.cost_usd == 1.0
    (desk.workspace / "tried").unlink()
    assert desk.ask(f"retry:2:{fail} again").usage.cost_usd == 1.0
