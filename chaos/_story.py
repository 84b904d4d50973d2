"""A user with work in progress, whole runs that land there either way, and how all of it must look afterwards."""

from __future__ import annotations

import shutil
from contextlib import closing
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from tests.cli import program
from tests.e2e.bench import PROCESSES, Bench
from tests.e2e.killer import Deed, attempt
from tests.integration.process.leftovers import gone
from tests.repos import TestRepo, make_repo, run_git

from burnish.model.events import RunFinished, StepFinished
from burnish.model.run_view import RunView
from burnish.store.database import open_database
from burnish.store.queries import run_events

FILES = {"app.py": "start\n", "doc.md": "doc\n", "gone.py": "x\n", ".gitignore": "*.log\n"}
# Changes a file, adds one in a new folder and removes one; no two answers are the same.
WRITER = (
    "line = f'{role} {cycle} {os.urandom(8).hex()}\\n'\n"
    "Path('app.py').write_text(Path('app.py').read_text() + line)\n"
    "Path('new').mkdir(exist_ok=True)\nPath('new/file.py').write_text('new\\n')\n"
    "Path('gone.py').unlink(missing_ok=True)\nprint('done')\n"
)
REVIEWER = (
    "print('**Verdict: APPROVED**' if cycle == {cycles} else "
    "f'- not yet {{cycle}}\\n\\n**Verdict: CHANGES_REQUESTED**')\n"
)
BY_THE_RUN = {"app.py", "new/file.py", "gone.py"}
PATIENCE_S = 120


def in_progress(folder: Path) -> TestRepo:
    """A stash, a tag, a hook, staged, unstaged, untracked and ignored work."""
    user = make_repo(folder, FILES)
    user.git("tag", "v1")
    user.write("doc.md", "stashed\n")
    user.git("stash")
    user.write("doc.md", "staged\n")
    user.git("add", "doc.md")
    user.write("doc.md", "staged\nand more\n")
    user.write("app.py", "start\nmine\n")
    user.write("mine.txt", "mine\n")
    user.write("build.log", "ignored\n")
    user.write(".git/hooks/pre-commit", "#!/bin/sh\n", mode=0o755)
    return user


@dataclass(frozen=True)
class Ended:
    """How one life of the orchestrator ended; `said` is its sentence, when it had one."""

    code: int | None
    said: str


class Story:
    """One run in a copy of that repository, lived through as many lives of the orchestrator as it takes."""

    def __init__(self, folder: Path, template: TestRepo, land: str, cycles: int, tools: str = "") -> None:
        self.folder, self.state = folder, folder / "state"
        shutil.copytree(template.path, folder / "repo", symlinks=True)
        self.user = TestRepo(folder / "repo")
        self.bench = Bench(folder, self.user)
        self.land, self.cycles, self.tools = land, cycles, tools
        self.flags: dict[str, Any] = self.bench.flags | {
            "agents.implementer": program(folder / "agents", "writer", WRITER),
            "agents.reviewer": program(folder / "agents", "reviewer", REVIEWER.format(cycles=cycles)),
            "land.how": land,
        }
        self.before = self.user.fingerprint()

    def begin(self) -> tuple[BaseProcess, Any]:
        """What a person would do: resume what there is, or run it again."""
        run = self.run
        reader, writer = PROCESSES.Pipe(duplex=False)
        deed = Deed(str(self.user.path), str(self.state), self.flags, run.id if run else "", tools=self.tools)
        child = PROCESSES.Process(target=attempt, args=(deed, writer))
        child.start()
        writer.close()
        return child, reader

    def live(self) -> Ended:
        """One life, to whatever end it comes."""
        child, reader = self.begin()
        child.join(PATIENCE_S)
        if child.exitcode is None:
            child.kill()
            child.join()
            raise AssertionError(f"nothing within {PATIENCE_S} s")
        with closing(reader):
            try:
                said = reader.recv()
            except EOFError:
                said = ""
        return Ended(child.exitcode, said)

    @property
    def run(self) -> RunView | None:
        return self.bench.run_in(self.state)

    @property
    def is_over(self) -> bool:
        run = self.run
        return run is not None and run.outcome is not None

    def check(self) -> None:
        """Passed once, landed once, nothing else of the user's changed, all in order, and nobody left."""
        run = self.run
        assert run is not None, "there is no run"
        assert (run.outcome, run.cycles) == ("passed", self.cycles), (
            f"{run.outcome} after {run.cycles} cycles"
        )
        self.check_steps(run)
        writers = ["implement 1", *(f"fix {number}" for number in range(1, self.cycles))]
        changed = differing(self.before, self.user.fingerprint())
        if self.land == "branch":
            assert changed == set(), f"changed in the user's repository: {sorted(changed)}"
            self.check_branch(str(run.branch), writers)
        else:
            assert changed == BY_THE_RUN, f"changed in the user's repository: {sorted(changed)}"
            assert self.user.branches == ["main"], f"branches: {self.user.branches}"
            check_lines((self.user.path / "app.py").read_text(), ["start", "mine", *writers])
        self.check_order(run.id)
        left = gone(str(self.folder))
        assert left == {}, f"left behind: {left}"

    def check_steps(self, run: RunView) -> None:
        [path] = self.state.glob("repos/*/burnish.db")
        with closing(open_database(path)) as database:
            events = [recorded.event for recorded in run_events(database, run.id)]
        finished = [event.step.key for event in events if isinstance(event, StepFinished)]
        assert len(finished) == len(set(finished)), "a step was finished twice"
        assert sum(isinstance(event, RunFinished) for event in events) == 1, "the run did not end once"

    def check_branch(self, branch: str, writers: list[str]) -> None:
        assert self.user.branches == [branch, "main"], f"branches: {self.user.branches}"
        check_lines(self.user.show(branch, "app.py"), ["start", *writers])
        assert self.user.files(branch) == [".gitignore", "app.py", "doc.md", "new/file.py"], "another tree"
        commits = self.user.git("rev-list", "--count", f"main..{branch}")
        assert int(commits) == len(writers), f"{commits} commits"

    def check_order(self, run: str) -> None:
        """No lock and no damage; and the user's own git goes on working."""
        stores = [self.user.path / ".git", *self.state.glob("repos/*/mirror.git")]
        for store in (*stores, *self.state.glob(f"repos/*/runs/{run}/run.git")):
            locks = [str(path.relative_to(store)) for path in store.rglob("*.lock")]
            assert locks == [], f"left in {store.name}: {locks}"
            run_git(store, f"--git-dir={store}", "fsck", "--strict", "--no-dangling")
        self.user.git("pack-refs", "--all")
        self.user.git("commit", "-q", "-m", "what was staged")
        assert self.user.show("HEAD", "doc.md") == "staged\n", "the index was another one"
        assert self.user.git("stash", "list") != "", "the stash is gone"


def differing(before: dict[str, str], after: dict[str, str]) -> set[str]:
    return {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}


def check_lines(text: str, expected: list[str]) -> None:
    found = [" ".join(line.split()[:2]) for line in text.splitlines()]
    assert found == expected, f"the code is {found}"
