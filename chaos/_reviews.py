"""A user with flawed work in progress, `review --fix` over it, and how all of it must look afterwards."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections import Counter as Times
from contextlib import closing
from dataclasses import dataclass, field
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from tests.e2e.bench import PROCESSES
from tests.e2e.killer import Counter
from tests.integration.process.leftovers import gone
from tests.repos import TestRepo, make_repo, run_git

from burnish import codec
from burnish.app.request import ReviewRequest
from burnish.app.review import resume_review, review
from burnish.app.start import Hooks
from burnish.config.load import Flag
from burnish.errors import BurnishError
from burnish.model.assessment import DimensionReport
from burnish.model.events import Recorded, RunFinished, StepFinished
from burnish.model.run_view import RunView
from burnish.store.database import open_database
from burnish.store.leases import this_process
from burnish.store.queries import list_runs, run_events

CLEAN = "def same(a, b):\n    return a == b\n"
# Two findings that can be fixed, in two dimensions and so in two groups, and one that cannot.
FLAWED = f"import os\n\n\n{CLEAN}\n\ndef first(a, b):\n    try:\n        return eval(a) == None\n    except ValueError:\n        return b\n"
SMALL = f"{CLEAN}\n\ndef nothing(a):\n    return a == None\n"
FILES = {"calc.py": CLEAN, "doc.md": "doc\n", ".gitignore": "*.log\n"}
GATE = "grep -q same calc.py"
FLAGS = {"gate.command": GATE, "sandbox.mode": "off", "sandbox.run_unsandboxed": True}
PATIENCE_S = 240


def mended(text: str) -> str:
    """What the fixes make of it."""
    return text.replace("import os\n", "").replace("== None", "is None")


def in_progress(folder: Path, flawed: str = FLAWED) -> TestRepo:
    """A stash, a tag, a hook, staged, unstaged, untracked and ignored work; the flaws are uncommitted."""
    user = make_repo(folder, FILES)
    user.git("tag", "v1")
    user.write("doc.md", "stashed\n")
    user.git("stash")
    user.write("doc.md", "staged\n")
    user.git("add", "doc.md")
    user.write("doc.md", "staged\nand more\n")
    user.write("calc.py", flawed)
    user.write("mine.txt", "mine\n")
    user.write("build.log", "ignored\n")
    user.write(".git/hooks/pre-commit", "#!/bin/sh\ntouch ran\n", mode=0o755)
    return user


@dataclass(frozen=True)
class Deed:
    """What to do, where, and at which side effect to die (0: at none)."""

    folder: str
    state: str
    flags: dict[str, Any]
    resume: bool = False
    deadly: int = 0


def commit(deed: Deed, report: Any) -> None:
    """In a process of its own: `review --fix`, or `--resume`. Sends the names of all side effects."""
    os.chdir(deed.folder)
    os.environ["BURNISH_STATE"] = deed.state
    counter = Counter(deed.deadly)
    hooks = Hooks(counter.point, counter.decorate)

    async def work() -> int:
        if deed.resume:
            return (await resume_review("", lambda recorded: None, hooks)).exit_code
        flags = {key: Flag(key, value) for key, value in deed.flags.items()}
        request = ReviewRequest((), flags, {}, fix=True, tests=False, max_iterations=1)
        return (await review(request, lambda recorded: None, hooks)).exit_code

    try:
        code = asyncio.run(work())
    except BurnishError as error:
        report.send(error.message)
        sys.exit(99)
    report.send(counter.names)
    sys.exit(code)


@dataclass(frozen=True)
class Result:
    """What a review with its fixes came to, without anything that differs from one run to the next."""

    outcome: str
    exit_code: int | None
    findings: list[tuple[int, str, str, str]]
    subjects: list[str]
    tree: str


@dataclass
class Story:
    """One review in a copy of that repository, lived through as many lives as it takes."""

    folder: Path
    template: TestRepo
    land: str = "branch"
    before: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        shutil.copytree(self.template.path, self.folder / "repo", symlinks=True)
        self.before = self.user.fingerprint()

    @property
    def user(self) -> TestRepo:
        return TestRepo(self.folder / "repo")

    @property
    def state(self) -> Path:
        return self.folder / "state"

    @property
    def run(self) -> RunView | None:
        """The one review of the state folder, if it got as far as being recorded."""
        for path in self.state.glob("repos/*/burnish.db"):
            with closing(open_database(path)) as database:
                found = list_runs(database, this_process())
                assert len(found) <= 1, f"{len(found)} reviews where there was one"
                return found[0] if found else None
        return None

    @property
    def is_over(self) -> bool:
        run = self.run
        return run is not None and run.outcome is not None

    def begin(self, deadly: int = 0) -> tuple[BaseProcess, Any]:
        """What a person would do: resume what there is, or start it again."""
        reader, writer = PROCESSES.Pipe(duplex=False)
        flags = {**FLAGS, "land.how": self.land}
        deed = Deed(str(self.user.path), str(self.state), flags, self.run is not None, deadly)
        child = PROCESSES.Process(target=commit, args=(deed, writer))
        child.start()
        writer.close()
        return child, reader

    def live(self, deadly: int = 0) -> tuple[int | None, list[str] | str]:
        """One life, to whatever end it comes: its exit code, and its side effects or its sentence."""
        child, reader = self.begin(deadly)
        with closing(reader):
            try:
                said = reader.recv() if reader.poll(PATIENCE_S) else ""
            except EOFError:
                said = ""
        child.join(10)
        if child.exitcode is None:
            child.kill()
            child.join()
            raise AssertionError(f"nothing within {PATIENCE_S} s")
        return child.exitcode, said

    def events(self) -> list[Recorded]:
        run = self.run
        if run is None:
            return []
        [path] = self.state.glob("repos/*/burnish.db")
        with closing(open_database(path)) as database:
            return list(run_events(database, run.id))

    def steps(self) -> list[StepFinished]:
        return [entry.event for entry in self.events() if isinstance(entry.event, StepFinished)]

    def result(self) -> Result:
        run = self.run
        assert run is not None, "there is no review"
        assert run.outcome is not None, "the review is not over"
        ref = run.branch or "HEAD"
        subjects = self.user.git("log", "--format=%s", ref).splitlines()
        return Result(str(run.outcome), run.exit_code, found_in(self.steps()), subjects, self.user.tree(ref))

    def check(self, expected: Result) -> None:
        """The same findings, each commit once, nothing of the user's changed, all in order, nobody left."""
        assert self.result() == expected
        finished = Times(step.step.key for step in self.steps())
        assert [key for key, times in finished.items() if times > 1] == [], "a step was finished twice"
        ends = [entry for entry in self.events() if isinstance(entry.event, RunFinished)]
        assert len(ends) == 1, "the review did not end once"
        self.check_user()
        self.check_files()
        left = gone(str(self.folder))
        assert left == {}, f"left behind: {left}"

    def check_user(self) -> None:
        changed = differing(self.before, self.user.fingerprint())
        if self.land == "apply":
            assert changed == {"calc.py"}, f"changed in the user's repository: {sorted(changed)}"
            flawed = (self.template.path / "calc.py").read_text()
            assert (self.user.path / "calc.py").read_text() == mended(flawed)
        else:
            assert changed == set(), f"changed in the user's repository: {sorted(changed)}"
        run_git(self.user.path, "fsck", "--no-dangling", "--strict")

    def check_files(self) -> None:
        """The dossier is whole: the review complete, one fix session in the history, none at work."""
        [folder] = (self.user.path / ".burnish" / "sessions").glob("*/.review")
        assert codec.loads((folder / "review-state.json").read_text())["phase"] == "complete"
        sessions = codec.loads((folder / "fixes" / "fix-history.json").read_text())["sessions"]
        assert len(sessions) == 1, f"{len(sessions)} fix sessions in the history"
        assert not list(folder.rglob("active-fix-session.json")), "a fix session is still at work"
        assert not list(folder.rglob("*.tmp*")), "half a file was left"


def found_in(steps: list[StepFinished]) -> list[tuple[int, str, str, str]]:
    """Every finding of every cycle: where, by which id, how bad."""
    found = []
    for step in steps:
        if step.result_type == "DimensionReport":
            report = codec.validate(DimensionReport, step.result)
            found += [(step.step.cycle, one.id, str(one.severity), one.file) for one in report.findings]
    return sorted(found)


def differing(before: dict[str, str], after: dict[str, str]) -> set[str]:
    return {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
