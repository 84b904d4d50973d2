"""`burnish build`: a document built by many loops at once, each reviewed, merged when all have passed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.builds import BUILDER, DOCUMENT, REVIEWER, TASKS, Builds, task
from tests.repos import TestRepo

# Green as long as there is at most one: two changes that are green alone are red together.
ONE_ALONE = "test $(ls | grep -c txt) -lt 2"


@pytest.fixture
def builds(tmp_path: Path, repo: Callable[..., TestRepo]) -> Builds:
    return Builds(tmp_path / "agents", repo({"shop.md": DOCUMENT}))


def files(builds: Builds) -> list[str]:
    return builds.repo.git("ls-tree", "--name-only", "main").split()


@pytest.mark.conformance("P-01", "P-37")
def test_a_document_is_built_by_loops_and_merged_when_all_have_passed(builds: Builds) -> None:
    """Each loop waits for the other one: they get through only if both are built and reviewed at once."""
    meet = (
        "(log / f\"at-{phase}-{mine['id']}\").touch()\nend = time.monotonic() + 60\n"
        "while len(list(log.glob(f'at-{phase}-*'))) < 2:\n    assert time.monotonic() < end\n    time.sleep(0.01)\n"
    )
    builds.agent("implementer", meet + BUILDER)
    builds.agent("reviewer", meet + REVIEWER)
    said = builds.run("--effort", "low")
    assert said.code == 0, said.err
    assert "2 of 2 loops passed and are on main" in said.out
    assert files(builds) == ["cart.txt", "shop.md", "till.txt"]
    assert builds.subjects() == ["Make the till", "Make the cart", "first"]
    status = builds.verb("status").out
    assert re.search(r"loop 1 cart Make the cart: merged, [0-9a-f]{12}", status)


@pytest.mark.conformance("P-24", "P-34", "P-35")
def test_a_loop_whose_review_fails_is_revised_with_the_feedback_while_others_go_on(builds: Builds) -> None:
    builds.agent(
        "reviewer",
        "result(True) if mine['id'] == 'till' or times('loop') > 2 else result(False, 'Too slow.')\n",
    )
    said = builds.run("--effort", "low")
    assert said.code == 0, said.err
    mine = [step for step in builds.steps if step.startswith("cart")]
    assert mine == [
        "cart-build-implement-1", "cart-loop-review-1", "cart-revise-fix-1",
        "cart-loop-review-2", "cart-revise-fix-2", "cart-loop-review-3",
    ]  # fmt: skip
    assert "Too slow." in builds.prompt("cart-revise-fix-1")
    assert [step for step in builds.steps if step.startswith("till")] == [
        "till-build-implement-1",
        "till-loop-review-1",
    ]


@pytest.mark.conformance("P-38")
def test_a_stuck_loop_blocks_its_group_until_a_person_says_how_it_goes_on(builds: Builds) -> None:
    builds.groups, builds.tasks = (TASKS, ("door",)), (task("cart"), task("till"), task("door", "cart"))
    builds.agent("implementer", BUILDER)
    builds.agent(
        "reviewer",
        "result(mine['id'] != 'cart' or 'use a trolley' in prompt, *['Bad.'][: mine['id'] == 'cart' and 'use a trolley' not in prompt])\n",
    )
    said = builds.run("--effort", "low")
    assert said.code == 5
    assert "group 0 is blocked: loop 1 needs a person" in said.err
    # Nothing of a blocked group is merged, and the next group waits.
    assert files(builds) == ["shop.md"]
    status = builds.verb("status").out
    assert "loop 1 cart Make the cart: stuck after 2 revisions" in status
    assert "loop 2 till Make the till: passed" in status
    assert "loop 3 door Make the door: waiting" in status
    assert "does not wait for a person" in builds.verb("resolve", "2", "go").err
    assert "there are 1 (cart), 2 (till), 3 (door)" in builds.verb("resolve", "9").err
    assert "loop 1 is tried again" in builds.verb("resolve", "1", "use a trolley").out
    again = builds.run("--resume")
    assert again.code == 0, again.err
    assert "use a trolley" in builds.prompt("cart-build-implement-1")
    assert files(builds) == ["cart.txt", "door.txt", "shop.md", "till.txt"]
    # What had passed was not done again.
    assert builds.steps.count("till-build-implement-1") == 1


def test_a_loop_that_is_left_out_takes_along_what_needs_it(builds: Builds) -> None:
    builds.groups, builds.tasks = (TASKS, ("door",)), (task("cart"), task("till"), task("door", "cart"))
    builds.agent(
        "implementer",
        "if mine['id'] == 'cart':\n    print('TASK_STUCK: no wheels')\n    sys.exit()\n" + BUILDER,
    )
    said = builds.run("--effort", "low")
    assert (said.code, "no wheels" in said.err) == (5, True)
    builds.verb("resolve", "cart", "--skip")
    again = builds.run("--resume")
    assert again.code == 4
    assert "loop 1, 3 left out, all others merged" in again.err
    assert "it needs cart, which was left out" in again.out
    assert "loop 3 door Make the door: skipped" in builds.verb("status").out
    assert files(builds) == ["shop.md", "till.txt"]


def test_changes_that_are_red_together_are_settled_on_top_of_each_other(builds: Builds) -> None:
    builds.gate = ONE_ALONE
    settle = "if 'red' in prompt and 'Make the cart' in prompt and mine['id'] == 'till':\n    Path('cart.txt').unlink()\n"
    builds.agent("implementer", settle + BUILDER)
    said = builds.run("--effort", "low")
    assert said.code == 0, said.err + said.out
    assert files(builds) == ["shop.md", "till.txt"]
    assert "loop 2 is brought onto main again" in said.out
    for commit in builds.repo.git("rev-list", "main").split():
        assert builds.repo.git("ls-tree", "--name-only", commit).count("txt") < 2


def test_a_question_of_an_agent_waits_for_a_person_and_the_answer_reaches_it(builds: Builds) -> None:
    builds.agent(
        "implementer",
        "if mine['id'] == 'till' and 'in euros' not in prompt:\n    print('TASK_QUESTION: Which currency?')\n    sys.exit()\n"
        + BUILDER,
    )
    said = builds.run("--effort", "low")
    assert said.code == 5
    assert "Which currency?" in said.err + said.out
    assert "Which currency?" in builds.verb("status").out
    builds.verb("resolve", "till", "in euros")
    assert builds.run("--resume").code == 0
    assert files(builds) == ["cart.txt", "shop.md", "till.txt"]


@pytest.mark.conformance("P-03", "P-43")
def test_when_one_loop_is_due_all_loops_at_work_are_looked_at(builds: Builds) -> None:
    """Effort max: after every iteration; what a checkpoint finds is told to the next one."""
    builds.agent(
        "implementer",
        "done = times('build') > 1\nPath(f\"{mine['id']}.txt\").write_text(str(times('build')))\nprint('TASK_COMPLETE' if done else 'ITERATION_DONE')\n",
    )
    builds.agent("reviewer", "result(phase != 'checkpoint', *['Mind the gap.'][: phase == 'checkpoint'])\n")
    said = builds.run("--effort", "max")
    assert said.code == 0, said.err
    looked = {step.partition("-")[0] for step in builds.steps if "-checkpoint-" in step}
    assert looked == {"cart", "till"}
    assert "Mind the gap." in builds.prompt("cart-build-implement-2")
    # Effort max reviews what was enumerated and planned as well.
    assert builds.steps[:4] == [
        "all-enumerate-implement-1",
        "all-review-review-1",
        "all-plan-implement-1",
        "all-review-review-1",
    ]


def test_a_plan_that_is_no_plan_is_asked_for_again_and_then_made_from_the_dependencies(
    builds: Builds,
) -> None:
    builds.tasks, builds.groups = (task("cart"), task("till", "cart")), (TASKS,)
    builds.agent("implementer", BUILDER)
    said = builds.run("--effort", "low", "--dry-run")
    assert said.code == 0, said.err
    assert "the task 'till' is in group 0 and depends on 'cart' in group 0" in builds.prompt(
        "all-plan-implement-1"
    )
    assert "the groups come from what the tasks depend on" in said.out
    assert re.search(r"group 0\n *loop 1 cart .*\ngroup 1\n *loop 2 till", said.out)
    assert "nothing was built (--dry-run)" in said.out
    assert files(builds) == ["shop.md"]
    assert "the build began with --effort low" in builds.run("--resume", "--effort", "max").err
    assert builds.run("--resume").code == 0
    assert files(builds) == ["cart.txt", "shop.md", "till.txt"]


def test_words_that_are_no_tasks_stop_the_build_and_going_on_asks_again(builds: Builds) -> None:
    whole = builds.agents["implementer"]
    builds.agents["implementer"] = "echo nothing"
    said = builds.run()
    assert said.code == 5
    assert "enumerate: no JSON object with 'tasks' found" in said.err
    builds.agents["implementer"] = whole
    again = builds.run("--resume")
    assert again.code == 0, again.err


def test_a_target_that_is_deleted_meanwhile_is_told_and_the_build_goes_on_when_it_is_back(
    builds: Builds,
) -> None:
    builds.repo.git("branch", "goal")
    gone = f"import subprocess\nsubprocess.run(['git', '-C', {str(builds.repo.path)!r}, 'update-ref', '-d', 'refs/heads/goal'])\n"
    builds.agent("reviewer", gone + REVIEWER)
    said = builds.run("--effort", "low", "--onto", "goal")
    assert said.code == 1
    assert "what passes is merged onto goal, not onto main (--onto chooses)" in said.out
    assert "there is no branch goal any more" in said.err
    assert "go on with: burnish build shop.md --resume" in said.err
    builds.repo.git("branch", "goal", "main")
    assert builds.run("--resume").code == 0
    assert builds.repo.git("ls-tree", "--name-only", "goal").split() == ["cart.txt", "shop.md", "till.txt"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("nowhere.md",), "the spec nowhere.md cannot be read"),
        (("shop.md", "--effort", "huge"), "'huge' is not one of 'low', 'medium', 'high', 'max'"),
        (("shop.md", "--resume"), "expected a build of shop.md to go on with, found none"),
        (("status",), "expected a build to go on with, found none"),
        (("resolve", "1"), "expected a build to go on with, found none"),
        (("shop.md", "--onto", "nowhere", "--implementer=true", "--reviewer=true"), "there is no branch 'nowhere'"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_one_sentence(builds: Builds, arguments: tuple[str, ...], sentence: str) -> None:
    said = builds.verb(*arguments)
    assert said.code == 2
    assert sentence in said.err


def test_a_build_whose_reader_goes_away_says_how_it_goes_on(builds: Builds) -> None:
    child = builds.start("--effort", "low", "--json")
    assert child.stdout is not None
    assert child.stderr is not None
    child.stdout.close()
    said = child.stderr.read().decode()
    child.stderr.close()
    assert child.wait() == 130
    assert said == "the reader of its output is gone; go on with: burnish build shop.md --resume\n"


def test_a_build_can_be_followed_as_json(builds: Builds) -> None:
    lines = [json.loads(line) for line in builds.run("--effort", "low", "--json").out.splitlines()]
    assert lines[-1]["kind"] == "build_summary"
    assert [loop["state"] for loop in lines[-1]["loops"]] == ["merged", "merged"]
