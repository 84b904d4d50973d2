"""A repository and three agents that take three cycles, run in a process that can be killed at any side effect."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from burnish.model.events import RunFinished, StepFinished
from burnish.model.run_view import RunView
from burnish.store.database import open_database
from burnish.store.leases import this_process
from burnish.store.queries import list_runs, run_events
from tests.cli import PROCESSES as PROCESSES
from tests.cli import program, until_killed
from tests.e2e.killer import Deed, commit
from tests.repos import TestRepo

# No two answers of this agent are the same: a step that was done again would show.
WRITER = (
    "line = f'{role} {cycle} {os.urandom(8).hex()}\\n'\n"
    "Path('app.py').write_text(Path('app.py').read_text() + line)\nprint('done')\n"
)
REVIEWER = "print('**Verdict: APPROVED**' if cycle == 3 else f'- not yet {cycle}\\n\\n**Verdict: CHANGES_REQUESTED**')\n"
EXPECTED = ["start", "implement 1", "fix 1", "fix 2"]
SUBJECTS = ["Address review feedback (cycle 2)", "Address review feedback (cycle 1)", "Add lines", "first"]


class Bench:
    """A repository and three agents that take three cycles."""

    def __init__(self, folder: Path, repo: TestRepo) -> None:
        self.repo = repo
        self.flags = {
            "agents.implementer": program(folder / "agents", "writer", WRITER),
            "agents.reviewer": program(folder / "agents", "reviewer", REVIEWER),
            "gate.command": "grep -q start app.py",
            # The guard starts several times faster than the sandbox, and this is about the journal.
            "sandbox.mode": "off",
        }

    def do(self, state: Path, *, deadly: int = 0, resume: str = "") -> tuple[int | None, list[str]]:
        """Run or resume in a process of its own: how it ended, and its side effects if it was not killed."""
        return until_killed(commit, Deed(str(self.repo.path), str(state), self.flags, resume, deadly))

    def run_in(self, state: Path) -> RunView | None:
        """The one run of a state folder, if it got as far as being recorded."""
        for path in state.glob("repos/*/burnish.db"):
            with closing(open_database(path)) as database:
                found = list_runs(database, this_process())
                assert len(found) <= 1
                return found[0] if found else None
        return None

    def finished_in(self, state: Path) -> list[StepFinished]:
        """The steps that were recorded as finished, in their order."""
        run = self.run_in(state)
        if run is None:
            return []
        [path] = state.glob("repos/*/burnish.db")
        with closing(open_database(path)) as database:
            events = [recorded.event for recorded in run_events(database, run.id)]
        return [event for event in events if isinstance(event, StepFinished)]

    def check_end(self, state: Path) -> None:
        """The one run there is has passed, with the tree, the commits and the reviews of an undisturbed one."""
        run = self.run_in(state)
        assert run is not None
        assert (run.outcome, run.cycles, run.fixes) == ("passed", 3, 2)
        lines = self.repo.git("show", f"{run.branch}:app.py").splitlines()
        assert [" ".join(line.split()[:2]) for line in lines] == EXPECTED
        assert self.repo.git("log", "--format=%s", str(run.branch)).splitlines() == SUBJECTS
        [path] = state.glob("repos/*/burnish.db")
        with closing(open_database(path)) as database:
            events = [recorded.event for recorded in run_events(database, run.id)]
        finished = [event.step.key for event in events if isinstance(event, StepFinished)]
        assert len(finished) == len(set(finished)), "a step was finished twice"
        assert sum(isinstance(event, RunFinished) for event in events) == 1
        self.repo.git("update-ref", "-d", f"refs/heads/{run.branch}")
