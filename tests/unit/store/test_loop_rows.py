"""The tables of a build: written with the events they come from, so that they are always true to them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from burnish import codec
from burnish.loops.effort import Effort
from burnish.loops.state import fold, opened
from burnish.loops.work import Outline, PlanGroup, PlannedTask
from burnish.model.agent import Reply, Request, Usage
from burnish.model.decision import Stop
from burnish.model.history import Ending
from burnish.model.outcome import Outcome
from burnish.model.reason import Reason
from burnish.model.review import Finding, Review, Verdict
from burnish.model.step import Role, Step
from burnish.store import queries
from burnish.store.durable import DurableRun
from burnish.store.journal import NewRun
from burnish.store.loop_schema import (
    loop_reviews,
    loops,
    phase_costs,
    phase_history,
    plan_groups,
    review_issues,
    tasks,
)
from burnish.store.retention import Removal, execute
from burnish.store.schema import runs
from tests.build_loops import LoopDrive, MemoryBoard, is_checkpoint, says_result, works
from tests.unit.store.journals import STARTED, Bench

PLAN = {"path": "spec.md", "effort": "high", "onto": "main", "max_loops": 3, "max_iterations": 7}
OF_LOOPS = replace(STARTED, profile="loops", contract="loop-result")


@dataclass(frozen=True)
class Enumerated:
    """As the session of a build records it."""

    tasks: tuple[PlannedTask, ...] = ()
    problems: tuple[str, ...] = ()
    usage: Usage = Usage()


def new(run: str, spec: dict[str, Any], parent: str | None = None) -> NewRun:
    return NewRun(OF_LOOPS, "/repo", "build it", codec.dumps(spec), id=run, parent=parent)


@dataclass
class Tables:
    bench: Bench

    def all(self, table: sa.Table) -> list[dict[str, Any]]:
        with self.bench.database.read() as connection:
            return [dict(row) for row in connection.execute(sa.select(table)).mappings()]

    def one(self, table: sa.Table) -> dict[str, Any]:
        (row,) = self.all(table)
        return row

    async def build(self) -> DurableRun:
        return await self.bench.journal().start(new("r-build", {"build": PLAN}))

    async def loop(self, drive: LoopDrive, run: str = "r-loop") -> Ending:
        """A loop of the build, in a run of its own, to its end."""
        spec = {"loop": codec.plain(drive.part)}
        durable = await self.bench.journal().start(new(run, spec, "r-build"))
        drive.memory = durable  # type: ignore[assignment]
        ending = await drive.drive()
        await durable.finish(ending, None, 0)
        return ending


@pytest.fixture
def tables(bench: Bench) -> Iterator[Tables]:
    yield Tables(bench)


def test_a_loop_has_its_row_before_its_reviewer_can_ask_for_it(tables: Tables, tmp_path: Path) -> None:
    seen: list[dict[str, Any]] = []

    def review(request: Request) -> str:
        seen.append(tables.one(loops))
        return says_result(passed=True)

    async def scenario() -> None:
        await tables.build()
        await tables.loop(LoopDrive(tmp_path, works("ITERATION_DONE", "TASK_COMPLETE"), review=review))

    asyncio.run(scenario())
    (row,) = seen
    assert (row["id"], row["run_id"], row["task_ids"]) == ("loop-1", "r-build", '["task-1"]')
    assert (row["status"], row["review_status"], row["iteration"]) == ("running", "in_progress", 2)
    done = tables.one(loops)
    assert (done["status"], done["review_status"]) == ("completed", "passed")
    assert (done["last_file_change_iteration"], done["max_iterations"]) == (2, 6)


@pytest.mark.conformance("P-17")
def test_the_issues_of_a_loops_review_name_the_loop_and_the_review(tables: Tables, tmp_path: Path) -> None:
    words = says_result(passed=False, interpretedIntent="checks", intentSatisfied=False)
    drive = LoopDrive(tmp_path, works("TASK_COMPLETE"), review=lambda request: words, revisions=0)

    async def scenario() -> None:
        await tables.build()
        await tables.loop(drive)

    asyncio.run(scenario())
    review, issue = tables.one(loop_reviews), tables.one(review_issues)
    assert (review["run_id"], review["loop_id"], review["task_id"]) == ("r-build", "loop-1", "task-1")
    assert (review["passed"], review["interpreted_intent"], review["intent_satisfied"]) == (0, "checks", 0)
    assert (issue["loop_id"], issue["loop_review_id"]) == ("loop-1", review["id"])
    assert (issue["file"], issue["line"], issue["type"]) == ("app.py", 2, "dead-code")
    assert tables.one(loops)["last_review_id"] == review["id"]
    assert tables.one(loops)["status"] == "stuck"


@pytest.mark.conformance("P-16")
def test_the_issues_of_a_review_of_the_whole_build_belong_to_no_loop(tables: Tables) -> None:
    async def fails() -> Review:
        finding = Finding(
            "no task for errors", detail="nothing handles errors", category="spec-intent-mismatch"
        )
        return Review(
            Verdict.FAIL,
            "failed",
            findings=(finding,),
            tree="t" * 40,
            intent="a tool",
            intent_satisfied=False,
        )

    async def passes() -> Review:
        return Review(Verdict.PASS, "passed", tree="t" * 40, intent="a tool", intent_satisfied=True)

    async def scenario() -> dict[str, Any]:
        run = await tables.build()
        await run.do(Step(Role.REVIEW, 1, "enumerate"), fails)
        issue = tables.one(review_issues)
        await run.do(Step(Role.REVIEW, 2, "enumerate"), passes)
        return issue

    issue = asyncio.run(scenario())
    assert (issue["run_id"], issue["loop_id"], issue["loop_review_id"]) == ("r-build", None, None)
    assert issue["description"] == "nothing handles errors"
    # What a later review of the same does not find any more is gone.
    assert tables.all(review_issues) == []
    assert tables.all(loop_reviews) == []
    row = tables.one(runs)
    assert (row["interpreted_intent"], row["intent_satisfied"], row["revision_count"]) == ("a tool", 1, 1)


def test_issues_are_replaced_by_the_next_review_and_cleared_by_the_next_attempt(
    tables: Tables, tmp_path: Path
) -> None:
    counts: list[int] = []

    def revise(request: Request) -> object:
        counts.append(len(tables.all(review_issues)))
        return works("TASK_COMPLETE")(request)

    def drive(folder: str) -> LoopDrive:
        return LoopDrive(
            tmp_path / folder, works("TASK_COMPLETE"), review=lambda request: says_result(passed=False),
            revise=revise, revisions=2,  # type: ignore[arg-type]
        )  # fmt: skip

    async def scenario() -> None:
        await tables.build()
        await tables.loop(drive("1"))
        assert len(tables.all(review_issues)) == 1
        spec = {"loop": codec.plain(drive("2").part)}
        await tables.bench.journal().start(new("r-again", spec, "r-build"))

    asyncio.run(scenario())
    assert counts == [1, 1]
    assert tables.all(review_issues) == []
    assert len(tables.all(loop_reviews)) == 3
    row = tables.one(loops)
    assert (row["status"], row["iteration"], row["revision_attempts"]) == ("running", 0, 0)


def test_a_checkpoint_is_a_review_of_no_task_and_says_nothing_about_the_loop(
    tables: Tables, tmp_path: Path
) -> None:
    def review(request: Request) -> str:
        return says_result(passed=not is_checkpoint(request), task="" if is_checkpoint(request) else "task-1")

    async def scenario() -> None:
        await tables.build()
        board = MemoryBoard("loop-1", interval=1)
        drive = LoopDrive(tmp_path, works("ITERATION_DONE", "TASK_COMPLETE"), review=review, board=board)
        await tables.loop(drive)

    asyncio.run(scenario())
    checkpoint, final = tables.all(loop_reviews)
    assert (checkpoint["task_id"], checkpoint["passed"]) == (None, 0)
    assert (final["task_id"], final["passed"]) == ("task-1", 1)
    row = tables.one(loops)
    assert (row["last_checkpoint_review_at"], row["last_review_id"]) == (1, final["id"])
    view = tables.bench.view("r-loop")
    assert (view.cycles, view.native) == (1, "passed")


def test_words_that_never_fit_are_a_failed_review_without_issues(tables: Tables, tmp_path: Path) -> None:
    async def scenario() -> None:
        await tables.build()
        await tables.loop(
            LoopDrive(tmp_path, works("TASK_COMPLETE"), review=lambda request: "fine", revisions=0)
        )

    asyncio.run(scenario())
    assert tables.one(loop_reviews)["passed"] == 0
    assert tables.all(review_issues) == []


def test_the_row_of_a_loop_is_the_fold_of_its_events(tables: Tables, tmp_path: Path) -> None:
    answers = iter((says_result(passed=False), says_result(passed=True)))

    async def scenario() -> LoopDrive:
        await tables.build()
        board = MemoryBoard("loop-1", interval=2)
        drive = LoopDrive(
            tmp_path, works("ITERATION_DONE", "ITERATION_DONE", "TASK_COMPLETE"), effort=Effort.HIGH, board=board,
            review=lambda request: says_result(passed=True, task="") if is_checkpoint(request) else next(answers),
        )  # fmt: skip
        await tables.loop(drive)
        return drive

    drive = asyncio.run(scenario())
    state = fold(opened(drive.part), queries.run_events(tables.bench.database, "r-loop"))
    row = tables.one(loops)
    assert row["status"] == state.status == "completed"
    assert (
        (row["iteration"], row["revision_attempts"]) == (state.iteration, state.revision_attempts) == (3, 1)
    )
    assert row["last_review_id"] == state.last_review_id
    assert row["last_checkpoint_review_at"] == state.last_checkpoint_review_at == 2


def test_tasks_and_groups_are_those_that_were_settled_last_and_know_their_loop(
    tables: Tables, tmp_path: Path
) -> None:
    one, two = (
        PlannedTask("task-1", "Add a check"),
        PlannedTask("task-2", "Document it", "In `docs.md`.", ("task-1",)),
    )

    async def refused() -> Enumerated:
        return Enumerated(problems=("there is no task",))

    async def enumerated() -> Enumerated:
        return Enumerated((one, two), usage=Usage(10, 10, 0.5))

    async def outline() -> Outline:
        return Outline((one, two), (PlanGroup(0, ("task-1",)), PlanGroup(1, ("task-2",))))

    async def scenario() -> None:
        run = await tables.build()
        await run.do(Step(Role.IMPLEMENT, 1, "enumerate"), enumerated)
        await run.do(Step(Role.IMPLEMENT, 1, "enumerate", ask=2), refused)
        await run.do(Step(Role.LAND, 1, "plan"), outline)
        await tables.loop(LoopDrive(tmp_path, works("TASK_COMPLETE")))

    asyncio.run(scenario())
    first, second = tables.all(tasks)
    assert (first["id"], first["status"], first["assigned_loop_id"]) == ("task-1", "completed", "loop-1")
    assert (second["id"], second["status"], second["dependencies"]) == ("task-2", "pending", '["task-1"]')
    assert [(row["group_index"], row["task_ids"]) for row in tables.all(plan_groups)] == [
        (0, '["task-1"]'), (1, '["task-2"]'),
    ]  # fmt: skip
    history = [(row["phase"], row["success"], row["cost_usd"]) for row in tables.all(phase_history)]
    assert history == [("enumerate", 1, 0.5), ("enumerate", 0, 0.0), ("plan", 1, 0.0)]
    build = next(row for row in tables.all(runs) if row["id"] == "r-build")
    assert (build["spec_path"], build["effort"], build["base_branch"]) == ("spec.md", "high", "main")


def test_what_loops_cost_is_added_up_by_loop_and_by_phase(tables: Tables, tmp_path: Path) -> None:
    def builds(request: Request) -> Reply:
        return Reply(str(works("ITERATION_DONE", "TASK_COMPLETE")(request)), usage=Usage(1, 1, 0.25))

    def review(request: Request) -> Reply:
        return Reply(says_result(passed=True), usage=Usage(1, 1, 0.5))

    async def scenario() -> None:
        await tables.build()
        await tables.loop(LoopDrive(tmp_path, builds, review=review))

    asyncio.run(scenario())
    assert tables.one(loops)["cost_usd"] == pytest.approx(1.0)
    assert {row["phase"]: row["cost_usd"] for row in tables.all(phase_costs)} == {"build": 0.5, "review": 0.5}
    assert tables.one(loop_reviews)["cost_usd"] == 0.5


def test_a_write_that_is_not_committed_leaves_no_row_either(tables: Tables, tmp_path: Path) -> None:
    class Died(Exception):
        pass

    def die(point: str) -> None:
        if point == "run_started:written":
            raise Died

    async def scenario() -> None:
        await tables.build()
        spec = {"loop": codec.plain(LoopDrive(tmp_path, works("")).part)}
        with pytest.raises(Died):
            await tables.bench.journal(on_point=die).start(new("r-loop", spec, "r-build"))

    asyncio.run(scenario())
    assert tables.all(loops) == []


def test_a_run_that_is_no_loop_and_no_build_writes_none_of_it(tables: Tables) -> None:
    async def scenario() -> None:
        run = await tables.bench.journal().start(replace(new("r-other", {}), started=OF_LOOPS))
        await run.end(Stop(Outcome.CANCELLED, Reason.CANCELLED_BY_USER), 130)

    asyncio.run(scenario())
    assert tables.all(loops) == tables.all(phase_history) == []


def test_a_build_that_is_cleaned_away_takes_its_rows_along(tables: Tables, tmp_path: Path) -> None:
    async def scenario() -> None:
        build = await tables.build()
        await tables.loop(
            LoopDrive(
                tmp_path,
                works("TASK_COMPLETE"),
                review=lambda request: says_result(passed=False),
                revisions=0,
            )
        )
        await build.end(Stop(Outcome.CANCELLED, Reason.CANCELLED_BY_USER), 130)

    asyncio.run(scenario())
    assert tables.all(review_issues) != []
    execute(tables.bench.database, [Removal(run, "old", 0, ()) for run in ("r-build", "r-loop")])
    for table in (runs, loops, loop_reviews, review_issues, phase_history):
        assert tables.all(table) == []
