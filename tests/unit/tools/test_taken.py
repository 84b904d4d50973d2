"""Tool calls of a step: what is taken, what is refused in which words, and what cannot be changed any more."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from burnish.team_ports import Scope, ToolCall
from burnish.tools.catalogue import TOOLS
from burnish.tools.inputs import MOST_ISSUES, MOST_TEXT
from burnish.tools.taken import MOST_CALLS, Answer, Taken

LOOP, REVIEW = "set_loop_review_result", "set_review_result"
REVIEWED = Scope(
    "r-1", "review", (LOOP,), "loop-1", "task-1", {"loop": ("loop-1", "loop-2"), "task": ("task-1", "task-2")}
)
ISSUE = {"file": "a.py", "line": 3, "type": "dead-code", "description": "unused", "suggestion": "remove it"}
PASS = {
    "loopId": "loop-1",
    "taskId": "task-1",
    "passed": True,
    "interpretedIntent": "x",
    "intentSatisfied": True,
}


def scope(*tools: str, **known: tuple[str, ...]) -> Scope:
    return Scope("r-1", "implement", tools, valid=known)


def take(arguments: Any, to: Scope = REVIEWED, tool: str = LOOP) -> Answer:
    return Taken(to).take(tool, arguments)


@pytest.mark.conformance("P-18", "P-19", "P-21")
def test_the_loop_review_tool_is_called_as_the_seed_calls_it() -> None:
    tool = TOOLS[LOOP]
    assert tool.about == "Report review results for a specific loop"
    shown = tool.schema()
    kinds = {name: field["type"] for name, field in shown["properties"].items()}
    assert kinds == {
        "loopId": "string", "taskId": "string", "passed": "boolean", "interpretedIntent": "string",
        "intentSatisfied": "boolean", "issues": "array",
    }  # fmt: skip
    assert shown["required"] == ["loopId", "passed"]
    assert take({"loopId": "loop-1", "passed": True}) == Answer(tool.answer)


@pytest.mark.conformance("P-20")
def test_an_issue_has_the_fields_of_the_seed() -> None:
    item = TOOLS[LOOP].schema()["properties"]["issues"]["items"]
    kinds = {name: field["type"] for name, field in item["properties"].items()}
    assert kinds == dict.fromkeys(("file", "type", "description", "suggestion"), "string") | {
        "line": "number"
    }
    assert not take({"loopId": "loop-1", "passed": False, "issues": [ISSUE]}).refused


@pytest.mark.conformance("P-22")
def test_the_tool_for_enumerate_and_plan_reviews_is_as_it_was() -> None:
    shown = TOOLS[REVIEW].schema()
    assert sorted(shown["required"]) == ["intentSatisfied", "interpretedIntent", "passed"]
    item = shown["properties"]["issues"]["items"]
    assert sorted(item["required"]) == ["description", "file", "suggestion", "type"]
    assert set(item["properties"]) == {"taskId", "file", "line", "type", "description", "suggestion"}
    assert "loopId" not in shown["properties"]
    taken = Taken(scope(REVIEW, task=("task-1",)))
    told = {
        "passed": False,
        "interpretedIntent": "x",
        "intentSatisfied": False,
        "issues": [{**ISSUE, "taskId": "task-1"}],
    }
    assert not taken.take(REVIEW, told).refused
    assert taken.calls(REVIEW) == (ToolCall(REVIEW, told),)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "'loopId' is missing; 'passed' is missing"),
        ({**PASS, "loopId": "loop-2"}, "the loop 'loop-2' is another loop: here only 'loop-1' is valid"),
        ({**PASS, "loopId": "loop-9"}, "the loop 'loop-9' is not known: here only 'loop-1' is valid"),
        ({**PASS, "taskId": "task-2"}, "the task 'task-2' is another task: here only 'task-1' is valid"),
        ({**PASS, "passed": "yes"}, "'passed': input should be a valid boolean, found 'yes'"),
        ({**PASS, "passed": 1}, "'passed': input should be a valid boolean, found the number 1"),
        ({**PASS, "verdict": "x"}, "'verdict' is not known"),
        ({**PASS, "issues": [ISSUE]}, "'passed' is true beside 1 issues"),
        ({**PASS, "passed": False, "issues": [{"description": ""}]}, "'issues.0.description'"),
        ({**PASS, "passed": False, "issues": [{**ISSUE, "type": "nit"}]}, "'over-engineering'"),
        ({**PASS, "passed": False, "issues": [ISSUE] * (MOST_ISSUES + 1)}, f"at most {MOST_ISSUES} items"),
        ({**PASS, "interpretedIntent": "x" * (MOST_TEXT + 1)}, f"at most {MOST_TEXT} characters"),
        ([], "'the arguments' must be an object, found an array"),
        (None, "'the arguments' must be an object, found null"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_and_nothing_but_a_denial_is_kept(arguments: Any, words: str) -> None:
    taken = Taken(REVIEWED)
    answer = taken.take(LOOP, arguments)
    assert answer.refused
    assert answer.text.startswith(f"{LOOP} was not recorded: ")
    assert words in answer.text
    denials = [call.arguments["passed"] for call in taken.calls(LOOP)]
    assert denials == ([False] if isinstance(arguments, dict) and arguments.get("passed") is False else [])


def test_null_counts_as_left_out() -> None:
    taken = Taken(REVIEWED)
    assert not taken.take(LOOP, {"loopId": "loop-1", "passed": True, "taskId": None, "issues": None}).refused
    assert taken.calls(LOOP) == (ToolCall(LOOP, {"loopId": "loop-1", "passed": True}),)


FAIL = {**PASS, "passed": False, "intentSatisfied": False}


@pytest.mark.parametrize(("first", "second"), [(PASS, FAIL), (FAIL, PASS)])
def test_a_verdict_that_contradicts_the_first_one_is_kept_beside_it(first: Any, second: Any) -> None:
    taken = Taken(REVIEWED)
    assert not taken.take(LOOP, first).refused
    again = taken.take(LOOP, second)
    assert again.refused
    assert "both are kept, and do not agree" in again.text
    assert not taken.take(LOOP, first).refused
    assert [call.arguments for call in taken.calls(LOOP)] == [first, second]


def test_a_denial_that_was_refused_for_its_form_is_not_lost_to_a_later_pass() -> None:
    taken = Taken(REVIEWED)
    issue = {"type": "nit", "description": "still subtracts"}
    assert taken.take(LOOP, {**FAIL, "issues": [issue, "x", {"description": 3}]}).refused
    assert not taken.take(LOOP, PASS).refused
    denial = {"loopId": "loop-1", "passed": False, "issues": [{"description": "still subtracts"}]}
    assert [call.arguments for call in taken.calls(LOOP)] == [denial, PASS]


def test_a_denial_in_its_form_stands_for_those_that_were_refused() -> None:
    taken = Taken(REVIEWED)
    assert taken.take(LOOP, {**FAIL, "issues": [{"type": "nit", "description": "x"}]}).refused
    assert not taken.take(LOOP, FAIL).refused
    assert [call.arguments for call in taken.calls(LOOP)] == [FAIL]


def test_a_flood_of_passes_does_not_drown_a_denial() -> None:
    taken = Taken(REVIEWED)
    for number in range(MOST_CALLS):
        taken.take(LOOP, {**PASS, "interpretedIntent": str(number)})
    assert taken.take(LOOP, FAIL).refused
    assert False in [call.arguments["passed"] for call in taken.calls(LOOP)]


def test_a_task_that_is_completed_and_failed_has_both_calls() -> None:
    taken = Taken(Scope("r-1", "implement", ("complete_task", "fail_task"), "loop-1", "task-1"))
    assert not taken.take("complete_task", {"taskId": "task-1"}).refused
    assert (
        "complete_task was called before"
        in taken.take("fail_task", {"taskId": "task-1", "reason": "no"}).text
    )
    assert len(taken.calls("fail_task")) == 1


def test_a_tool_that_the_step_was_not_given_is_not_there() -> None:
    answer = take({"id": "task-1", "title": "x"}, tool="write_task")
    assert answer == Answer(f"there is no tool 'write_task' here: the valid tools are '{LOOP}'", refused=True)


def test_tasks_are_replaced_by_their_id_and_groups_name_tasks_that_are_there() -> None:
    taken = Taken(scope("write_task", "add_plan_group"))
    assert not taken.take("write_task", {"id": "task-1", "title": "One"}).refused
    assert not taken.take("write_task", {"id": "task-2", "title": "Two", "dependencies": ["task-1"]}).refused
    assert "replaces" in taken.take("write_task", {"id": "task-1", "title": "First"}).text
    assert [call.arguments["title"] for call in taken.calls("write_task")] == ["First", "Two"]
    wrong = taken.take("add_plan_group", {"groupIndex": 0, "taskIds": ["task-1", "task-9"]})
    assert "the task 'task-9' is not known (the valid tasks are 'task-1', 'task-2')" in wrong.text
    assert not taken.take("add_plan_group", {"groupIndex": 0, "taskIds": ["task-1"]}).refused


def test_a_question_for_a_person_is_recorded_and_ends_the_turn() -> None:
    taken = Taken(scope("ask_person"))
    answer = taken.take("ask_person", {"question": "Which database?", "options": ["sqlite", "postgres"]})
    assert not answer.refused
    assert "end your turn" in answer.text
    assert taken.calls("ask_person")[0].arguments["question"] == "Which database?"


def test_notes_are_kept_in_their_order_up_to_a_number() -> None:
    taken = Taken(scope("add_context"))
    answers = [taken.take("add_context", {"content": f"note {number}"}) for number in range(MOST_CALLS + 1)]
    assert [answer.refused for answer in answers] == [False] * MOST_CALLS + [True]
    assert taken.calls("add_context")[1].arguments == {"content": "note 1"}


def test_an_id_that_would_steer_a_terminal_is_shown_as_what_it_is() -> None:
    assert "\x1b" not in take({**PASS, "loopId": "\x1b[2Jloop"}).text


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)
NAMES = sorted({name for tool in TOOLS.values() for name in tool.input.model_fields})


@settings(deadline=None)
@given(st.sampled_from(sorted(TOOLS)), st.dictionaries(st.sampled_from(NAMES), JSON, max_size=6) | JSON)
def test_whatever_an_agent_sends_is_answered_in_words(tool: str, arguments: Any) -> None:
    taken = Taken(Scope("r-1", "review", tuple(TOOLS), "loop-1", "task-1"))
    answer = taken.take(tool, arguments)
    assert answer.text
    assert answer.refused == (not taken.calls(tool))


@settings(deadline=None)
@given(st.text(max_size=30), st.booleans())
def test_only_the_own_loop_is_ever_spoken_of(loop: str, passed: bool) -> None:
    taken = Taken(REVIEWED)
    refused = taken.take(LOOP, {"loopId": loop, "passed": passed}).refused
    assert refused == (loop != "loop-1")
