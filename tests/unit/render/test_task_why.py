"""`status --why` and what to do next: sentences for every state and reason, and commands that exist."""

from __future__ import annotations

import shlex
from dataclasses import replace

import click
import pytest

from burnish.cli.main import VERBS, burnish
from burnish.model.overview import Cooling
from burnish.model.queue import FINAL_VERDICTS, TaskChange, TaskState, TaskType, TaskView
from burnish.model.reason import Reason
from burnish.model.task_story import Attempt, CycleReview, TaskStory
from burnish.render.next_steps import next_steps
from burnish.render.task_page import task_page
from burnish.render.task_record import story_record
from burnish.render.task_why import why_lines
from tests.unit.render.test_tasks import view

REVIEW = CycleReview(
    "r-a", 2, "2026-11-15T01:00:00Z", "CHANGES_REQUESTED", "missing\x1b[2J checks", ".burnish/reviews/x-2.md"
)


def everything() -> list[TaskView]:
    """A task in every state, with every verdict."""
    found = [view(7, state=state, final_verdict=None) for state in TaskState]
    found += [view(7, final_verdict=verdict) for verdict in FINAL_VERDICTS]
    found += [
        view(7, final_verdict=None),
        view(7, task_type=TaskType.PLAN, final_verdict=None),
        view(7, merged_at="2026-11-15"),
    ]
    pending = view(7, state=TaskState.PENDING, final_verdict=None, waits_for=(3,))
    return [*found, pending, replace(pending, blocked_by=(3,))]


@pytest.mark.parametrize("one", everything(), ids=lambda one: f"{one.state}-{one.final_verdict}")
def test_every_command_that_is_proposed_can_be_typed(one: TaskView) -> None:
    steps = next_steps(one, REVIEW.artifact)
    assert steps
    for command in (part for steps_of, _ in steps for part in steps_of.split(" && ")):
        program, verb, *words = shlex.split(command)
        if program == "cat":
            continue
        assert (program, verb in VERBS) == ("burnish", True), command
        parsed = burnish.get_command(click.Context(burnish), verb)
        assert parsed is not None
        parsed.make_context(verb, words)  # raises for an option or argument that does not exist


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_is_explained_with_something_to_do(reason: Reason) -> None:
    one = view(7, state=TaskState.FAILED, final_verdict=None, reason=str(reason), message="said \x1b[31mso")
    found = "\n".join(why_lines(TaskStory(one)))
    assert f"{reason}: " in found
    assert "what to do: " in found
    assert "said: said \\x1b[31mso" in found
    assert "RUN`" not in found


def test_why_tells_the_last_review_what_people_said_and_what_is_waited_for() -> None:
    other = view(3, "The other", state=TaskState.FAILED, final_verdict=None, message="no agent")
    one = view(7, state=TaskState.PENDING, final_verdict=None, waits_for=(3, 4), blocked_by=(3,))
    change = TaskChange("2026-11-15T02:00:00Z", "ada", "retry", "x", "from where it was", "new key")
    cooling = [Cooling("codex", "2026-11-15T03:12:40.000Z", "quota")]
    story = TaskStory(one, reviews=(REVIEW,), changes=(change,), others={3: other})
    found = why_lines(story, cooling, "2026-11-15T03:00:00Z")
    assert found[1] == "It is pending and will stay so: #3 ended without what it needs."
    assert "ada said so on 2026-11-15 02:00 UTC: retry from where it was (new key)" in found
    assert "The last review (cycle 2) said CHANGES_REQUESTED: missing\\x1b[2J checks" in found
    assert "  .burnish/reviews/x-2.md" in found
    assert "  #3 implement The other is failed: no agent." in found
    assert "  #4 is no longer in the queue." in found
    assert any(line.startswith("codex: quota, next try at ") for line in found)
    assert "burnish status --why 3" in "\n".join(found[found.index("What to do next") :])


def test_work_that_another_task_approved_can_be_merged() -> None:
    one = view(7, final_verdict="MAX_CYCLES_REACHED", judged="APPROVED")
    found = why_lines(TaskStory(one))
    assert found[1].endswith("MAX_CYCLES_REACHED after 3 cycles. The last word on its work: APPROVED.")
    assert found[-1].strip().startswith("burnish merge 7")
    assert next_steps(replace(one, judged="CHANGES_REQUESTED", attended=True))[-1][0] == "burnish work --all"


def test_the_page_of_a_task_has_attempts_reviews_and_changes_and_cleans_them() -> None:
    change = TaskChange("2026-11-15T02:00:00Z", "ada", "verdict", "", "APPROVED", "looked\x07 at it")
    one = view(7, "Add login\n\nWith \x1b[31mcare", flags={"agents.reviewer": "x"}, branch="burnish/b")
    story = TaskStory(one, (Attempt("r-a"),), (REVIEW,), (change,))
    page = task_page(story)
    for wanted in (
        "task       #7  20261115-task-7",
        "state      completed, APPROVED after 3 cycles",
        "  With \\x1b[31mcare",
        "  agents.reviewer = x",
        "  r-a  nothing is recorded about it (never begun, or cleaned)",
        "  cycle 2: CHANGES_REQUESTED: missing\\x1b[2J checks\n    .burnish/reviews/x-2.md",
        "  2026-11-15 02:00:00  ada  verdict APPROVED: looked\\x07 at it",
        "  burnish merge 7  take it into your branch",
    ):
        assert wanted in page
    assert all(line.isprintable() for line in page.splitlines())
    record = story_record(story)
    assert record["reviews"][0]["artifact"] == REVIEW.artifact
    assert record["changes"][0]["by"] == "ada"
    assert record["attempts"] == [{"run": "r-a", "known": False}]
