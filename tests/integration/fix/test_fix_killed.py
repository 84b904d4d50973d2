"""`kill -9` at any moment of a fix session, then the same call again: as if nothing had happened."""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from burnish.model.events import StepFinished
from tests.integration.fix.session import AFTER, FILES, Deed, in_a_process, recorded
from tests.repos import TestRepo, run_git

SUBJECTS = [
    "fix(quality): BAD code [qual-001-0a1b2c3d]",
    "fix(quality): BAD code [qual-004-0a1b2c3d]",
    "fix(quality): BAD code [qual-003-0a1b2c3d]",
    "fix(maintainability): UGLY code [qual-002-0a1b2c3d]",
]
# Read now: tests see nothing of Burnish in their environment.
ALL_POINTS = bool(os.environ.get("BURNISH_ALL_POINTS"))


def check_end(state: Path) -> None:
    """The files, the commits and the steps of an undisturbed session: each exactly once."""
    [store] = state.glob("repos/*/runs/*/run.git")

    def git(*args: str) -> str:
        return run_git(store, f"--git-dir={store}", *args).decode().rstrip("\n")

    head = "refs/burnish/head"
    assert git("log", "--reverse", "--format=%s", head).splitlines() == ["first", *SUBJECTS]
    names = git("ls-tree", "-r", "--name-only", head).split()
    assert {name: git("cat-file", "blob", f"{head}:{name}") + "\n" for name in names} == AFTER
    trailers = git("log", "--format=%(trailers:key=Step-Id,valueonly,separator=%x2C)", head).split()
    assert len(trailers) == len(set(trailers)) == len(SUBJECTS)
    steps = [entry.event for entry in recorded(state) if isinstance(entry.event, StepFinished)]
    assert [key for key, times in Counter(step.step.key for step in steps).items() if times > 1] == []
    [summary] = [step.result for step in steps if step.step.phase == "summary"]
    assert summary["commit"] == git("rev-parse", head)
    results = {
        fix["finding_id"][:8]: (fix["result"], fix["attempts"])
        for group in summary["groups"]
        for fix in group["fixes"]
    }
    assert results == {
        "qual-002": ("fixed", 2), "qual-001": ("fixed", 1), "qual-004": ("fixed", 1), "qual-003": ("fixed", 1),
        "qual-005": ("failed", 1),
    }  # fmt: skip


def test_a_session_killed_at_a_side_effect_goes_on_to_the_same_end(
    repo: Callable[..., TestRepo], tmp_path: Path
) -> None:
    user = repo(FILES)
    code, points = in_a_process(Deed(str(user.path), str(tmp_path / "whole")))
    assert code == 0
    check_end(tmp_path / "whole")
    first = {name: number for number, name in reversed(list(enumerate(points, 1)))}
    some = {round(len(points) * part / 3) for part in range(1, 3)}
    chosen = sorted({*some, *(first[name] for name in KINDS)})
    if ALL_POINTS:
        chosen = list(range(1, len(points) + 1))
    for number in chosen:
        state = tmp_path / f"state-{number}"
        deed = Deed(str(user.path), str(state), number)
        killed, _ = in_a_process(deed)
        # Groups work side by side, so a point near the end may not come at all.
        assert killed in (-signal.SIGKILL, 0), points[number - 1]
        resumed, _ = in_a_process(Deed(str(user.path), str(state)))
        assert resumed == 0, points[number - 1]
        check_end(state)
    assert user.git("status", "--porcelain") == ""


KINDS = (
    "workspaces.commit:after",
    "workspaces.advance:before",
    "workspaces.advance:after",
    "work:done",
    "step_finished:written",
)
