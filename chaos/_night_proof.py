"""What a night left, looked at task by task: states, calls, commits, counters and costs."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from tests.repos import TestRepo

from burnish.model.events import RunFinished, StepFailed, StepFinished
from burnish.model.queue import TaskState, TaskView
from burnish.model.step import Role, Step
from burnish.store.database import open_database
from burnish.store.queries import run_events
from burnish.store.queue import Queue
from burnish.store.queue_schema import spending
from burnish.store.schema import runs
from chaos._night_agent import LIMITED
from chaos._night_fates import End, Fate

_CALL = re.compile(r"call ([0-9a-f]{12})")
_AT_REST = (TaskState.PENDING, TaskState.COMPLETED, TaskState.FAILED)


@dataclass(frozen=True)
class Call:
    """A line of the ledger; `by` is the orchestrator that asked."""

    call: str
    task: str
    step: str
    kind: str
    by: int
    run: str
    tokens: int
    cost: float
    ended: bool


@dataclass(frozen=True)
class Record:
    """A step that was recorded, with its row of what was spent."""

    step: Step
    text: str
    made_commit: bool
    tokens: int
    cost: float | None

    @property
    def name(self) -> str:
        return f"{self.step.role}/{max(self.step.cycle, 1)}/{self.step.ask}"


@dataclass(frozen=True)
class Morning:
    """Everything that is looked at, read once."""

    views: dict[str, TaskView]
    events: dict[str, list[object]]
    spent: list[Any]
    ends: dict[str, int]
    rows: dict[str, Any]
    calls: dict[str, list[Call]]

    def records(self, run: str) -> list[Record]:
        return list(_records(self.events[run], [row for row in self.spent if row.spent_by == run]))


def name_of(view: TaskView) -> str:
    return view.task.prompt.split("NIGHT-", 1)[1][:4]


def read_ledger(path: Path) -> list[Call]:
    lines = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    over = {line["call"] for line in lines if line["at"] == "end"}
    return [
        Call(
            line["call"], line["task"], line["step"], line["kind"], line["by"], line["run"],
            line.get("tokens_in", 0) + line.get("tokens_out", 0), line.get("cost_usd", 0.0), line["call"] in over,
        )
        for line in lines if line["at"] == "start"
    ]  # fmt: skip


def views_of(state: Path) -> tuple[TaskView, ...]:
    [path] = state.glob("repos/*/burnish.db")
    with closing(open_database(path)) as database:
        return Queue(database).all()


def read(state: Path, ledger: Path) -> Morning:
    [path] = state.glob("repos/*/burnish.db")
    with closing(open_database(path)) as database:
        views = {name_of(view): view for view in Queue(database).all()}
        names = [view.task.run_id for view in views.values() if view.task.run_id]
        with database.read() as connection:
            rows = {row.id: row for row in connection.execute(sa.select(runs))}
            spent = list(connection.execute(sa.select(spending)))
        told, ends = {}, {}
        for run in names:
            events: list[object] = [entry.event for entry in run_events(database, run)] if run in rows else []
            told[run] = events
            ends[run] = sum(isinstance(event, RunFinished) for event in events)
    calls: dict[str, list[Call]] = {}
    for call in read_ledger(ledger):
        calls.setdefault(call.task, []).append(call)
    return Morning(views, told, spent, ends, rows, calls)


def _records(events: Iterable[object], spent: list[Any]) -> Iterable[Record]:
    """The n-th record of a step goes with its n-th row: steps that failed and were done again have both."""
    seen: Counter[str] = Counter()
    by_key = {(row.key, row.seq): row for row in spent}
    for event in events:
        if not isinstance(event, StepFinished | StepFailed):
            continue
        if event.step.role not in (Role.IMPLEMENT, Role.REVIEW, Role.FIX):
            continue
        seen[event.step.key] += 1
        row = by_key.pop((event.step.key, seen[event.step.key]), None)
        assert row is not None, f"nothing was written down as spent by {event.step.key}"
        result = event.result if isinstance(event, StepFinished) else {}
        text = (
            event.message if isinstance(event, StepFailed) else str(result.get("said") or result.get("text"))
        )
        committed = isinstance(event, StepFinished) and result.get("tree") != result.get(
            "before", result.get("tree")
        )
        yield Record(event.step, text, committed, row.tokens_in + row.tokens_out, row.cost_usd)
    assert not by_key, f"spent by steps that nobody recorded: {sorted(by_key)}"


def check_rest(views: Iterable[TaskView], number: int) -> None:
    """Right after everybody was killed: all tasks are there, and nobody is said to work on one."""
    found = list(views)
    assert len(found) == number, f"{len(found)} tasks of {number}"
    held = [view.number for view in found if view.state is TaskState.IN_PROGRESS or view.pid]
    assert held == [], f"nobody lives, but in progress: {held}"


def check_task(night: Morning, fate: Fate, end: End, killed: set[int], repo: TestRepo) -> None:
    view = night.views[fate.name]
    found = End(str(view.state), view.reason, view.final_verdict, view.cycles, end.commits)
    assert found == end, f"expected {end}, found {found} ({view.message[:200]})"
    assert view.state in _AT_REST and view.pid is None, f"it is {view.state}, held by {view.pid}"
    if end.state == "pending":
        assert view.blocked_by and not night.calls.get(fate.name), "it was begun all the same"
        return
    recorded = night.records(str(view.task.run_id))
    calls = check_calls(night.calls[fate.name], recorded, str(view.task.run_id), killed)
    check_counters(night, view, recorded)
    check_files(repo, view, zip(recorded, calls, strict=True))
    check_branch(
        repo,
        view,
        end,
        [(one.step, call) for one, call in zip(recorded, calls, strict=True) if one.made_commit],
    )


def check_calls(calls: list[Call], recorded: list[Record], run: str, killed: set[int]) -> list[Call]:
    """Each record is the answer of one call, at its own price; who was not recorded was killed."""
    assert {call.run for call in calls} == {run}, f"runs of one task: { {call.run for call in calls} }"
    chosen: list[Call] = []
    paid: set[str] = set()
    for record in recorded:
        mine = [call for call in calls if call.step == record.name and call.call not in paid]
        call, limits = _match(record, mine)
        assert call.ended or call.kind == "stall", f"{record.name} was recorded before its call had ended"
        paid |= {call.call, *(limit.call for limit in limits)}
        chosen.append(call)
    lost = [call for call in calls if call.call not in paid and call.by not in killed]
    assert lost == [], f"done, not killed, and not recorded: {[(call.step, call.kind) for call in lost]}"
    twice = [
        by
        for by, times in Counter(
            call.by for call in calls if call.call not in paid and call.kind != LIMITED
        ).items()
        if times > 1
    ]
    assert twice == [], f"one orchestrator died more than once: {twice}"
    return chosen


def _match(record: Record, calls: list[Call]) -> tuple[Call, list[Call]]:
    """The call whose words (else whose tokens) were recorded, and the limits it waited for."""
    said = _CALL.search(record.text)
    for at, call in enumerate(calls):
        limits = [other for other in calls[:at] if other.kind == LIMITED and other.by == call.by]
        tokens = sum(one.tokens for one in (call, *limits))
        if call.kind == LIMITED or (said and said[1] != call.call) or (not said and tokens != record.tokens):
            continue
        cost = sum(one.cost for one in (call, *limits))
        assert (record.tokens, record.cost or 0.0) == (tokens, cost), (
            f"{record.name}: recorded {record.tokens} tokens, ${record.cost}; used {tokens}, ${cost}"
        )
        return call, limits
    raise AssertionError(f"{record.name} was recorded, and no call of the ledger answered that")


def check_counters(night: Morning, view: TaskView, recorded: list[Record]) -> None:
    row = night.rows[str(view.task.run_id)]
    tokens, cost = sum(one.tokens for one in recorded), sum(one.cost or 0.0 for one in recorded)
    assert (row.tokens, row.total_cost_usd or 0.0) == (tokens, cost), (
        f"the run says {row.tokens}, {row.total_cost_usd}; {tokens}, {cost}"
    )
    assert (view.tokens, view.cost_usd or 0.0) == (tokens, cost), (
        f"the task says {view.tokens}, {view.cost_usd}; {tokens}, {cost}"
    )
    retried = night.ends[row.id] - 1
    assert retried >= 0, "its end was not told"
    keys = Counter(one.step.key for one in recorded)
    assert max(keys.values()) <= 1 + retried, f"recorded twice: {keys.most_common(1)}"


def check_files(repo: TestRepo, view: TaskView, made: Iterable[tuple[Record, Call]]) -> None:
    """The summary and every review are there, in the words of the call that was recorded."""
    folder, task = repo.path / ".burnish", view.task
    assert (folder / f"summaries/{task.id}.md").is_file(), "there is no summary"
    for record, call in made:
        if call.kind not in ("approve", "change", "discuss"):
            continue
        [page] = folder.glob(f"reviews/*-task-{task.number}-review-{record.step.cycle}.md")
        assert call.call in page.read_text(), f"{page.name} is of another call"


def check_branch(repo: TestRepo, view: TaskView, end: End, made: list[tuple[Step, Call]]) -> None:
    """One commit for each writing step that changed something, its lines once each, on one branch."""
    assert len(made) == end.commits, f"{len(made)} writing steps, expected {end.commits}"
    if not made:
        assert not view.branch, f"nothing was made, but there is {view.branch}"
        return
    log = repo.git(
        "log", "--reverse", "--format=%(trailers:key=Step-Id,valueonly)", f"{view.base}..{view.branch}"
    )
    steps = log.split()
    assert steps == [f"{view.task.run_id}/{step.key}" for step, _ in made], f"commits of {steps}"
    lines = repo.show(view.branch, f"night-{name_of(view)}.txt").splitlines()
    wanted = [f"{step.role} {max(step.cycle, 1)} {call.call}" for step, call in made]
    assert lines == wanted, f"the branch has {lines}, recorded were {wanted}"
