"""One loop of a build: iterations until its task is complete, then review and revise."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from burnish.errors import AgentFailed, AgentMissing
from burnish.loops.effort import PRESETS, Effort
from burnish.loops.state import LoopState, LoopStatus, ReviewStatus, fold, opened
from burnish.model.agent import Request
from burnish.model.change import Change
from burnish.model.events import Noticed, StepFinished
from burnish.model.history import History
from burnish.model.outcome import Outcome
from burnish.model.reason import Reason
from burnish.model.signal import ExitWord
from burnish.model.step import Role
from tests.build_loops import LoopDrive, MemoryBoard, MemoryCalls, MemoryTools, says_result, works


def passes(request: Request) -> str:
    return says_result(passed=True)


def fails(request: Request) -> str:
    return says_result(passed=False)


def state_of(drive: LoopDrive) -> LoopState:
    return fold(opened(drive.part), drive.memory.recorded)


@pytest.mark.conformance("P-02", "P-26")
@pytest.mark.parametrize("effort", Effort)
def test_the_review_comes_as_soon_as_the_task_is_complete_and_not_before(
    tmp_path: Path, effort: Effort
) -> None:
    drive = LoopDrive(tmp_path, works("ITERATION_DONE", "more", "TASK_COMPLETE"), effort=effort)
    ending = drive.run()
    done = [event.step.key for event in drive.memory.events if isinstance(event, StepFinished)]
    assert ending.passed
    assert done == ["implement//1//1", "implement//2//1", "implement//3//1", "review//1//1"]
    assert drive.reviewer.requests[0].tree == ending.history.tree


def test_a_loop_that_is_never_complete_is_never_reviewed(tmp_path: Path) -> None:
    drive = LoopDrive(tmp_path, works("TASK_STUCK: no way in"))
    drive.run()
    assert drive.reviews == []


def test_every_iteration_is_a_commit_on_top_of_the_one_before(tmp_path: Path) -> None:
    drive = LoopDrive(tmp_path, works("ITERATION_DONE", "ITERATION_DONE", "TASK_COMPLETE"))
    ending = drive.run()
    subjects = [text.splitlines()[0] for text in drive.workspaces.messages.values()]
    assert subjects == ["Add a check", "Add a check (iteration 2)", "Add a check (iteration 3)"]
    files = drive.workspaces.trees[ending.history.tree]
    assert files["app.py"] == "start\nimplement 1\nimplement 2\nimplement 3\n"
    assert ending.history.commit == list(drive.workspaces.messages)[-1]


def test_an_iteration_is_told_its_number_and_what_the_one_before_said(tmp_path: Path) -> None:
    drive = LoopDrive(tmp_path, works("ITERATION_DONE", "TASK_COMPLETE"))
    drive.run()
    first, second = drive.iterations
    assert "iteration 1 of at most 6" in first.prompt
    assert "What the iteration before you said" not in first.prompt
    assert "iteration 2 of at most 6" in second.prompt
    assert "did some of it" in second.prompt


def test_an_end_that_counts_as_quoted_is_told_to_people_and_to_the_next_iteration(tmp_path: Path) -> None:
    drive = LoopDrive(tmp_path, works("> TASK_STUCK: x\nTASK_COMPLETE", "TASK_COMPLETE"))
    assert drive.run().passed
    first, second = drive.iterations
    assert "did not count" not in first.prompt
    assert "Its last line, `TASK_COMPLETE`, did not count" in second.prompt
    notes = [event.text for event in drive.memory.events if isinstance(event, Noticed)]
    assert "iteration 1 ends with TASK_COMPLETE, which counts as quoted, so there is another one" in notes


@pytest.mark.conformance("P-34", "P-35")
def test_a_failed_review_is_injected_into_the_revision_and_that_is_reviewed_again(tmp_path: Path) -> None:
    answers = iter((says_result(passed=False), says_result(passed=True)))
    drive = LoopDrive(tmp_path, works("TASK_COMPLETE"), review=lambda request: next(answers))
    ending = drive.run()
    assert ending.passed
    assert len(drive.reviews) == 2
    (revision,) = drive.revisions_asked
    assert "never used" in revision.prompt
    assert "remove it" in revision.prompt
    assert "Loop loop-1" in revision.prompt
    assert drive.reviews[1].tree == ending.history.tree != drive.reviews[0].tree


@pytest.mark.conformance("P-27", "P-33")
def test_a_failed_review_makes_the_loop_need_revision_with_the_issues_as_feedback(tmp_path: Path) -> None:
    drive = LoopDrive(tmp_path, works("TASK_COMPLETE"), review=fails, revisions=0)
    drive.run()
    state = state_of(drive)
    assert state.status is LoopStatus.NEEDS_REVISION
    assert state.review_status is ReviewStatus.FAILED
    assert state.needs_revision
    assert [finding.detail for finding in state.feedback] == ["never used"]


@pytest.mark.conformance("P-24", "P-28")
def test_a_passed_review_needs_no_revision_and_asks_for_none(tmp_path: Path) -> None:
    drive = LoopDrive(tmp_path, works("TASK_COMPLETE"), review=passes)
    assert drive.run().passed
    state = state_of(drive)
    assert not state.needs_revision
    assert state.review_status is ReviewStatus.PASSED
    assert drive.revisions_asked == []


@pytest.mark.parametrize("effort", Effort)
def test_n_revisions_are_n_plus_one_reviews_then_it_is_stuck(tmp_path: Path, effort: Effort) -> None:
    drive = LoopDrive(tmp_path, works("TASK_COMPLETE"), review=fails, effort=effort)
    ending = drive.run()
    most = PRESETS[effort].max_revision_attempts
    assert (len(drive.revisions_asked), len(drive.reviews)) == (most, most + 1)
    assert (ending.stop.outcome, ending.stop.reason) == (Outcome.EXHAUSTED, Reason.FIXES_EXHAUSTED)
    assert state_of(drive).revision_attempts == most


def test_what_was_not_intended_does_not_pass(tmp_path: Path) -> None:
    words = says_result(passed=True, interpretedIntent="a check of input", intentSatisfied=False)
    drive = LoopDrive(tmp_path, works("TASK_COMPLETE"), review=lambda request: words, revisions=0)
    ending = drive.run()
    assert not ending.passed
    review = ending.history.review
    assert review is not None
    assert (review.intent, review.intent_satisfied) == ("a check of input", False)


def test_a_result_for_another_loop_is_asked_for_again_with_the_right_ids(tmp_path: Path) -> None:
    answers = iter((says_result(passed=True, loop="loop-2"), says_result(passed=True)))
    drive = LoopDrive(tmp_path, works("TASK_COMPLETE"), review=lambda request: next(answers))
    assert drive.run().passed
    first, second = drive.reviews
    assert "'loopId' must be \"loop-1\", found 'loop-2'" in second.prompt
    assert '"loopId": "loop-1"' in second.prompt
    assert '"taskId": "task-1"' in second.prompt
    assert "could not be used" not in first.prompt


def test_a_reviewer_that_never_answers_in_form_fails_the_review_without_issues(tmp_path: Path) -> None:
    drive = LoopDrive(tmp_path, works("TASK_COMPLETE"), review=lambda request: "fine", revisions=0)
    ending = drive.run()
    assert len(drive.reviews) == 2
    assert ending.stop.outcome is Outcome.EXHAUSTED
    assert ending.history.review is not None
    assert ending.history.review.findings == ()


def test_an_agent_that_says_it_is_stuck_stops_the_loop_and_its_work_is_kept(tmp_path: Path) -> None:
    drive = LoopDrive(tmp_path, works("ITERATION_DONE", "TASK_STUCK: the schema is missing"))
    ending = drive.run()
    assert (ending.stop.outcome, ending.stop.reason) == (Outcome.STOPPED, Reason.TASK_STUCK)
    assert ending.stop.message == "the schema is missing"
    assert "implement 2" in drive.workspaces.trees[ending.history.tree]["app.py"]


def test_a_question_waits_for_a_person_and_the_work_is_kept(tmp_path: Path) -> None:
    drive = LoopDrive(tmp_path, works("TASK_QUESTION: Which of the two\nschemas holds?"))
    ending = drive.run()
    assert (ending.stop.outcome, ending.stop.reason) == (Outcome.ESCALATED, Reason.QUESTION_ASKED)
    assert ending.stop.message == "Which of the two\nschemas holds?"
    assert ending.history.commit != ending.history.task.start


def test_a_revision_may_ask_a_person_as_well(tmp_path: Path) -> None:
    drive = LoopDrive(
        tmp_path, works("TASK_COMPLETE"), review=fails, revise=works("TASK_QUESTION: Is it used?")
    )
    ending = drive.run()
    assert ending.stop.reason is Reason.QUESTION_ASKED
    assert len(drive.reviews) == 1


def test_the_last_iteration_it_may_take_is_taken_and_no_further(tmp_path: Path) -> None:
    drive = LoopDrive(tmp_path, works("ITERATION_DONE"), max_iterations=3)
    ending = drive.run()
    assert len(drive.iterations) == 3
    assert ending.stop.reason is Reason.TASK_STUCK
    assert ending.stop.message == "not complete after 3 of 3 iterations"


def test_the_same_error_again_and_again_is_stuck_and_another_error_is_not(tmp_path: Path) -> None:
    def breaks(request: Request) -> str:
        number = int(request.variables["BURNISH_CYCLE"])
        raise AgentFailed("no such module" if number < 2 else f"line {number}: out of memory")

    drive = LoopDrive(tmp_path, breaks, effort=Effort.MAX, max_iterations=9)
    ending = drive.run()
    # Two without a change would be as many as max effort allows, so the second error ends it.
    assert len(drive.iterations) == 2
    assert ending.stop.reason is Reason.TASK_STUCK
    drive = LoopDrive(tmp_path, breaks, effort=Effort.LOW, max_iterations=9)
    assert "no file changed in the last 5 iterations" in drive.run().stop.message


def test_an_iteration_is_told_how_the_one_before_failed_and_begins_where_it_began(tmp_path: Path) -> None:
    good = works("ITERATION_DONE", "", "TASK_COMPLETE")

    def builds(request: Request) -> object:
        if request.variables["BURNISH_CYCLE"] == "2":
            (request.workspace / "app.py").write_text("half")
            raise AgentFailed("lost the connection")
        return good(request)

    drive = LoopDrive(tmp_path, builds)  # type: ignore[arg-type]
    ending = drive.run()
    assert ending.passed
    assert "lost the connection" in drive.iterations[2].prompt
    assert drive.workspaces.trees[ending.history.tree]["app.py"] == "start\nimplement 1\nimplement 3\n"
    assert len(drive.workspaces.kept) == 1


def test_no_file_changed_too_often_is_stuck(tmp_path: Path) -> None:
    drive = LoopDrive(tmp_path, lambda request: "thinking\n\nITERATION_DONE", effort=Effort.HIGH)
    ending = drive.run()
    assert len(drive.iterations) == PRESETS[Effort.HIGH].stuck_threshold
    assert ending.stop.message == "no file changed in the last 3 iterations"


def test_an_agent_that_is_gone_ends_the_loop_at_once_and_finished_iterations_are_kept(tmp_path: Path) -> None:
    def builds(request: Request) -> object:
        if request.variables["BURNISH_CYCLE"] == "2":
            raise AgentMissing("no agent 'x'")
        return works("ITERATION_DONE")(request)

    drive = LoopDrive(tmp_path, builds)  # type: ignore[arg-type]
    ending = drive.run()
    assert ending.stop.reason is Reason.IMPLEMENTER_FAILED
    assert "is kept under refs/" in ending.stop.message
    (tree,) = drive.workspaces.kept.values()
    assert drive.workspaces.trees[tree]["app.py"] == "start\nimplement 1\n"


def test_complete_without_any_change_is_no_pass(tmp_path: Path) -> None:
    drive = LoopDrive(tmp_path, lambda request: "TASK_COMPLETE")
    assert drive.run().stop.reason is Reason.EMPTY_CHANGE
    assert drive.reviews == []


def test_a_loop_taken_up_again_asks_nobody_for_what_is_known(tmp_path: Path) -> None:
    drive = LoopDrive(
        tmp_path, works("ITERATION_DONE", "TASK_COMPLETE"), board=MemoryBoard("loop-1", interval=1)
    )
    first = drive.run()
    assert drive.board is not None
    drive.board = drive.board.restarted()
    asked = len(drive.builder.requests), len(drive.reviewer.requests)
    again = drive.run()
    assert (len(drive.builder.requests), len(drive.reviewer.requests)) == asked
    assert again.history.commit == first.history.commit
    assert again.passed


def test_the_change_that_is_reviewed_carries_what_all_iterations_were(tmp_path: Path) -> None:
    drive = LoopDrive(tmp_path, works("ITERATION_DONE", "TASK_COMPLETE"))
    ending = drive.run()
    (whole,) = ending.history.changes
    assert isinstance(whole, Change)
    assert whole.role is Role.IMPLEMENT
    assert whole.before == ending.history.task.start_tree
    assert whole.signal is not None
    assert whole.signal.word is ExitWord.TASK_COMPLETE
    seconds = [drive.memory.results[f"implement//{n}//1"].usage.seconds for n in (1, 2)]
    assert whole.usage.seconds == sum(seconds)


@pytest.mark.conformance("P-01")
def test_reviewers_of_two_loops_work_at_the_same_time(tmp_path: Path) -> None:
    async def both() -> list[str]:
        meet = asyncio.Barrier(2)

        def drive(number: int) -> LoopDrive:
            async def review(request: Request) -> str:
                await meet.wait()
                return says_result(passed=True, loop=f"loop-{number}")

            folder = tmp_path / str(number)
            return LoopDrive(folder, works("TASK_COMPLETE"), review=review, loop=f"loop-{number}")

        endings = await asyncio.wait_for(asyncio.gather(drive(1).drive(), drive(2).drive()), 60)
        return [ending.stop.outcome for ending in endings]

    assert asyncio.run(both()) == [Outcome.PASSED, Outcome.PASSED]


@pytest.mark.conformance("P-04")
def test_a_failed_loop_waits_for_its_own_review_while_others_go_on(tmp_path: Path) -> None:
    async def both() -> list[str]:
        other_is_done, order = asyncio.Event(), list[str]()
        answers = iter((says_result(passed=False), says_result(passed=True)))

        async def revise(request: Request) -> str:
            await other_is_done.wait()
            return str(works("TASK_COMPLETE")(request))

        failed = LoopDrive(
            tmp_path / "1", works("TASK_COMPLETE"), review=lambda request: next(answers), revise=revise
        )
        other = LoopDrive(
            tmp_path / "2", works("ITERATION_DONE", "TASK_COMPLETE"),
            review=lambda request: says_result(passed=True, loop="loop-2"), loop="loop-2",
        )  # fmt: skip

        async def go_on(name: str, drive: LoopDrive) -> None:
            assert (await drive.drive()).passed
            order.append(name)
            other_is_done.set()

        await asyncio.wait_for(asyncio.gather(go_on("failed", failed), go_on("other", other)), 60)
        assert len(failed.reviews) == 2
        return order

    assert asyncio.run(both()) == ["other", "failed"]


def test_a_loop_whose_question_was_answered_goes_on_behind_it(tmp_path: Path) -> None:
    drive = LoopDrive(
        tmp_path,
        works("ITERATION_DONE", "TASK_QUESTION: A or B?", "TASK_QUESTION: Now or later?", "TASK_COMPLETE"),
    )

    async def go_on() -> list[Change]:
        history, found = History(drive.task), list[Change]()
        for _ in range(3):
            # Each time it is a process of its own that begins at the beginning.
            change = await drive.hands().implement(drive.memory, history)
            assert isinstance(change, Change)
            history = history.add(change)
            found.append(change)
        return found

    first, second, third = asyncio.run(go_on())
    assert [change.signal.reason for change in (first, second) if change.signal] == [
        "A or B?",
        "Now or later?",
    ]
    assert third.signal is not None
    assert third.signal.word is ExitWord.TASK_COMPLETE
    assert [change.before for change in (second, third)] == [first.tree, second.tree]
    assert len(drive.iterations) == 4
    total = first.usage + second.usage + third.usage
    steps = [drive.memory.results[f"implement//{number}//1"].usage for number in (1, 2, 3, 4)]
    assert total.seconds == pytest.approx(sum(one.seconds for one in steps))


@pytest.mark.parametrize(
    ("calls", "reason", "message"),
    [
        ((("complete_task", {"taskId": "task-1"}),), Reason.REVIEW_PASSED, ""),
        ((("fail_task", {"reason": "no schema"}),), Reason.TASK_STUCK, "no schema"),
        ((("ask_person", {"question": "A or B?"}),), Reason.QUESTION_ASKED, "A or B?"),
        (
            (("complete_task", {"taskId": "task-1"}), ("ask_person", {"question": "Sure?"})),
            Reason.QUESTION_ASKED,
            "Sure?",
        ),
    ],
)
def test_what_an_agent_calls_counts_more_than_what_it_says(
    tmp_path: Path, calls: tuple[tuple[str, dict[str, str]], ...], reason: Reason, message: str
) -> None:
    def build(request: Request) -> str:
        assert isinstance(request.open_tools, MemoryCalls)
        for name, arguments in calls:
            request.open_tools.call(name, **arguments)
        return str(works("ITERATION_DONE")(request))

    drive = LoopDrive(tmp_path, build, tools=MemoryTools())
    stop = drive.run().stop
    assert (stop.reason, stop.message) == (reason, message)
    assert len(drive.iterations) == 1
    (scope,) = drive.tools.scopes if drive.tools else ()
    assert (scope.loop, scope.task, scope.role) == ("loop-1", "task-1", "implement")


def test_a_note_reaches_the_next_iteration(tmp_path: Path) -> None:
    def build(request: Request) -> str:
        assert isinstance(request.open_tools, MemoryCalls)
        request.open_tools.call("add_context", content="the schema is in db.sql")
        return str(works("ITERATION_DONE", "TASK_COMPLETE")(request))

    drive = LoopDrive(tmp_path, build, tools=MemoryTools())
    assert drive.run().passed
    assert "Note: the schema is in db.sql" in drive.iterations[1].prompt
