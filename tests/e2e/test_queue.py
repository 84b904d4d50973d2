"""Tasks of the queue as a user has them done: fire and forget, by hand, and after something went wrong."""

from __future__ import annotations

import ast
import re
import signal
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from burnish.model.queue import TaskState
from burnish.store.database import open_database
from burnish.store.leases import this_process
from burnish.store.queue import Queue
from tests.cli import start
from tests.queues import APPROVER, REVIEWER, WRITER, QueueBench
from tests.repos import TestRepo


@pytest.fixture
def bench(tmp_path: Path, repo: Callable[..., TestRepo]) -> QueueBench:
    bench = QueueBench(tmp_path, repo({"a": "1\n"}))
    bench.configure()
    return bench


@pytest.mark.conformance("G-04", "G-08", "G-75")
def test_one_work_takes_a_task_from_its_prompt_to_an_approved_branch(bench: QueueBench) -> None:
    added = bench.do(
        "add", "Add user authentication", "--type", "implement", "--auto-review", "--max-cycles", "3"
    )
    assert added.out == "Added task #1: Add user authentication (implement, reviewed up to 3 times)\n"
    said = bench.do("work").out.splitlines()
    steps = [line for line in said if "Gate" not in line and "gate" not in line and "branch" not in line]
    assert steps == [
        "Running task #1: Add user authentication",
        "  [1/3] Implementing...",
        "  [1/3] Implementation complete",
        "  [1/3] Running review...",
        "  [1/3] Review: CHANGES_REQUESTED - missing check 1",
        "  [2/3] Improving...",
        "  [2/3] Running review...",
        "  [2/3] Review: CHANGES_REQUESTED - missing check 2",
        "  [3/3] Improving...",
        "  [3/3] Running review...",
        "  [3/3] Review: APPROVED",
        "✓ Task #1 completed (APPROVED after 3 cycles)",
    ]
    task = bench.task(1)
    assert (task.state, task.final_verdict, task.review_cycle) == (TaskState.COMPLETED, "APPROVED", 3)
    assert bench.subjects(task.branch)[:3] == [
        "Address review feedback (cycle 2)",
        "Address review feedback (cycle 1)",
        "Add user authentication",
    ]
    assert "nothing to do" in bench.do("work").err


@pytest.mark.conformance("G-31", "G-32", "G-33")
def test_each_review_is_a_file_with_its_cycle_and_no_task_of_its_own(bench: QueueBench) -> None:
    bench.do("add", "Add it", "-t", "implement", "-a")
    bench.do("work")
    day = bench.task(1).task.created_at[:10].replace("-", "")
    assert bench.reviews() == [f"{day}-task-1-review-{cycle}.md" for cycle in (1, 2, 3)]
    texts = [(bench.repo.path / ".burnish/reviews" / name).read_text() for name in bench.reviews()]
    assert ["missing check 1" in texts[0], "**Verdict: APPROVED**" in texts[2]] == [True, True]
    assert len(bench.do("status").out.split("implement")) == 2
    assert bench.repo.git("status", "--short") == ""


@pytest.mark.conformance("G-12", "G-11", "G-13")
def test_the_short_form_of_add_means_the_same(bench: QueueBench) -> None:
    bench.do("add", "Add feature X", "-t", "implement", "-a")
    bench.do("add", "Add feature Y", "-t", "implement", "-a", "--max-cycles", "5")
    first, second = bench.task(1).task, bench.task(2).task
    assert (first.task_type, first.auto_review, first.max_review_cycles) == ("implement", True, 3)
    assert second.max_review_cycles == 5
    bench.do("work")
    assert [bench.task(n).state for n in (1, 2)] == [TaskState.COMPLETED, TaskState.PENDING]


@pytest.mark.conformance("G-40", "G-59", "G-63")
def test_a_task_that_runs_out_of_cycles_is_complete_and_not_approved(bench: QueueBench) -> None:
    bench.do("add", "Add feature Y", "-a", "--max-cycles", "2")
    said = bench.do("work", code=0)
    assert "✓ Task #1 completed (MAX_CYCLES_REACHED after 2 cycles)" in said.out
    task = bench.task(1)
    assert (task.state, task.final_verdict, task.message) == (
        TaskState.COMPLETED, "MAX_CYCLES_REACHED", "Max review cycles (2) reached without approval",
    )  # fmt: skip
    assert task.branch.startswith("burnish/unapproved/")
    assert (
        "✓ 1. implement Add feature Y    completed  MAX_CYCLES_REACHED (2 cycles)" in bench.do("status").out
    )


@pytest.mark.conformance("G-03", "G-06", "G-82")
def test_the_same_by_hand_is_a_task_for_each_phase(bench: QueueBench) -> None:
    bench.configure(
        reviewer="print('**Verdict: APPROVED**' if '+fix 1' in prompt else 'x\\n\\n**Verdict: CHANGES_REQUESTED**')\n"
    )
    bench.do("add", "Add login")
    bench.do("work")
    assert bench.task(1).final_verdict is None
    bench.do("add", "Review login", "-t", "review", "--depends-on", "1")
    assert "✓ Task #2 completed (CHANGES_REQUESTED after 1 cycle)" in bench.do("work").out
    bench.do("improve", "1")
    bench.do("work")
    bench.do("add", "Review login again", "-t", "review", "--depends-on", "3")
    assert "✓ Task #4 completed (APPROVED after 1 cycle)" in bench.do("work").out
    branch = bench.task(1).branch
    assert bench.subjects(branch)[:2] == ["Address review feedback (cycle 1)", "Add login"]
    assert [name for name in bench.repo.branches if "burnish" in name] == [branch]
    assert [bench.task(n).task.task_type for n in (1, 2, 3, 4)] == [
        "implement",
        "review",
        "improve",
        "review",
    ]


@pytest.mark.conformance("G-15", "G-65", "G-50")
def test_improve_goes_on_from_the_last_review_of_a_task_that_ran_out(bench: QueueBench) -> None:
    seen = bench.folder / "seen"
    keep = f"if role == 'fix': Path({str(seen)!r}).write_text(prompt)\n"
    bench.configure(writer=keep + WRITER)
    bench.do("add", "Add it", "-a", "--max-cycles", "2")
    bench.do("work")
    said = bench.do("improve", "1", "--review", "--note", "and think of negative numbers")
    assert said.out == "Added task #2: Improve #1: Add it (improve)\n"
    done = bench.do("work")
    assert "added task #3: Review #2: Improve #1: Add it" in done.err
    assert "missing check 2" in seen.read_text()
    assert "and think of negative numbers" in seen.read_text()
    assert bench.subjects(bench.task(1).branch)[0] == "Address review feedback (cycle 2)"
    assert (bench.task(2).task.based_on, bench.task(2).task.same_branch) == (1, True)
    assert bench.task(3).task.depends_on == (2,)


def test_improve_needs_work_that_was_reviewed(bench: QueueBench) -> None:
    bench.do("add", "Plan it", "-t", "plan")
    bench.do("add", "Add it")
    assert "is of type plan" in bench.do("improve", "1", code=2).err
    bench.do("work", "2")
    wanted = "Task #2 has no review. Run a review first: burnish add --type review --depends-on 2"
    assert wanted in bench.do("improve", "2", code=2).err


@pytest.mark.conformance("G-16", "G-66")
def test_a_verdict_given_by_a_person_is_theirs(bench: QueueBench) -> None:
    bench.do("add", "Add it", "-a", "--max-cycles", "1")
    bench.do("add", "Go on", "--depends-on", "1")
    bench.do("work")
    assert bench.task(2).blocked_by == (1,)
    receipt = bench.task(1).receipt
    bench.do("edit", "1", "--verdict", "APPROVED", "--why", "read it myself")
    task = bench.task(1)
    assert (task.final_verdict, task.receipt, task.outcome) == ("APPROVED", receipt, "exhausted")
    assert bench.task(2).waits_for == ()
    shown = bench.do("show", "1").out
    assert "MAX_CYCLES_REACHED" in shown
    assert "read it myself" in shown
    assert "expected one of APPROVED" in bench.do("edit", "1", "--verdict", "FINE", code=2).err


@pytest.mark.conformance("G-17", "G-83", "G-58")
def test_retry_goes_on_at_the_phase_that_failed(bench: QueueBench) -> None:
    broken = bench.folder / "broken"
    broken.touch()
    bench.configure(
        writer=f"if role == 'fix' and cycle == 2 and Path({str(broken)!r}).exists(): sys.exit(3)\n" + WRITER
    )
    bench.do("add", "Add it", "-a")
    bench.do("work", code=1)
    failed = bench.task(1)
    assert (failed.state, failed.final_verdict, failed.reason) == (
        TaskState.FAILED, "CHANGES_REQUESTED", "fixer_failed",
    )  # fmt: skip
    broken.unlink()
    said = bench.do("retry", "1")
    assert "Implementing" not in said.out
    assert "✓ Task #1 completed (APPROVED after 3 cycles)" in said.out
    done = bench.task(1)
    assert bench.subjects(done.branch)[:4] == [
        "Address review feedback (cycle 2)", "Address review feedback (cycle 1)", "Add it", "settings",
    ]  # fmt: skip
    [text] = [bench.repo.show(done.branch, name) for name in bench.repo.files(done.branch) if "thing" in name]
    assert [line.split()[:2] for line in text.splitlines()] == [
        ["implement", "1"],
        ["fix", "1"],
        ["fix", "2"],
    ]
    assert bench.do("receipt", "verify", str(done.task.run_id)).code == 0


@pytest.mark.conformance("G-70")
def test_a_phase_that_times_out_keeps_its_progress_and_wants_attention(bench: QueueBench) -> None:
    slow = bench.folder / "slow"
    slow.touch()
    late = f"if role == 'fix' and Path({str(slow)!r}).exists():\n    Path('half').touch(); time.sleep(60)\n"
    bench.configure(writer=late + WRITER, extra="[task_types.implement]\nimprove_timeout_minutes = 0.02\n")
    bench.do("add", "Add it", "-a")
    bench.do("work", code=5)
    task = bench.task(1)
    assert (task.final_verdict, task.reason) == ("CHANGES_REQUESTED", "fixer_timeout")
    assert bench.subjects(task.branch)[0] == "Add it"
    slow.unlink()
    assert "APPROVED after 3 cycles" in bench.do("retry", "1").out


@pytest.mark.conformance("G-02", "G-05", "G-51")
def test_one_execution_holds_the_whole_loop_and_asks_nobody(bench: QueueBench) -> None:
    """Standard input is closed: whoever asked for a person would fail."""
    bench.do("add", "Add it", "-a")
    bench.do("work")
    task = bench.task(1)
    text = bench.repo.show(task.branch, "thing.txt")
    assert [line.split()[:2] for line in text.splitlines()] == [
        ["implement", "1"],
        ["fix", "1"],
        ["fix", "2"],
    ]
    assert (len(bench.do("runs", "--json").events), task.final_verdict) == (1, "APPROVED")


@pytest.mark.conformance("G-37", "G-38", "G-49")
def test_a_review_is_on_disk_before_anything_is_done_about_it(bench: QueueBench) -> None:
    seen = bench.folder / "seen"
    look = (
        f"found = sorted(Path({str(bench.repo.path)!r}, '.burnish/reviews').glob('*'))\n"
        f"Path({str(seen)!r}).write_text(repr([found[-1].name, found[-1].read_text()])) if role == 'fix' else None\n"
    )
    bench.configure(writer=look + WRITER)
    bench.do("add", "Add it", "-a", "--max-cycles", "2")
    bench.do("work")
    name, text = ast.literal_eval(seen.read_text())
    assert name.endswith("-task-1-review-1.md")
    assert "Read as: CHANGES_REQUESTED" in text
    assert "missing check 1" in text


@pytest.mark.conformance("G-10", "G-76")
def test_add_names_the_task_and_work_leaves_a_file_for_each_cycle(bench: QueueBench) -> None:
    said = bench.do("add", "Add feature X", "--type", "implement", "--auto-review", "--max-cycles", "3")
    assert said.out.startswith("Added task #1: Add feature X")
    bench.do("work")
    assert [name.partition("-")[2] for name in bench.reviews()] == [
        "task-1-review-1.md", "task-1-review-2.md", "task-1-review-3.md",
    ]  # fmt: skip
    assert "APPROVED" in (bench.repo.path / ".burnish/reviews" / bench.reviews()[-1]).read_text()


def test_retry_fresh_starts_over(bench: QueueBench) -> None:
    bench.configure(reviewer="print('**Verdict: NEEDS_DISCUSSION**')\n")
    bench.do("add", "Add it", "-a")
    bench.do("work", code=5)
    first = bench.task(1)
    assert (first.state, first.final_verdict) == (TaskState.COMPLETED, "NEEDS_DISCUSSION")
    assert "no phase failed" in bench.do("retry", "1", code=2).err
    bench.configure(reviewer=APPROVER)
    said = bench.do("retry", "1", "--fresh")
    assert "Implementing..." in said.out
    assert bench.task(1).final_verdict == "APPROVED"
    assert bench.task(1).task.run_id != first.task.run_id


def test_more_cycles_let_a_task_go_on_that_ran_out_of_them(bench: QueueBench) -> None:
    bench.do("add", "Add it", "-a", "--max-cycles", "2")
    bench.do("work")
    bench.do("edit", "1", "--max-cycles", "3")
    said = bench.do("retry", "1")
    assert "[3/3] Improving..." in said.out
    assert bench.task(1).final_verdict == "APPROVED"
    assert len(bench.reviews()) == 3


@pytest.mark.conformance("G-29", "G-36", "G-64")
def test_the_cycle_a_task_is_in_is_known_while_it_runs_and_when_it_is_killed(bench: QueueBench) -> None:
    marker = bench.folder / "reviewing"
    wait = f"if cycle == 2:\n    m = Path({str(marker)!r})\n    if not m.exists():\n        m.touch(); time.sleep(60)\n"
    bench.configure(reviewer=wait + REVIEWER)
    bench.do("add", "Add feature Z", "-a")
    assert bench.task(1).review_cycle == 0
    child = start(bench.repo.path, "work")
    _wait_for(marker)
    assert "→ 1. implement Add feature Z    in_progress (cycle 2/3)" in bench.do("status").out
    assert bench.task(1).final_verdict is None
    child.send_signal(signal.SIGKILL)
    child.communicate()
    assert bench.task(1).state is TaskState.INTERRUPTED
    said = bench.do("work")
    assert "Implementing" not in said.out
    assert "✓ Task #1 completed (APPROVED after 3 cycles)" in said.out
    assert len(bench.reviews()) == 3


def test_ctrl_c_stops_every_task_and_work_goes_on_with_them(bench: QueueBench) -> None:
    marker = bench.folder / "at-work"
    wait = f"m = Path({str(marker)!r} + str(os.getpid()))\nif not list(m.parent.glob('go')):\n    m.touch(); time.sleep(60)\n"
    bench.configure(writer=wait + WRITER, reviewer=APPROVER)
    for name in ("one", "two"):
        bench.do("add", f"Task {name}", "-a")
    child = start(bench.repo.path, "work", "--all", "-j", "2")
    deadline = time.monotonic() + 30
    while len(list(bench.folder.glob("at-work*"))) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=30)
    assert child.returncode == 130, (out, err)
    assert {bench.task(n).state for n in (1, 2)} == {TaskState.INTERRUPTED}
    (bench.folder / "go").touch()
    bench.do("work", "--all", "-j", "2")
    assert {bench.task(n).final_verdict for n in (1, 2)} == {"APPROVED"}


def test_a_cancelled_task_ends_alone_and_can_be_taken_up_again(bench: QueueBench) -> None:
    marker = bench.folder / "at-work"
    wait = f"if 'slow' in prompt and not list(Path({str(bench.folder)!r}).glob('go')):\n    Path({str(marker)!r}).touch(); time.sleep(60)\n"
    bench.configure(writer=wait + WRITER, reviewer=APPROVER)
    bench.do("add", "Task slow", "-a")
    bench.do("add", "Task quick", "-a")
    child = start(bench.repo.path, "work", "--all", "-j", "2")
    _wait_for(marker)
    assert "task #1 is cancelled" in bench.do("cancel", "1").out
    child.communicate(timeout=30)
    assert [bench.task(n).state for n in (1, 2)] == [TaskState.CANCELLED, TaskState.COMPLETED]
    (bench.folder / "go").touch()
    bench.do("retry", "1")
    assert bench.task(1).final_verdict == "APPROVED"


def test_two_work_processes_do_each_task_once(bench: QueueBench) -> None:
    tally = bench.folder / "tally"
    bench.configure(
        writer=f"open({str(tally)!r}, 'a').write(prompt.split('Task ')[1].split()[0] + '\\n')\n" + WRITER,
        reviewer=APPROVER,
    )
    for number in range(6):
        bench.do("add", f"Task t{number}", "-a")
    children = [start(bench.repo.path, "work", "--all", "-j", "2") for _ in range(2)]
    for child in children:
        out, err = child.communicate(timeout=90)
        assert child.returncode == 0, (out, err)
    assert sorted(tally.read_text().split()) == [f"t{number}" for number in range(6)]
    assert {bench.task(n).final_verdict for n in range(1, 7)} == {"APPROVED"}


def test_work_stops_when_tasks_fail_in_a_row_for_want_of_an_agent(bench: QueueBench) -> None:
    bench.configure(writer="sys.exit(1)\n", extra="[work]\nstop_after_failures = 2\n")
    for number in range(4):
        bench.do("add", f"Task t{number}")
    said = bench.do("work", "--all", code=1)
    assert "stopped: 2 tasks in a row failed" in said.err
    states = [bench.task(n).state for n in (1, 2, 3, 4)]
    assert states == [TaskState.FAILED, TaskState.FAILED, TaskState.PENDING, TaskState.PENDING]


@pytest.mark.conformance("G-47")
def test_a_plan_feeds_the_task_that_depends_on_it_and_its_reviewer(bench: QueueBench) -> None:
    plan = "if 'Plan' in prompt and 'how to' in prompt:\n    print('PLAN-7: one file'); sys.exit()\n"
    seen = f"Path({str(bench.folder)!r}, 'seen-' + role).write_text(prompt)\n"
    bench.configure(writer=plan + seen + WRITER, reviewer=seen + APPROVER)
    bench.do("add", "Plan how to log in", "-t", "plan")
    bench.do("add", "Add login", "-a", "--depends-on", "1")
    said = bench.do("work", "--all").out
    assert "  Planning..." in said.split("Running task #2")[0]
    assert "Implement" not in said.split("Running task #2")[0]
    assert bench.task(1).task.output_content.strip() == "PLAN-7: one file"
    assert bench.task(2).final_verdict == "APPROVED"
    for role in ("implement", "review"):
        assert "PLAN-7: one file" in (bench.folder / f"seen-{role}").read_text(), role


def test_tasks_of_a_checklist_wait_for_each_other(bench: QueueBench) -> None:
    text = "# Night\n- [ ] Task one\n- [x] Task two\n- [ ] Task three\n  with more words\n  after: #1, #2\n"
    said = bench.do("add", "--from", "-", "-a", stdin=text)
    assert said.out.splitlines() == [
        "Added task #1: Task one (implement, reviewed up to 3 times)",
        "Added task #2: Task three (implement, reviewed up to 3 times, after #1)",
    ]
    assert bench.task(2).task.prompt == "Task three\n  with more words"
    bench.configure(reviewer=APPROVER)
    bench.do("work", "--all")
    assert "one.txt" in bench.repo.files(bench.task(2).branch)


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (["add", "  "], "found an empty prompt"),
        (["add"], "found an empty prompt"),
        (["add", "x", "-t", "review"], "a task of type review needs the task"),
        (["add", "x", "--depends-on", "9"], "there is no task #9"),
        (["add", "x", "--spec", "no.md"], "expected a spec at 'no.md'"),
        (["add", "x", "-t", "plan", "-a"], "tasks of type plan are not reviewed"),
        (["add", "--from", "no.md"], "cannot read 'no.md'"),
        (["work", "7"], "there is no task #7"),
        (["retry", "x!"], "expected the number of a task"),
        (["improve", "3"], "there is no task #3"),
        (["edit", "1"], "there is no task #1"),
        (["rm", "1"], "there is no task #1"),
    ],
)
def test_a_mistake_is_told_in_a_sentence(bench: QueueBench, arguments: list[str], wanted: str) -> None:
    said = bench.do(*arguments, code=2)
    assert wanted in said.err
    assert re.match(r"burnish: [^\n]+\n(\nhint: [^\n]+\n)?$", said.err)


def test_a_circle_of_tasks_is_refused(bench: QueueBench) -> None:
    text = "- [ ] one (after: #2)\n- [ ] two (after: #1)\n"
    said = bench.do("add", "--from", "-", stdin=text, code=2)
    assert "wait for each other for ever: #1 -> #2 -> #1" in said.err
    assert "the queue is empty" in bench.do("rm", "1", code=2).err
    bench.do("add", "one")
    bench.do("add", "two", "--depends-on", "1")
    assert "for ever" in bench.do("edit", "1", "--depends-on", "2", code=2).err


def test_without_an_agent_a_task_fails_in_a_sentence_and_retry_works(
    tmp_path: Path, repo: Callable[..., TestRepo]
) -> None:
    bench = QueueBench(tmp_path, repo({"a": "1\n"}))
    bench.do("add", "Add it", "-a")
    said = bench.do("work", code=1)
    assert "task #1: expected --implementer CMD" in said.err
    assert bench.task(1).state is TaskState.FAILED
    bench.configure(reviewer=APPROVER)
    bench.do("retry", "1")
    assert bench.task(1).final_verdict == "APPROVED"


def _wait_for(path: Path) -> None:
    deadline = time.monotonic() + 30
    while not path.exists():
        assert time.monotonic() < deadline, f"{path} never appeared"
        time.sleep(0.02)


def test_work_that_somebody_refused_is_not_gone_on_with_until_somebody_approves_it(bench: QueueBench) -> None:
    bench.configure(
        reviewer="print('**Verdict: APPROVED**' if '+fix' in prompt else 'x\n\n**Verdict: CHANGES_REQUESTED**')\n".replace(
            "\n\n", "\\n\\n"
        )
    )
    bench.do("add", "Task one")
    bench.do("work")
    bench.do("add", "--type", "review", "--depends-on", "1")
    bench.do("add", "Task three", "--depends-on", "1")
    assert bench.task(2).task.title == "Review #1: Task one"
    bench.do("work", "2")
    assert (bench.task(1).judged, bench.task(3).blocked_by) == ("CHANGES_REQUESTED", (1,))
    assert "is not approved (CHANGES_REQUESTED)" in bench.do("merge", "1", code=2).err
    assert "needs a person" in bench.do("status").out.replace("need a person", "needs a person")
    bench.do("improve", "1", "--review")
    assert (bench.task(3).waits_for, bench.task(3).blocked_by) == ((1,), ())
    bench.do("work", "--all")
    assert bench.task(1).judged == "APPROVED"
    assert bench.task(3).state is TaskState.COMPLETED
    assert "three.txt" in bench.repo.files(bench.task(3).branch)
    assert "fix 1" in bench.repo.show(bench.task(3).branch, "one.txt")
    assert "is not approved" in bench.do("merge", "3", code=2).err
    bench.do("merge", "1")
    bench.do("merge", "3", "--anyway")
    assert {"one.txt", "three.txt"} <= set(bench.repo.files("main"))


def test_work_built_on_what_nobody_approved_is_not_merged_with_it(bench: QueueBench) -> None:
    bench.configure(reviewer=APPROVER)
    bench.do("add", "Task one")
    bench.do("add", "Task two", "-a", "--depends-on", "1")
    bench.do("work", "--all")
    assert bench.task(2).final_verdict == "APPROVED"
    said = bench.do("merge", "2", code=2)
    assert "was built on #1, which is not approved (not reviewed) and would be merged with it" in said.err
    assert "one.txt" not in bench.repo.files("main")


def test_the_words_of_a_review_task_reach_its_reviewer(bench: QueueBench) -> None:
    seen = bench.folder / "seen"
    bench.configure(reviewer=f"Path({str(seen)!r}).write_text(prompt)\n" + APPROVER)
    bench.do("add", "Task one")
    bench.do("work")
    bench.do("add", "Look for missing null checks", "-t", "review", "--depends-on", "1")
    said = bench.do("work")
    assert "Running task #2: Look for missing null checks" in said.out
    assert "Look for missing null checks" in seen.read_text()
    assert "asked for so:\n\nTask one" in seen.read_text()


def test_work_on_a_task_that_cannot_be_worked_on_says_why(bench: QueueBench) -> None:
    bench.configure(reviewer=APPROVER)
    for text in ("Task one", "Task two"):
        bench.do("add", text)
    bench.do("edit", "2", "--depends-on", "1")
    assert "task #2 waits for #1" in bench.do("work", "2", code=2).err
    bench.do("work", "1", "2")
    assert "task #1 is completed (not reviewed): there is nothing to do" in bench.do("work", "1", code=2).err
    bench.do("add", "Task three")
    bench.do("cancel", "3")
    assert "task #3 is cancelled" in bench.do("work", "3", code=2).err


@pytest.mark.parametrize(
    "flags", [("--max-cost", "nan"), ("--max-cost", "-1"), ("--gate", ""), ("--implementer", "")]
)
def test_a_setting_that_no_task_could_have_is_refused_when_it_is_added(
    bench: QueueBench, flags: tuple[str, str]
) -> None:
    assert flags[0] in bench.do("add", "Task one", *flags, code=2).err
    assert "the queue is empty" in bench.do("rm", "1", code=2).err


def test_an_approval_does_not_hold_for_what_was_improved_since(bench: QueueBench) -> None:
    bench.configure(reviewer=APPROVER)
    bench.do("add", "Task one", "-a")
    bench.do("work")
    bench.do("improve", "1")
    bench.do("work")
    bench.do("add", "Task three", "-a", "--depends-on", "1")
    assert (bench.task(1).judged, bench.task(3).blocked_by) == ("improved, not reviewed since", (1,))
    said = bench.do("merge", "1", code=2)
    assert "task #1 is not approved (improved, not reviewed since)" in said.err
    bench.do("add", "--type", "review", "--depends-on", "2")
    bench.do("work", "--all")
    assert bench.task(3).state is TaskState.COMPLETED
    bench.do("merge", "1")


def test_a_verdict_of_a_person_stands_until_the_task_starts_over(bench: QueueBench) -> None:
    bench.do("add", "Task one", "-a", "--max-cycles", "1")
    bench.do("work")
    bench.do("edit", "1", "--verdict", "APPROVED")
    bench.do("merge", "1")
    assert "has a verdict that a person gave: APPROVED" in bench.do("retry", "1", code=2).err
    bench.do("retry", "1", "--fresh")
    assert (bench.task(1).final_verdict, bench.task(1).task.merged_at) == ("MAX_CYCLES_REACHED", None)


def test_settings_never_come_from_the_work_of_a_task(bench: QueueBench) -> None:
    """Task 1 writes a burnish.toml that names a reviewer and a gate of its own; task 2 is built on it."""
    steered = bench.folder / "steered"
    evil = (
        f"[agents]\nimplementer = 'true'\nreviewer = 'touch {steered}'\n[gate]\ncommand = 'touch {steered}'\n"
    )
    bench.configure(
        writer=f"if 'Task one' in prompt: Path('burnish.toml').write_text({evil!r})\n" + WRITER,
        reviewer=APPROVER,
    )
    bench.do("add", "Task one", "-a")
    bench.do("add", "Task two", "-a", "--depends-on", "1")
    bench.do("work", "--all")
    assert "touch" in bench.repo.show(bench.task(2).branch, "burnish.toml")
    assert bench.task(2).final_verdict == "APPROVED"
    # Not even when it is checked out.
    bench.repo.git("checkout", "-q", bench.task(1).branch)
    bench.do("add", "Task three", "-a")
    bench.do("work")
    assert bench.task(3).final_verdict == "APPROVED"
    assert not steered.exists()


def test_what_a_prompt_holds_cannot_steer_a_terminal(bench: QueueBench) -> None:
    bench.configure(reviewer=APPROVER)
    said = bench.do("add", "Task \x1b]0;owned\x07one")
    assert "\x1b" not in said.out + bench.do("work").out + bench.do("status").out
    assert "\x1b" not in bench.repo.git("log", "--format=%s", bench.task(1).branch)


def test_a_fresh_attempt_has_what_earlier_ones_left_of_the_budget(bench: QueueBench) -> None:
    spend = "Path(os.environ['BURNISH_USAGE']).write_text('{\"cost_usd\": 0.5}')\n"
    bench.configure(writer=spend + "sys.exit(1)\n")
    bench.do("add", "Task one", "--max-cost", "0.4")
    bench.do("work", code=1)
    said = bench.do("retry", "1", "--fresh", code=1)
    assert "the budget of this task is used up" in said.err
    assert "Implementing" not in said.out
    bench.do("edit", "1", "--max-cost", "2")
    assert "Implementing" in bench.do("retry", "1", code=1).out


def test_what_a_person_added_to_a_branch_is_not_merged_as_if_it_was_reviewed(bench: QueueBench) -> None:
    bench.configure(reviewer=APPROVER)
    bench.do("add", "Task one", "-a")
    bench.do("work")
    branch = bench.task(1).branch
    more = bench.repo.git("commit-tree", f"{branch}^{{tree}}", "-p", branch, "-m", "more")
    bench.repo.git("update-ref", f"refs/heads/{branch}", more)
    assert "and what was reviewed is" in bench.do("merge", "1", code=1).err
    assert "one.txt" not in bench.repo.files("main")


def test_a_task_held_where_nobody_can_look_is_taken_over_by_whoever_knows(bench: QueueBench) -> None:
    bench.configure(reviewer=APPROVER)
    bench.do("add", "Task one", "-a")
    [path] = bench.state.glob("repos/*/burnish.db")
    elsewhere = replace(this_process(), boot="another", host="another machine")
    with closing(open_database(path)) as database:
        Queue(database, holder=elsewhere).claim(None, lambda name: False)
    assert bench.task(1).state is TaskState.IN_PROGRESS
    assert "nothing to do" in bench.do("work").err
    assert "--take-over" in bench.do("retry", "1", code=2).err
    bench.do("retry", "1", "--take-over")
    assert bench.task(1).final_verdict == "APPROVED"


def test_a_persons_verdict_is_about_the_work_as_it_was_then(bench: QueueBench) -> None:
    bench.do("add", "Task one", "-a", "--max-cycles", "1")
    bench.do("work")
    bench.do("edit", "1", "--verdict", "APPROVED")
    bench.do("add", "Task two", "--depends-on", "1")
    assert bench.task(2).waits_for == ()
    bench.do("improve", "1", "--review")
    bench.do("work", "3")
    assert (bench.task(1).judged, bench.task(2).waits_for) == ("improved, not reviewed since", (1,))
    assert "improved, not reviewed since" in bench.do("merge", "1", code=2).err
    bench.do("work", "4")
    assert (bench.task(1).judged, bench.task(2).blocked_by) == ("CHANGES_REQUESTED", (1,))
    assert "is not approved (CHANGES_REQUESTED)" in bench.do("merge", "1", code=2).err
    said = bench.do("edit", "1", "--verdict", "APPROVED", "--why", "fine now")
    assert "task #3 improved it, so its verdict is APPROVED too" in said.out
    bench.do("merge", "1")
    assert "fix 1" in bench.repo.show("main", "one.txt")


def test_work_that_watches_takes_what_is_added_later(bench: QueueBench) -> None:
    bench.configure(reviewer=APPROVER)
    child = start(bench.repo.path, "work", "--watch")
    bench.do("add", "Task one", "-a")
    deadline = time.monotonic() + 30
    while bench.task(1).state is not TaskState.COMPLETED and time.monotonic() < deadline:
        time.sleep(0.2)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=30)
    assert (child.returncode, bench.task(1).final_verdict) == (130, "APPROVED"), (out, err)
