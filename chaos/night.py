"""A night: many tasks at once with failures, timeouts, limits and garbage, and everybody killed three times over."""

from __future__ import annotations

import json
import os
import random
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.process import BaseProcess
from pathlib import Path

import psutil
from tests.cli import PROCESSES, Said, burnish
from tests.cli_child import Call, run
from tests.integration.process.leftovers import gone

from burnish.model.queue import TaskState
from chaos import _night_agent, _night_proof
from chaos._many import alone, inject
from chaos._night_fates import Fate, fates
from chaos._story import differing, in_progress
from chaos.disk import ALONE, ask
from chaos.section import Setting, Tally

TASKS, JOBS, KILLS = 200, 8, 3
LIVES = 20
PATIENCE_S = 1800
RECEIPTS, RETRIED = 20, 10
# Of a disk that fills up while a small queue is worked on.
LEVELS = 12
# Only tasks that stall have so little time, so that a busy machine fails no other one.
STALL_LIMIT_S = 6


@dataclass
class Night:
    """A user with work in progress, a queue, and who was killed so far."""

    folder: Path
    chance: random.Random
    tasks: list[Fate]
    jobs: int
    killed: set[int] = field(default_factory=set)
    kills: int = 0
    # How tasks stood in each morning, for the note.
    told: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.repo = in_progress(self.folder / "repo")
        self.desk = self.folder / "agents"
        (self.desk / "limits").mkdir(parents=True)
        shutil.copy(_night_agent.__file__, self.desk / "agent.py")
        (self.desk / "plan.json").write_text(json.dumps({fate.name: fate.acts for fate in self.tasks}))
        self.configure()
        self.before = self.repo.fingerprint()

    @property
    def state(self) -> Path:
        return Path(os.environ["BURNISH_STATE"])

    @property
    def ledger(self) -> Path:
        return self.desk / "ledger"

    def configure(self) -> None:
        """As the user's own settings: nothing of theirs in the repository is touched for it."""
        agent = json.dumps(shlex.join([sys.executable, "-I", "-S", str(self.desk / "agent.py")]))
        minutes = STALL_LIMIT_S / 60
        text = (
            f"[agents]\nimplementer = {agent}\nreviewer = {agent}\n[sandbox]\nmode = 'off'\n[gate]\ncommand = 'true'\n"
            f"[work]\nstop_after_failures = 1000\n[task_types.task]\ntimeout_minutes = {minutes}\n"
            f"review_timeout_minutes = {minutes}\nimprove_timeout_minutes = {minutes}\n"
        )
        self.repo.git("stash", "push", "-q", "--include-untracked")
        self.repo.commit("settings", {"burnish.toml": text})
        self.repo.git("stash", "pop", "-q", "--index")

    def do(self, *arguments: str, stdin: str = "", code: int | None = 0) -> Said:
        said = burnish(self.repo.path, *arguments, stdin=stdin, timeout_s=PATIENCE_S)
        assert code is None or said.code == code, f"burnish {arguments}: {said.code}, {said.err[-300:]!r}"
        return said

    def add(self) -> None:
        """Tasks that stall are of a type of their own, and come last."""
        numbers = {fate.name: at for at, fate in enumerate(self.tasks, start=1)}
        for kind, some in (("implement", False), ("task", True)):
            lines = [
                f"- [ ] {fate.title}" + (f" (after: #{numbers[fate.after]})" if fate.after else "")
                for fate in self.tasks
                if fate.timed is some
            ]
            if lines:
                self.do("add", "--from", "-", "-a", "-t", kind, stdin="\n".join(lines) + "\n")

    def begin(self, place: Path) -> BaseProcess:
        (place / "in").touch()
        name = tempfile.mktemp(prefix="work-", dir=place)
        call = Call(
            str(self.repo.path), ("work", "--all", "-j", str(self.jobs)), dict(os.environ),
            str(place / "in"), f"{name}.out", f"{name}.err",
        )  # fmt: skip
        child = PROCESSES.Process(target=run, args=(call,))
        child.start()
        return child

    @property
    def answered(self) -> int:
        return self.ledger.read_bytes().count(b'"at": "end"') if self.ledger.exists() else 0

    @property
    def expected(self) -> int:
        """About how many calls the whole night takes."""
        return sum(0 if fate.end.state == "pending" else 2 * max(fate.end.cycles, 1) for fate in self.tasks)


def section(setting: Setting, tally: Tally) -> None:
    with alone(setting.folder):
        chance = random.Random(setting.seed)
        number, jobs, kills = (4, 2, 1) if setting.short else (TASKS, JOBS, KILLS)
        night = Night(setting.folder / "night", chance, fates(chance, number), jobs)
        night.add()
        inject(
            tally,
            lambda part: live(night, part),
            [(f"kill {n + 1} of everything", (n, kills)) for n in range(kills)],
            1,
        )
        inject(tally, lambda _: last_life(night), [("the life after that", 0)], 1)
        morning(night, tally, healed=False, sample=1 if setting.short else RECEIPTS)
        inject(
            tally,
            lambda _: again(night, 1 if setting.short else RETRIED),
            [("every failed task is tried again", 0)],
            1,
        )
        morning(night, tally, healed=True, sample=1 if setting.short else RECEIPTS)
        tell(night, tally)
    disk(setting, tally)


def disk(setting: Setting, tally: Tally) -> None:
    """The same queue where the disk fills up, in a mount namespace of its own."""
    place = setting.folder / "small"
    place.mkdir()
    if subprocess.run(
        [*ALONE, "mount", "-t", "tmpfs", "tmpfs", place], capture_output=True, check=False
    ).returncode:
        tally.note("no full disk: that needs the right to mount a small one (root)")
        return
    levels = LEVELS if not setting.short else 1
    told = ask([sys.executable, "-m", "chaos._night_disk", str(place), str(levels), str(setting.seed)])
    for _ in range(told["injected"] - len(told["fallen"])):
        tally.survive()
    for text in told["fallen"]:
        tally.fall(*text.split(": ", 1))
    for text in told["notes"]:
        tally.note(text)


def live(night: Night, part: tuple[int, int]) -> None:
    """One life of the pool until a moment in its part of the night; in every second life there are two pools."""
    number, parts = part
    low, high = number / (parts + 1), (number + 0.9) / (parts + 1)
    moment = night.expected * night.chance.uniform(max(low, 0.1), high)
    children = [night.begin(night.folder)]
    _until(night, children, moment * (0.8 if number % 2 else 1.0))
    if number % 2:
        children.append(night.begin(night.folder))
        _until(night, children, moment)
        # One dies alone: the other takes its tasks over while it works.
        kill(night, children[:1])
        _until(night, children[1:], moment * 1.1)
    time.sleep(night.chance.uniform(0, 0.5))
    kill(night, children)
    night.kills += 1
    assert gone(str(night.folder)) == {}, f"left behind: {gone(str(night.folder))}"
    _night_proof.check_rest(_night_proof.views_of(night.state), len(night.tasks))


def _until(night: Night, children: Sequence[BaseProcess], answers: float) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while night.answered < answers and any(child.exitcode is None for child in children):
        assert time.monotonic() < deadline, "the night does not go on"
        time.sleep(0.1)


def kill(night: Night, children: Sequence[BaseProcess]) -> None:
    """All of them in one moment, by process: everybody is stopped first, so that nobody acts on a death."""
    living = [child for child in children if child.exitcode is None]
    stopped: dict[int, psutil.Process] = {}
    while fresh := [one for one in _trees(living) if one.pid not in stopped]:
        for one in fresh:
            stopped[one.pid] = one
            with suppress(psutil.NoSuchProcess):
                one.suspend()
    for one in stopped.values():
        with suppress(psutil.NoSuchProcess):
            one.kill()
    for child in living:
        child.join()
        night.killed.add(child.pid or 0)


def _trees(children: Sequence[BaseProcess]) -> list[psutil.Process]:
    found = []
    for child in children:
        with suppress(psutil.NoSuchProcess):
            parent = psutil.Process(child.pid)
            found += [parent, *parent.children(recursive=True)]
    return found


def last_life(night: Night) -> None:
    """`work` until nothing is ready; what failed is told by its exit code."""
    for _ in range(LIVES):
        said = night.do("work", "--all", "-j", str(night.jobs), code=None)
        assert said.code in (0, 1, 5), f"it ended with {said.code}: {said.err[-300:]!r}"
        if "nothing to do" in said.err:
            return
    raise AssertionError(f"there is still something to do after {LIVES} lives")


def again(night: Night, whole: int) -> None:
    """What was broken is mended; some are tried again one by one, the others together."""
    (night.desk / "healed").touch()
    failed = [view.number for view in _night_proof.views_of(night.state) if view.state is TaskState.FAILED]
    assert failed, "no task failed"
    chosen = night.chance.sample(failed, min(whole, len(failed)))
    for number in failed:
        night.do("retry", str(number), *(() if number in chosen else ("--later",)))
    last_life(night)


def morning(night: Night, tally: Tally, *, healed: bool, sample: int) -> None:
    """Each task is one injection, each of the things that are about all of them another."""
    found = _night_proof.read(night.state, night.ledger)
    after = " after the retry" if healed else ""
    states = [
        view.reason if view.state is TaskState.FAILED else view.final_verdict or str(view.state)
        for view in found.views.values()
    ]
    night.told.append(", ".join(f"{states.count(one)} {one}" for one in sorted(set(states))))

    def task(fate: Fate) -> None:
        end = fate.healed if healed and fate.healed else fate.end
        _night_proof.check_task(found, fate, end, night.killed, night.repo)

    inject(tally, task, [(f"task {fate.name}{after}", fate) for fate in night.tasks], 1)
    whole: list[tuple[str, Callable[[], None]]] = [
        ("sums", lambda: sums(night, found)),
        ("the user's repository", lambda: untouched(night, found)),
        ("receipts", lambda: receipts(night, found, sample)),
    ]
    inject(tally, lambda check: check(), [(f"{name}{after}", check) for name, check in whole], 1)


def sums(night: Night, found: _night_proof.Morning) -> None:
    """The whole night's use is the same in the runs, the ledger of spending, `status --json` and `report`."""
    strangers = {row.spent_by for row in found.spent} - set(found.events)
    assert strangers == set(), f"spent by runs of no task: {strangers}"
    recorded = [one for run in found.events for one in found.records(run)]
    tokens, cost = sum(one.tokens for one in recorded), sum(one.cost or 0.0 for one in recorded)
    told = json.loads(night.do("status", "--json").out)
    assert [one["id"] for one in told] == list(range(1, len(night.tasks) + 1)), "tasks are missing"
    assert {one["status"] for one in told} <= {str(state) for state in TaskState}
    by_name = {one["prompt"].split("NIGHT-", 1)[1][:4]: one for one in told}
    for name, view in found.views.items():
        one = by_name[name]
        assert (one["tokens"], one["cost_usd"]) == (view.tokens, view.cost_usd), f"status of {name} differs"
    assert sum(one["tokens"] for one in told) == tokens, "status and spending differ"
    assert sum(one["cost_usd"] or 0.0 for one in told) == cost, "status and spending differ"
    page = night.do("report", "--since", "2d").out
    wanted = f"${cost:,.2f} (reported), {tokens:,} tokens"
    assert wanted in page, f"the report does not say {wanted}: {page[:300]}"


def untouched(night: Night, found: _night_proof.Morning) -> None:
    changed = differing(night.before, night.repo.fingerprint())
    assert changed == set(), f"changed in the user's repository: {sorted(changed)[:5]}"
    ours = {view.branch for view in found.views.values() if view.branch}
    strange = set(night.repo.branches) - ours - {"main"}
    # A task that was approved when it was tried again has left its first branch under the other name.
    assert all("unapproved/" in name for name in strange), f"branches of nobody: {sorted(strange)[:5]}"
    if not (night.desk / "healed").exists():
        assert strange == set(), f"branches of nobody: {sorted(strange)[:5]}"
    night.repo.git("fsck", "--strict", "--no-dangling")
    assert gone(str(night.folder)) == {}, "somebody was left behind"


def receipts(night: Night, found: _night_proof.Morning, sample: int) -> None:
    approved = sorted(name for name, view in found.views.items() if view.final_verdict == "APPROVED")
    assert approved, "nothing was approved"
    for name in night.chance.sample(approved, min(sample, len(approved))):
        night.do("receipt", "verify", str(found.views[name].task.run_id))


def tell(night: Night, tally: Tally) -> None:
    calls = _night_proof.read_ledger(night.ledger)
    cut = sum(call.by in night.killed and not call.ended for call in calls)
    limits = sum(call.kind == _night_agent.LIMITED for call in calls)
    tally.note(
        f"{len(night.tasks)} tasks at -j {night.jobs}, {night.kills} kills of everything, "
        f"{len(night.killed)} pools killed; {len(calls)} calls of agents, {cut} of them cut off, {limits} limits; "
        f"in the morning {night.told[0]}; tried again {night.told[1]}"
    )
