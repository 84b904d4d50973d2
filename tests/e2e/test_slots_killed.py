"""`kill -9` at any side effect of `burnish slots`, then `--resume`: as if nothing had happened."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from burnish.model.events import StepFinished
from burnish.store.database import open_database
from burnish.store.leases import this_process
from burnish.store.queries import list_runs, run_events
from tests.e2e.killer import checkouts
from tests.e2e.slots_killer import SlotsDeed
from tests.repos import TestRepo
from tests.slots import DRIFTS_ONCE, WRITER, Slots, bead

Repos = Callable[..., TestRepo]
# Read now: tests see nothing of Burnish in their environment.
ALL_POINTS = bool(os.environ.get("BURNISH_ALL_POINTS"))
# Once, in one of its phases, an agent kills who started it.
KILL = """
killed = log.parent / 'killed'
if role == {phase!r} and not killed.exists():
    killed.touch()
    os.kill(int(Path({pid!r}).read_text()), {signal})
    time.sleep(60)
"""


def deed_of(slots: Slots, state: Path) -> SlotsDeed:
    flags = {f"agents.{role}": command for role, command in slots.agents.items()} | {"sandbox.mode": "off"}
    return SlotsDeed(str(slots.repo.path), str(state), flags)


def test_a_session_killed_at_a_side_effect_goes_on_to_the_same_end(tmp_path: Path, repo: Repos) -> None:
    slots = Slots(tmp_path / "agents", repo({"app.py": "start\n"}))
    slots.beads(bead("bd-1"))
    deed = deed_of(slots, tmp_path / "whole")
    code, points = deed.do()
    assert code == 0
    check_end(slots, tmp_path / "whole")
    # The branch is made, its move is done, and that is recorded; all others take minutes.
    landings = [at for at, name in enumerate(points, 1) if name.startswith(("lander.", "advancing.advance"))]
    chosen = sorted({landings[1], landings[-1], landings[-1] + 2})
    if ALL_POINTS:
        chosen = list(range(1, len(points) + 1))
    assert len(chosen) == 3 or ALL_POINTS
    for number in chosen:
        state = tmp_path / f"state-{number}"
        killed, _ = replace(deed, state=str(state), deadly=number).do()
        assert killed == -signal.SIGKILL, points[number - 1]
        if not ended(state):
            code, _ = replace(deed, state=str(state), resume=has_session(state)).do()
            assert code == 0, (number, points[number - 1])
        check_end(slots, state)


@pytest.mark.parametrize("phase", ["implement", "review", "fix"])
def test_a_session_killed_while_an_agent_works_repeats_only_that_step(
    tmp_path: Path, repo: Repos, phase: str
) -> None:
    slots = Slots(tmp_path / "agents", repo({"app.py": "start\n"}))
    slots.beads(bead("bd-1"))
    pid = str(tmp_path / "pid")
    kill = KILL.format(phase=phase, pid=pid, signal=int(signal.SIGKILL))
    slots.agent("implementer", kill + WRITER)
    slots.agent("reviewer", kill + DRIFTS_ONCE)
    deed = replace(deed_of(slots, tmp_path / "state"), pid=pid)
    assert deed.do()[0] == -signal.SIGKILL
    assert replace(deed, resume=True).do()[0] == 0
    steps = [f"bd-1-{step}" for step in ("implement-1", "review-1", "fix-1", "review-2")]
    at = ("implement", "review", "fix").index(phase)
    assert slots.asked == steps[: at + 1] + steps[at:]
    assert slots.landed() == ["Add bd-1"]
    assert checkouts(tmp_path / "state") == []


def runs_in(state: Path) -> list[tuple[str, str | None, list[str]]]:
    """Title, outcome and the keys of the finished steps of each run."""
    found = []
    for path in state.glob("repos/*/burnish.db"):
        with closing(open_database(path)) as database:
            for view in list_runs(database, this_process()):
                events = [recorded.event for recorded in run_events(database, view.id)]
                keys = [event.step.key for event in events if isinstance(event, StepFinished)]
                found.append((view.title, view.outcome, keys))
    return found


def has_session(state: Path) -> bool:
    return any(title == "burnish slots" for title, _, _ in runs_in(state))


def ended(state: Path) -> bool:
    return any(title == "burnish slots" and outcome for title, outcome, _ in runs_in(state))


def check_end(slots: Slots, state: Path) -> None:
    """One session and one run a bead, no step twice, each landed once. Then all is removed."""
    runs = runs_in(state)
    assert sorted((title, outcome) for title, outcome, _ in runs) == [
        ("Add bd-1", "passed"),
        ("burnish slots", "passed"),
    ]
    assert all(len(keys) == len(set(keys)) for _, _, keys in runs)
    assert slots.landed() == ["Add bd-1"]
    assert slots.repo.branches == sorted([slots.branch, "main"])
    assert checkouts(state) == []
    slots.repo.git("update-ref", "-d", f"refs/heads/{slots.branch}")
