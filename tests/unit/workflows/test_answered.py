"""A question ends the loop until a person has answered; then it goes on where it was, and nothing else changes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from burnish.app.choices import build_policy
from burnish.errors import AgentError
from burnish.model.agent import Request
from burnish.model.briefing import Briefing
from burnish.model.change import Change
from burnish.model.mode import GivenReview, Mode
from burnish.model.outcome import Outcome
from burnish.model.profile import Limit, LimitUnit
from burnish.model.question import Answer, asks
from burnish.model.reason import Reason
from burnish.model.step import Role
from burnish.ports import Policy
from tests.loops import Drive, edits, profile_named, says

TASK = profile_named("task")
APPROVED = "**Verdict: APPROVED**\n"
CHANGES = "No check.\n\n**Verdict: CHANGES_REQUESTED**\n"
DISCUSS = "Shall it be cached?\n\n**Verdict: NEEDS_DISCUSSION**\n"


def drive(folder: Path, review: str = APPROVED, *, mode: Mode = Mode.LOOP, can_fix: bool = True) -> Drive:
    def policy(inner: Policy) -> Policy:
        return build_policy(TASK, made.limit or TASK.limit, can_fix=can_fix, wrappers=(), mode=mode)

    made = Drive(folder, TASK, says(review), fix=edits() if can_fix else None, wrap=policy)
    return made


def answer(made: Drive, *texts: str) -> None:
    """As a resumed run knows it: the steps that are finished stay, the answers are new."""
    answers = tuple(Answer(number, "which?", text, "ann") for number, text in enumerate(texts, 1))
    made.briefing = Briefing(answers=answers)


def asking(until: str, question: str = "Which currency?", *, changes: bool = True) -> edits:  # type: ignore[valid-type]
    """A writer that asks until its prompt holds some words, having begun or not."""

    def write(request: Request) -> str:
        if changes or until in request.prompt:
            path = request.workspace / "app.py"
            path.write_text(f"{path.read_text()}{request.role}\n")
        return "done" if until in request.prompt else f"I began.\n\nQUESTION: {question}"

    return write


def test_an_implementer_that_asked_goes_on_from_what_it_had_done(tmp_path: Path) -> None:
    made = drive(tmp_path)
    made.agents[Role.IMPLEMENT].answer = asking("in euros")  # type: ignore[union-attr]
    first = made.run()
    assert (first.stop.outcome, first.stop.reason) == (Outcome.ESCALATED, Reason.QUESTION_ASKED)
    assert (first.stop.message, first.history.questions) == ("Which currency?", 1)
    assert first.history.tree != first.history.task.start_tree
    answer(made, "in euros")
    second = made.run()
    assert second.passed
    once, again = made.asked(Role.IMPLEMENT)
    assert "What a person answered" not in once.prompt
    assert "in euros" in again.prompt
    assert again.variables["BURNISH_PART"] == "answer1"
    # It found what it had begun, and both parts of it are in the result.
    assert again.tree == first.history.tree
    assert "in euros" in made.asked(Role.REVIEW)[0].prompt


@pytest.mark.parametrize("mode", [Mode.LOOP, Mode.IMPLEMENT])
def test_whoever_changed_nothing_and_asks_is_waited_for_too(tmp_path: Path, mode: Mode) -> None:
    made = drive(tmp_path, mode=mode)
    made.agents[Role.IMPLEMENT].answer = asking("in euros", changes=False)  # type: ignore[union-attr]
    assert made.run().stop.reason is Reason.QUESTION_ASKED
    answer(made, "in euros")
    made.no_reviewer = mode is Mode.IMPLEMENT
    end = made.run()
    reason = Reason.REVIEW_SKIPPED if made.no_reviewer else Reason.REVIEW_PASSED
    assert (end.stop.reason, len(end.history.changes), end.history.empty) == (reason, 2, False)


def test_a_second_question_waits_for_an_answer_of_its_own(tmp_path: Path) -> None:
    made = drive(tmp_path)
    made.agents[Role.IMPLEMENT].answer = asking("rounded down")  # type: ignore[union-attr]
    made.run()
    answer(made, "in euros")
    end = made.run()
    assert (end.stop.reason, end.history.questions) == (Reason.QUESTION_ASKED, 2)
    assert len(made.asked(Role.IMPLEMENT)) == 2
    # Going on without a new answer asks nobody again.
    assert made.run().stop.reason is Reason.QUESTION_ASKED
    assert len(made.asked(Role.IMPLEMENT)) == 2
    answer(made, "in euros", "rounded down")
    assert made.run().passed
    assert [one.variables["BURNISH_PART"] for one in made.asked(Role.IMPLEMENT)] == ["", "answer1", "answer2"]


def test_after_needs_discussion_the_fixer_gets_the_answer_and_a_review_decides(tmp_path: Path) -> None:
    made = drive(tmp_path, DISCUSS)
    first = made.run()
    assert (first.stop.outcome, first.stop.reason) == (Outcome.ESCALATED, Reason.NEEDS_DISCUSSION)
    answer(made, "no caching")
    second = made.run()
    # The same words of the reviewer are a question again: an answer is no approval.
    assert (second.stop.reason, second.history.questions) == (Reason.NEEDS_DISCUSSION, 2)
    assert (len(made.asked(Role.FIX)), len(made.asked(Role.REVIEW))) == (1, 2)
    for request in (*made.asked(Role.FIX), made.asked(Role.REVIEW)[1]):
        assert "no caching" in request.prompt
    assert "Shall it be cached?" in made.asked(Role.FIX)[0].prompt
    made.agents[Role.REVIEW].answer = says(APPROVED)  # type: ignore[union-attr]
    answer(made, "no caching", "really")
    assert made.run().passed


def test_without_a_fixer_it_is_reviewed_again(tmp_path: Path) -> None:
    made = drive(tmp_path, DISCUSS, can_fix=False)
    made.run()
    made.agents[Role.REVIEW].answer = says(APPROVED)  # type: ignore[union-attr]
    answer(made, "leave it")
    end = made.run()
    assert end.passed
    assert "leave it" in made.asked(Role.REVIEW)[1].prompt


def test_an_answer_is_worth_one_fix_and_its_review_also_after_the_last(tmp_path: Path) -> None:
    made = drive(tmp_path, DISCUSS)
    made.limit = Limit(LimitUnit.REVIEWS, 1)
    made.run()
    made.agents[Role.REVIEW].answer = says(CHANGES)  # type: ignore[union-attr]
    answer(made, "no caching")
    end = made.run()
    assert (end.stop.reason, len(end.history.reviews), end.history.fixes) == (Reason.CYCLES_EXHAUSTED, 2, 1)


def test_a_fixer_that_asks_goes_on_with_the_same_fix(tmp_path: Path) -> None:
    made = drive(tmp_path, CHANGES)
    made.agents[Role.REVIEW].answer = says(CHANGES, APPROVED)  # type: ignore[union-attr]
    made.agents[Role.FIX].answer = asking("in euros", changes=False)  # type: ignore[union-attr]
    first = made.run()
    assert (first.stop.reason, first.history.fixes) == (Reason.QUESTION_ASKED, 1)
    # It had to ask, so nobody is told that it did nothing.
    assert [note.key for note in made.notes() if note.key.startswith("no_change")] == []
    answer(made, "in euros")
    end = made.run()
    assert (end.passed, end.history.fixes) == (True, 1)
    assert "Your last fix changed nothing" not in made.asked(Role.FIX)[1].prompt
    assert "No check." in made.asked(Role.FIX)[1].prompt


def test_an_improvement_that_asks_goes_on_with_the_review_it_is_about(tmp_path: Path) -> None:
    made = drive(tmp_path)
    made.given = GivenReview("It is too slow.", 3)
    made.agents[Role.FIX].answer = asking("in euros")  # type: ignore[union-attr]
    assert made.run().stop.reason is Reason.QUESTION_ASKED
    answer(made, "in euros")
    assert made.run().passed
    once, again = made.asked(Role.FIX)
    assert "It is too slow." in again.prompt
    assert [one.variables["BURNISH_PART"] for one in (once, again)] == ["given", "givenanswer1"]
    assert again.tree != once.tree


def test_an_agent_that_fails_after_the_answer_has_not_lost_what_it_had_done(tmp_path: Path) -> None:
    made = drive(tmp_path)
    made.agents[Role.IMPLEMENT].answer = asking("in euros")  # type: ignore[union-attr]
    first = made.run()

    def fall(request: Request) -> str:
        raise AgentError("it fell")

    made.agents[Role.IMPLEMENT].answer = fall  # type: ignore[union-attr]
    answer(made, "in euros")
    end = made.run()
    assert end.stop.reason is Reason.IMPLEMENTER_FAILED
    assert end.history.tree == first.history.tree


def test_only_a_question_asks() -> None:
    plain = Change(Role.FIX, "c", "t", "b")
    assert not asks(plain)
    assert not asks(replace(plain, said="QUESTION: x"))
    assert not asks(None)
