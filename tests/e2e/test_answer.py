"""`burnish answer`: a question waits for a person, and what asked goes on where it was."""

from __future__ import annotations

import json
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.builds import BUILDER, ENV, Builds
from tests.cli import Said, burnish, until_killed
from tests.e2e.bench import Bench
from tests.e2e.killer import Deed, commit
from tests.queues import APPROVER, QueueBench
from tests.repos import TestRepo

# Begins, asks, and ends what it began once it is told; every line is another one.
ASKER = """
half = Path('half.txt')
half.write_text((half.read_text() if half.exists() else '') + f'{role} {os.urandom(4).hex()}\\n')
print('done' if role == 'fix' or 'in euros' in prompt else 'I began.\\n\\nQUESTION: Which currency?')
"""
DISCUSSER = """
print('**Verdict: APPROVED**' if 'no caching' in prompt else 'Shall it be cached?\\n\\n**Verdict: NEEDS_DISCUSSION**')
"""


@pytest.fixture
def bench(tmp_path: Path, repo: Callable[..., TestRepo]) -> QueueBench:
    made = QueueBench(tmp_path, repo({"app.py": "start\n"}))
    made.configure(ASKER, DISCUSSER)
    return made


def _run_of(said: Said) -> str:
    return said.out.partition(":")[0].split()[-1]


def test_a_run_asks_twice_and_goes_on_with_each_answer(bench: QueueBench) -> None:
    asked = bench.do("run", "Add a till", "--profile", "task", code=5)
    run = _run_of(asked)
    assert f"{run}: the implementer asks: Which currency?" in asked.out
    assert f"answer with: burnish answer {run} 'YOUR ANSWER'" in asked.out
    for verb in (("status",), ("runs",), ("show", run)):
        assert f"burnish answer {run} 'YOUR ANSWER'" in bench.do(*verb).out
    again = bench.do("answer", run[2:], "in", "euros", code=5)
    assert f"run {run} is answered by" in again.out
    assert "the reviewer asks: Shall it be cached?" in again.out
    # Only recorded: nothing is done until somebody goes on.
    later = bench.do("answer", run, "no caching", "--by", "Ann", "--later")
    assert later.out == f"run {run} is answered by Ann; go on with: burnish resume {run}\n"
    assert "burnish answer" not in bench.do("status").out
    twice = bench.do("answer", run, "cache it", code=2)
    assert f"the question of run {run} was answered already, by Ann: 'no caching'." in twice.err
    end = bench.do("resume", run)
    assert f"{run}: passed (APPROVED after 2 cycles)" in end.out
    written = bench.repo.git("show", f"burnish/{run}:half.txt").splitlines()
    assert [line.split()[0] for line in written] == ["implement", "implement", "fix"]
    assert f"{run}: Ann answers: no caching" in bench.do("show", run).out
    assert "the receipt of" in bench.do("receipt", "verify", run).out
    refused = bench.do("answer", run, "more", code=2)
    assert f"run {run} does not wait for an answer: it ended passed (review_passed)." in refused.err


def test_a_task_is_answered_by_its_number_and_work_goes_on_with_it(bench: QueueBench) -> None:
    bench.do("add", "Add Task one", "-a")
    assert "burnish answer 1 'YOUR ANSWER'" in bench.do("work", code=5).out
    status = bench.do("status").out
    assert "#1 asks: Which currency?\n  burnish answer 1 'YOUR ANSWER'\n" in status
    assert "burnish answer 1 'YOUR ANSWER'  answer, and it goes on" in bench.do("status", "--why", "1").out
    # Nothing failed: trying again would only ask the same again.
    assert "task #1 did not fail: it asks something." in bench.do("retry", "1", code=2).err
    assert "expected an answer in words" in bench.do("answer", "1", " ", code=2).err
    assert "Shall it be cached?" in bench.do("answer", "#1", "in euros", code=5).out
    run = str(bench.task(1).task.run_id)
    # The same by the run of the task; `work` takes it up by itself.
    assert "task #1 is answered by" in bench.do("answer", run, "no caching", "--later").out
    assert "the question of task #1 was answered already" in bench.do("answer", "1", "x", code=2).err
    assert "Resuming task #1" in bench.do("work").out
    view = bench.task(1)
    assert (view.final_verdict, view.cycles) == ("APPROVED", 2)
    changes = json.loads(bench.do("show", "1", "--json").out)["changes"]
    assert [(one["what"], one["before"], one["after"]) for one in changes] == [
        ("answer", "Which currency?", "in euros"),
        ("answer", "Shall it be cached?", "no caching"),
    ]


def test_a_persons_verdict_is_the_end_of_a_question(bench: QueueBench) -> None:
    bench.configure(reviewer=DISCUSSER)
    bench.do("add", "Add Task one", "-a")
    bench.do("work", code=5)
    # An answer approves nothing: here the reviewer asks again.
    bench.do("answer", "1", "cache it", code=5)
    assert bench.task(1).final_verdict == "NEEDS_DISCUSSION"
    bench.do("edit", "1", "--verdict", "APPROVED")
    assert "burnish answer" not in bench.do("status").out
    said = bench.do("answer", "1", "no caching", code=2)
    assert "task #1 has a verdict that a person gave: APPROVED." in said.err


def test_a_loop_of_a_build_is_answered_and_the_build_goes_on(
    tmp_path: Path, repo: Callable[..., TestRepo]
) -> None:
    builds = Builds(tmp_path / "build", repo({"shop.md": "# Shop\n\nA cart and a till.\n"}))
    wants = "for name, word in (('till', 'in euros'), ('cart', 'on wheels')):\n    if mine['id'] == name and word not in prompt:\n"
    builds.agent(
        "implementer",
        f"{wants}        print(f'TASK_QUESTION: The {{name}}?')\n        sys.exit()\n" + BUILDER,
    )
    said = builds.run("--effort", "low", "--json")
    assert said.code == 5

    def do(*words: str) -> Said:
        return burnish(builds.repo.path, *words, env=ENV)

    report = json.loads(said.out.splitlines()[-1])
    build, loops = report["run"], report["loops"]
    commands = [f"  burnish answer {one['loop']} 'YOUR ANSWER'" for one in loops]
    assert [line for line in do("status").out.splitlines() if "burnish answer" in line] == commands
    asked = json.loads(do("status", "--questions", "--json").out)
    assert [(one["name"], one["question"]) for one in asked] == [
        (loops[0]["loop"], "The cart?"),
        (loops[1]["loop"], "The till?"),
    ]
    two = do("answer", build, "on wheels")
    assert (two.code, f"2 loops of build {build} wait for a person: 1 (" in two.err) == (2, True)
    recorded = do("answer", loops[0]["run"], "on wheels", "--by", "Ann", "--later")
    assert (
        recorded.out == "loop 1 of shop.md is answered by Ann; go on with: burnish build shop.md --resume\n"
    )
    assert "loop 1 was answered already, by Ann: 'on wheels'." in do("answer", loops[0]["loop"], "x").err
    assert f"{build}-9 is no loop of build {build} as it stands" in do("answer", f"{build}-9", "x").err
    # The other one still waits, and says so.
    assert [line for line in do("status").out.splitlines() if "burnish answer" in line] == commands[1:]
    assert f"{loops[1]['loop']} 'what to do'" in do("build", "status").err
    below = builds.repo.path / "below"
    below.mkdir()
    # The run of a build is gone on with like any other, from anywhere.
    gone_on = burnish(below, "resume", build, env=ENV)
    assert (gone_on.code, "loop 2 needs a person" in gone_on.err) == (5, True), gone_on.err
    end = burnish(below, "answer", build, "in euros", env=ENV)
    assert end.code == 0, end.err + end.out
    stands = json.loads(do("build", "status", "--json").out)["loops"]
    assert [(one["state"], one["iterations"]) for one in stands] == [("merged", 1), ("merged", 1)]
    assert "on wheels" in builds.prompt("cart-build-implement-1")
    assert "in euros" in builds.prompt("till-build-implement-1")
    assert builds.repo.git("ls-tree", "--name-only", "main").split() == ["cart.txt", "shop.md", "till.txt"]


def test_killed_at_a_side_effect_of_an_answer_it_goes_on_to_the_same_end(
    tmp_path: Path, repo: Callable[..., TestRepo]
) -> None:
    bench = Bench(tmp_path, repo({"app.py": "start\n"}))
    QueueBench(tmp_path / "more", bench.repo).configure(ASKER, APPROVER)
    bench.flags = {"profile": "task", "sandbox.mode": "off"}
    asked = tmp_path / "asked"
    assert bench.do(asked)[0] == 5
    waiting = bench.run_in(asked)
    assert waiting is not None

    def do(state: Path, answer: str = "", deadly: int = 0) -> tuple[int | None, list[str]]:
        if not state.exists():
            shutil.copytree(asked, state)
        return until_killed(commit, Deed(str(bench.repo.path), str(state), {}, waiting.id, deadly, answer))

    code, points = do(tmp_path / "whole", "in euros")
    assert code == 0
    first = {name: number for number, name in reversed(list(enumerate(points, 1)))}
    for point in ("question_answered:written", "question_answered:committed", "intent:committed"):
        state = tmp_path / point
        assert do(state, "in euros", first[point])[0] == -signal.SIGKILL
        view = bench.run_in(state)
        assert view is not None
        assert (view.outcome == "escalated") is (point == "question_answered:written")
        # Recorded, it needs no second answer; not recorded, it still asks.
        assert do(state, "in euros" if view.outcome else "")[0] == 0, point
        ended = bench.run_in(state)
        assert ended is not None
        assert (ended.outcome, ended.cycles) == ("passed", 1)
        written = bench.repo.git("show", f"{ended.branch}:half.txt").splitlines()
        assert [line.split()[0] for line in written] == ["implement", "implement"], point
