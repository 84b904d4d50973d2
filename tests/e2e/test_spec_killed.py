"""`kill -9` at any side effect of `burnish spec`, then `--resume`: as if nothing had happened."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from burnish.model.events import StepFinished
from burnish.store.database import open_database
from burnish.store.leases import this_process
from burnish.store.queries import list_runs, run_events
from tests.e2e.spec_killer import SpecDeed
from tests.repos import TestRepo
from tests.specs import MEET, SIDE_BY_SIDE, WRITER, Specs

BRANCH = "burnish/spec-042-login"
TEXT = "# Spec 042: Login\n\n## Phase 1: Model\n\nMake it.\n\n## Phase 2: View\n\nMake it.\n"
NAMES = ((1, "Model"), (2, "View"))
# Read now: tests see nothing of Burnish in their environment.
ALL_POINTS = bool(os.environ.get("BURNISH_ALL_POINTS"))


def test_a_session_killed_at_a_side_effect_goes_on_to_the_same_end(
    tmp_path: Path, repo: Callable[..., TestRepo]
) -> None:
    specs = Specs(tmp_path / "agents", repo({"specs/042-login.md": TEXT, "app.py": "start\n"}))
    flags = {f"agents.{role}": command for role, command in specs.agents.items()} | {"sandbox.mode": "off"}
    deed = SpecDeed(str(specs.repo.path), str(tmp_path / "whole"), specs.document, flags)
    code, points = deed.do()
    assert code == 0
    check_end(specs, tmp_path / "whole")
    # The landings, and what is recorded before the first and after the last; all others take minutes.
    landings = [number for number, name in enumerate(points, 1) if name.startswith("lander.")]
    chosen = sorted({landings[0] - 2, *landings, landings[-1] + 2})
    if ALL_POINTS:
        chosen = list(range(1, len(points) + 1))
    assert len(chosen) >= 6
    for number in chosen:
        state = tmp_path / f"state-{number}"
        killed, _ = replace(deed, state=str(state), deadly=number).do()
        assert killed == -signal.SIGKILL, points[number - 1]
        # Killed before the session was recorded, the user starts it again; after its end, there is nothing to do.
        begun = any(name.startswith("run_started") for name in points[: number - 1])
        if not begun or not ended(state):
            code, _ = replace(deed, state=str(state), resume=has_session(state)).do()
            assert code == 0, (number, points[number - 1])
        check_end(specs, state)


def test_a_phase_that_was_rebased_and_not_recorded_is_not_put_there_twice(
    tmp_path: Path, repo: Callable[..., TestRepo]
) -> None:
    specs = Specs(tmp_path / "agents", repo({"specs/042-login.md": SIDE_BY_SIDE, "app.py": "start\n"}))
    specs.agent("implementer", MEET.format(place=str(tmp_path)) + WRITER)
    flags = {f"agents.{role}": command for role, command in specs.agents.items()} | {"sandbox.mode": "off"}
    state = str(tmp_path / "state")
    deed = SpecDeed(str(specs.repo.path), state, specs.document, flags, named="lander.move:after", jobs=2)
    killed, _ = deed.do()
    assert killed == -signal.SIGKILL
    before = specs.repo.git("rev-parse", BRANCH)
    code, _ = replace(deed, named="", resume=True).do()
    assert code == 0
    assert specs.repo.git("rev-parse", BRANCH) == before
    assert sorted(specs.subjects()) == [f"spec(042): IMPLEMENT phase-{num} - {name}" for num, name in NAMES]
    assert len(specs.steps) == 4


def runs_in(state: Path) -> list[tuple[str, str | None, list[str]]]:
    """Run, outcome and the keys of its finished steps."""
    found = []
    for path in state.glob("repos/*/burnish.db"):
        with closing(open_database(path)) as database:
            for view in list_runs(database, this_process()):
                events = [recorded.event for recorded in run_events(database, view.id)]
                keys = [event.step.key for event in events if isinstance(event, StepFinished)]
                found.append((view.title, view.outcome, keys))
    return found


def has_session(state: Path) -> bool:
    return any(title == "Login" for title, _, _ in runs_in(state))


def ended(state: Path) -> bool:
    return any(title == "Login" and outcome for title, outcome, _ in runs_in(state))


def check_end(specs: Specs, state: Path) -> None:
    """One session and one run a phase, no step twice; each commit once, with its signals. Then all is removed."""
    runs = runs_in(state)
    assert sorted((title, outcome) for title, outcome, _ in runs) == [
        ("Login", "passed"),
        ("Model", "passed"),
        ("View", "passed"),
    ]
    assert all(len(keys) == len(set(keys)) for _, _, keys in runs)
    assert specs.subjects() == ["spec(042): IMPLEMENT phase-1 - Model", "spec(042): IMPLEMENT phase-2 - View"]
    assert [name for name in specs.listing if name.startswith(".signals")] == [
        ".signals/phase-1-review-1.done",
        ".signals/phase-2-review-1.done",
    ]
    assert specs.repo.branches == [BRANCH, "main"]
    specs.repo.git("update-ref", "-d", f"refs/heads/{BRANCH}")
    specs.forget_sessions()
