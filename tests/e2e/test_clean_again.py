"""A clean that was cut short leaves nothing behind for good: the next one finishes it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.cli import burnish, program
from tests.repos import TestRepo, run_git

WRITER = "Path('app.py').write_text('x = 2\\n')\n"
APPROVES = "print('**Verdict: APPROVED**')\n"
BASES = "refs/burnish/base"


def test_pins_of_runs_that_a_clean_already_forgot_are_given_up_by_the_next(
    tmp_path: Path, repo: Callable[..., TestRepo]
) -> None:
    user = repo({"app.py": "x = 1\n"})
    state = tmp_path / "state"
    env = {"BURNISH_STATE": str(state)}
    agents = [
        f"--implementer={program(tmp_path / 'a', 'writer', WRITER)}",
        f"--reviewer={program(tmp_path / 'a', 'reviewer', APPROVES)}",
    ]
    end = burnish(user.path, "run", "Add it", *agents, "--land", "none", "--json", env=env).end
    [mirror] = state.glob("repos/*/mirror.git")
    # As after a kill: one run is forgotten but its pin is there, and one is noted that stays.
    for name in ("r-forgotten", "r-live"):
        run_git(mirror, f"--git-dir={mirror}", "update-ref", f"{BASES}/{name}/{user.head}", user.head)
    note = mirror.with_name("mirror.git.cleaning")
    note.write_text(f"r-forgotten\n{end['run']}")
    assert burnish(user.path, "clean", "--days", "9", env=env).code == 0
    pinned = run_git(mirror, f"--git-dir={mirror}", "for-each-ref", "--format=%(refname)").decode().split()
    assert sorted({ref.split("/")[3] for ref in pinned}) == sorted([end["run"], "r-live"])
    assert not note.exists()
