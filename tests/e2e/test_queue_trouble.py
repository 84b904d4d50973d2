"""Tasks of the queue while something goes wrong around them: one sentence, and a state from which retry works."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from burnish.app.pool_plan import Asked, plan_pool
from burnish.app.queue_place import open_queue
from burnish.model.queue import TaskState
from tests.cli import PROCESSES, Said, start
from tests.queues import APPROVER, WRITER, QueueBench
from tests.repos import TestRepo

TWICE = "print('**Verdict: APPROVED**' if cycle == 2 else '- more\\n\\n**Verdict: CHANGES_REQUESTED**')\n"


@pytest.fixture
def bench(tmp_path: Path, repo: Callable[..., TestRepo]) -> QueueBench:
    bench = QueueBench(tmp_path, repo({"a": "1\n"}))
    bench.configure(reviewer=APPROVER)
    return bench


def run_folder(bench: QueueBench, number: int) -> Path:
    [folder] = bench.state.glob(f"repos/*/runs/{bench.task(number).task.run_id}")
    return folder


def until_ended(bench: QueueBench, number: int = 1) -> None:
    """`work` goes on with what was interrupted, `retry` with what failed; either reaches an end."""
    if bench.task(number).state is TaskState.FAILED:
        bench.do("retry", str(number))
    else:
        bench.do("work", str(number))
    assert (bench.task(number).state, bench.task(number).final_verdict) == (TaskState.COMPLETED, "APPROVED")


def sentence(said: Said) -> str:
    """What was said about a task on stderr, in one line."""
    [line] = [line for line in said.err.splitlines() if line.startswith("task #")]
    return line


@pytest.mark.parametrize("taken", ["{}", "{}/inside"])
def test_a_branch_of_that_name_stays_and_the_result_gets_another_name(bench: QueueBench, taken: str) -> None:
    bench.do("add", "Add it", "-a")
    name = f"burnish/{bench.task(1).task.id}"
    mine = bench.repo.head
    bench.repo.git("branch", taken.format(name), "main")
    bench.do("work")
    task = bench.task(1)
    assert (task.state, task.final_verdict) == (TaskState.COMPLETED, "APPROVED")
    assert task.branch.startswith(f"{name}-")
    assert bench.repo.git("rev-parse", taken.format(name)) == mine
    assert bench.subjects(task.branch)[0] == "Add it"


def test_a_base_that_moves_meanwhile_is_the_base_of_the_next_task_only(bench: QueueBench) -> None:
    at_work, go = bench.folder / "at-work", bench.folder / "go"
    wait = f"Path({str(at_work)!r}).touch()\nwhile not Path({str(go)!r}).exists(): time.sleep(0.02)\n"
    bench.configure(writer=wait + WRITER, reviewer=APPROVER)
    before = bench.repo.head
    bench.do("add", "Task one", "-a")
    bench.do("add", "Task two", "-a")
    child = start(bench.repo.path, "work", "1")
    wait_for(at_work)
    moved = bench.repo.commit("meanwhile", {"b": "2\n"})
    go.touch()
    out, err = child.communicate(timeout=60)
    assert child.returncode == 0, (out, err)
    bench.do("work", "2")
    assert [bench.task(n).base for n in (1, 2)] == [before, moved]
    assert [bench.task(n).final_verdict for n in (1, 2)] == ["APPROVED", "APPROVED"]
    assert bench.repo.head == moved
    bench.do("merge", "1")
    assert "one.txt" in bench.repo.files("main")
    assert "b" in bench.repo.files("main")


@pytest.mark.parametrize("what", ["checkout", "everything"])
def test_a_workspace_that_is_deleted_under_an_agent_is_told_and_made_again(
    bench: QueueBench, what: str
) -> None:
    gone = bench.folder / "gone"
    target = (
        "Path.cwd()"
        if what == "checkout"
        else "next(p for p in Path.cwd().parents if p.parent.name == 'runs')"
    )
    delete = f"import shutil\nif not Path({str(gone)!r}).exists():\n    Path({str(gone)!r}).touch(); shutil.rmtree({target})\n    sys.exit()\n"
    bench.configure(writer=delete + WRITER, reviewer=APPROVER)
    bench.do("add", "Add it", "-a")
    said = bench.do("work", code=None)
    assert said.code
    assert "Traceback" not in said.err + said.out
    task = bench.task(1)
    assert task.state in (TaskState.FAILED, TaskState.INTERRUPTED), task
    if task.state is TaskState.INTERRUPTED:
        assert len(sentence(said)) < 400
    until_ended(bench)
    assert bench.do("receipt", "verify", str(bench.task(1).task.run_id)).code == 0


@pytest.mark.parametrize("landed", [True, False])
def test_a_run_folder_deleted_after_a_failure_does_not_stop_retry(bench: QueueBench, landed: bool) -> None:
    """What has landed is gone on with; what is nowhere any more is done again."""
    broken = bench.folder / "broken"
    broken.touch()
    bench.configure(
        writer=f"if role == 'fix' and Path({str(broken)!r}).exists(): sys.exit(3)\n" + WRITER, reviewer=TWICE
    )
    bench.do("add", "Add it", "-a")
    bench.do("work", code=1)
    first = bench.task(1)
    shutil.rmtree(run_folder(bench, 1))
    if not landed:
        bench.repo.git("branch", "-D", first.branch)
        bench.repo.git("reflog", "expire", "--expire=now", "--all")
        bench.repo.git("gc", "-q", "--prune=now")
    broken.unlink()
    said = bench.do("retry", "1")
    assert ("Implementing..." in said.out) is not landed
    assert ("starts over: what it had made is gone" in said.err) is not landed
    assert bench.task(1).final_verdict == "APPROVED"
    assert bench.subjects(bench.task(1).branch)[:3] == [
        "Address review feedback (cycle 1)", "Add it", "settings",
    ]  # fmt: skip


def test_unfinished_work_whose_folder_was_deleted_is_told_and_retry_starts_over(bench: QueueBench) -> None:
    fixing = bench.folder / "fixing"
    wait = f"m = Path({str(fixing)!r})\nif role == 'fix' and not m.exists():\n    m.touch(); time.sleep(60)\n"
    bench.configure(writer=wait + WRITER, reviewer=TWICE)
    bench.do("add", "Add it", "-a")
    child = start(bench.repo.path, "work")
    wait_for(fixing)
    child.send_signal(signal.SIGKILL)
    child.communicate()
    lost = bench.task(1).task.run_id
    shutil.rmtree(run_folder(bench, 1))
    said = bench.do("work", code=4)
    assert f"task #1: what run {lost} had made is gone: its folder was deleted." in sentence(said)
    assert "task #1 starts over: what it had made is gone" in bench.do("retry", "1").err
    assert (bench.task(1).final_verdict, bench.task(1).task.run_id == lost) == ("APPROVED", False)


def test_a_mirror_that_is_deleted_is_made_again(bench: QueueBench) -> None:
    bench.do("add", "Task one", "-a")
    bench.do("add", "Task two", "-a")
    bench.do("work", "1")
    [mirror] = bench.state.glob("repos/*/mirror.git")
    shutil.rmtree(mirror)
    bench.do("work", "2")
    assert bench.task(2).final_verdict == "APPROVED"


def test_a_receipt_that_cannot_be_written_is_told_and_written_later(bench: QueueBench) -> None:
    bench.do("add", "Add it", "-a")
    [state] = bench.state.glob("repos/*")
    (state / "receipts").touch()
    said = bench.do("work", code=4)
    assert "task #1: writing the receipt failed: " in sentence(said)
    assert bench.task(1).state is TaskState.INTERRUPTED
    (state / "receipts").unlink()
    until_ended(bench)
    assert bench.do("receipt", "verify", str(bench.task(1).task.run_id)).code == 0
    assert bench.subjects(bench.task(1).branch) == ["Add it", "settings", *bench.subjects("main")[1:]]


def test_a_clock_that_was_set_back_a_year_changes_nothing(bench: QueueBench) -> None:
    broken = bench.folder / "broken"
    broken.touch()
    bench.configure(
        writer=f"if role == 'fix' and Path({str(broken)!r}).exists(): sys.exit(3)\n" + WRITER,
        reviewer=TWICE,
    )
    bench.do("add", "Task one", "-a")
    bench.do("work", code=1)
    bench.do("add", "Task two")
    later(bench)
    broken.unlink()
    assert "one" in bench.do("status").out
    bench.do("report", "--since", "1h")
    bench.do("retry", "1")
    task = bench.task(1)
    assert (task.state, task.final_verdict, task.cycles) == (TaskState.COMPLETED, "APPROVED", 2)
    assert (task.duration_s or 0) >= 0
    bench.do("work", "2")
    assert bench.task(2).state is TaskState.COMPLETED


def later(bench: QueueBench) -> None:
    """Every time that was written down so far is a year ahead of the clock."""
    [path] = bench.state.glob("repos/*/burnish.db")
    with closing(sqlite3.connect(path)) as database:
        tables = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
            for column in columns:
                if column in ("at", "until") or column.endswith("_at"):
                    database.execute(
                        f"UPDATE {table} SET {column} = (CAST(substr({column}, 1, 4) AS INTEGER) + 1) || substr({column}, 5) "
                        f"WHERE {column} LIKE '20%'"
                    )
        database.commit()


def test_a_limit_that_an_agent_reports_is_waited_for(bench: QueueBench) -> None:
    limited = bench.folder / "limited"
    limit = f"if not Path({str(limited)!r}).exists():\n    Path({str(limited)!r}).touch(); print('429 too many requests, retry after 1 s', file=sys.stderr); sys.exit(1)\n"
    bench.configure(writer=limit + WRITER, reviewer=APPROVER)
    bench.do("add", "Add it", "-a")
    said = bench.do("work")
    assert "waiting for" in said.out + said.err
    assert bench.task(1).final_verdict == "APPROVED"


def test_a_limit_that_a_fixer_nobody_named_could_not_keep_is_refused_before_the_night(
    bench: QueueBench,
) -> None:
    agents = '[agents]\nimplementer = "codex"\nreviewer = "codex"\n'
    lines = f'{agents}[prices."gpt-6.1-sol"]\ninput = 1.0\noutput = 2.0\n'
    bench.repo.commit("settings", {"burnish.toml": lines})
    bench.do("add", "Add it", "-a")
    said = bench.do("work", "--max-cost", "5", code=2)
    assert "the price of gpt-6-luna (asked by codex) is not known" in said.err
    assert bench.task(1).state is TaskState.PENDING


def test_killed_between_claim_and_run_a_task_is_begun_once(bench: QueueBench) -> None:
    """Killed while its first workspace is made: the run id is given, and no run has begun."""
    bench.do("add", "Add it", "-a")
    for pause_s in (0.4, 0.7):
        child = start(bench.repo.path, "work")
        time.sleep(pause_s)
        child.send_signal(signal.SIGKILL)
        child.communicate()
        assert bench.task(1).state in (TaskState.PENDING, TaskState.INTERRUPTED)
    bench.do("work")
    assert bench.subjects(bench.task(1).branch)[:2] == ["Add it", "settings"]


def dies_at(point: str, folder: Path, env: dict[str, str]) -> None:
    """`burnish work`, killed at that point of its first run."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(env)

    def die(at: str) -> None:
        if at == point:
            os.kill(os.getpid(), signal.SIGKILL)

    async def work() -> None:
        with await open_queue() as here:
            plan = await plan_pool(here, Asked(), lambda _: lambda _: None, print)
            pool = replace(plan.pool, hooks=replace(plan.pool.hooks, on_point=die))
            await pool.work(plan.wanted)

    asyncio.run(work())


def kill_at(bench: QueueBench, point: str) -> None:
    child = PROCESSES.Process(target=dies_at, args=(point, bench.repo.path, dict(os.environ)))
    child.start()
    child.join(60)
    assert child.exitcode == -signal.SIGKILL


def test_killed_when_its_run_has_just_ended_a_plan_still_reaches_who_waits_for_it(
    bench: QueueBench,
) -> None:
    plan = "if 'how to' in prompt and 'PLAN-7' not in prompt:\n    print('PLAN-7: one file'); sys.exit()\n"
    seen = f"Path({str(bench.folder / 'seen')!r}).write_text(prompt)\n"
    bench.configure(writer=plan + seen + WRITER, reviewer=APPROVER)
    bench.do("add", "Plan how to log in", "-t", "plan")
    bench.do("add", "Add login", "--depends-on", "1")
    kill_at(bench, "run_finished:committed")
    assert bench.task(1).state is TaskState.COMPLETED
    bench.do("work")
    assert bench.task(2).state is TaskState.COMPLETED
    assert "PLAN-7: one file" in (bench.folder / "seen").read_text()
    assert bench.task(1).task.output_content.strip() == "PLAN-7: one file"
    assert (bench.repo.path / f".burnish/summaries/{bench.task(1).task.id}.md").exists()


def test_killed_when_its_run_has_just_ended_the_review_that_was_asked_for_is_added_once(
    bench: QueueBench,
) -> None:
    bench.do("add", "Add it", "--review")
    kill_at(bench, "run_finished:committed")
    bench.do("work")
    bench.do("work", code=None)
    assert [task["task_type"] for task in json.loads(bench.do("status", "--json").out)] == [
        "implement", "review",
    ]  # fmt: skip
    assert bench.task(2).final_verdict == "APPROVED"


def wait_for(path: Path) -> None:
    deadline = time.monotonic() + 30
    while not path.exists():
        assert time.monotonic() < deadline, f"{path} never appeared"
        time.sleep(0.02)
