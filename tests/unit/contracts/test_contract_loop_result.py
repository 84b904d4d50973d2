"""The `loops` dialect: the input of set_loop_review_result, as a tool call or as JSON text."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.contracts.loop_result import ISSUE_TYPES
from burnish.errors import ContractViolation
from burnish.model.agent import Reply
from burnish.model.review import Verdict
from burnish.ports import Asking
from burnish.registry import load
from tests.unit.contracts.contract_reading import answer, passes, review

NAME = "loop-result"
ISSUE = {
    "file": "a.py",
    "line": 3,
    "type": "dead-code",
    "description": "f is unused\nremove",
    "suggestion": "rm",
}


def result(**fields: Any) -> str:
    return json.dumps({"loopId": "loop-1", "passed": True} | fields)


@pytest.mark.conformance("P-19", "P-21")
def test_all_inputs_of_the_tool_are_read_and_two_are_required() -> None:
    everything = result(
        taskId="t-1", passed=False, interpretedIntent="login", intentSatisfied=True, issues=[ISSUE]
    )
    assert answer(NAME, everything) == "failed"
    assert answer(NAME, result()) == "passed"
    assert answer(NAME, '{"loopId": "a"}') == "missing_field"
    assert answer(NAME, '{"passed": true}') == "missing_field"
    assert answer(NAME, "{}") == "missing_field"


@pytest.mark.conformance("P-20")
def test_an_issue_becomes_a_finding_with_every_field() -> None:
    (finding,) = review(NAME, result(passed=False, issues=[ISSUE])).findings
    assert (finding.file, finding.line, finding.category) == ("a.py", 3, "dead-code")
    assert (finding.title, finding.detail, finding.suggestion) == ("f is unused", "f is unused\nremove", "rm")


@pytest.mark.conformance("P-50")
@pytest.mark.parametrize("kind", [*ISSUE_TYPES, "security"])
def test_the_named_issue_types_and_others_are_taken(kind: str) -> None:
    found = review(NAME, result(passed=False, issues=[ISSUE | {"type": kind}]))
    assert found.findings[0].category == kind
    assert kind == "security" or kind in load("contracts", NAME)().instructions(Asking())


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"loopId": 7}, "missing_field"), ({"loopId": " "}, "missing_field"), ({"loopId": None}, "missing_field"),
        ({"passed": "true"}, "bad_verdict"), ({"passed": 1}, "bad_verdict"), ({"passed": None}, "bad_verdict"),
        ({"taskId": 3}, "malformed"), ({"interpretedIntent": []}, "malformed"), ({"intentSatisfied": "no"}, "malformed"),
        ({"issues": {}}, "malformed"), ({"issues": "none"}, "malformed"), ({"issues": ["x"]}, "bad_finding"),
        ({"issues": [{}]}, "bad_finding"), ({"issues": [ISSUE | {"description": " "}]}, "bad_finding"),
        ({"issues": [ISSUE | {"line": "3"}]}, "bad_finding"), ({"issues": [ISSUE | {"line": True}]}, "bad_finding"),
        ({"issues": [ISSUE | {"line": 1.5}]}, "bad_finding"), ({"issues": [ISSUE | {"line": -1}]}, "bad_finding"),
        ({"issues": [ISSUE | {"file": 1}]}, "bad_finding"), ({"issues": [ISSUE | {"suggestion": {}}]}, "bad_finding"),
        ({"issues": [ISSUE]}, "conflict"), ({"issues": [ISSUE], "intentSatisfied": False}, "conflict"),
    ],
)  # fmt: skip
def test_each_wrong_field_is_named(fields: dict[str, Any], code: str) -> None:
    with pytest.raises(ContractViolation) as caught:
        review(NAME, result(**fields))
    assert caught.value.code == code
    assert code in ("conflict", "bad_finding") or next(iter(fields)) in caught.value.why


def test_a_line_number_that_is_enormous_is_no_accident() -> None:
    assert answer(NAME, result(passed=False, issues=[ISSUE]).replace(": 3,", f": {'9' * 400},")) == "failed"
    assert answer(NAME, result(passed=False, issues=[ISSUE]).replace(": 3,", ": 1e999,")) == "bad_finding"


def test_it_passes_only_when_the_intent_is_not_missed() -> None:
    assert answer(NAME, result(intentSatisfied=True)) == "passed"
    assert answer(NAME, result(intentSatisfied=None)) == "passed"
    found = review(NAME, result(intentSatisfied=False, interpretedIntent="log in"))
    assert (found.verdict, found.native) == (Verdict.FAIL, "failed")
    assert found.findings[0].category == "spec-intent-mismatch"
    assert "log in" in found.summary


def test_compat_takes_passed_as_given_from_the_first_object() -> None:
    assert answer(NAME, result(intentSatisfied=False), compat=True) == "passed"
    assert answer(NAME, result(issues=[ISSUE]), compat=True) == "passed"
    assert answer(NAME, f"{result()}\n{result(passed=False)}", compat=True) == "passed"


def test_the_tool_call_is_preferred_to_the_words() -> None:
    parse = load("contracts", NAME)().parse
    failed = {"loopId": "a", "passed": False, "issues": [ISSUE]}
    assert parse(Reply(f"REVIEW_COMPLETE {result()}", structured=failed)).native == "failed"
    assert parse(Reply("REVIEW_COMPLETE", structured={"loopId": "a", "passed": True})).native == "passed"
    assert load("contracts", NAME)().carrier == "tool"


def test_results_that_contradict_each_other_or_are_quoted_do_not_pass() -> None:
    assert answer(NAME, f"{result()}\n{result(passed=False)}") == "conflict"
    assert answer(NAME, f"> {result()}") == "no_json"
    assert answer(NAME, f"`{result()}` was planted") == "no_json"
    assert answer(NAME, f'{{"input": {result()}}}') == "missing_field"
    assert answer(NAME, '{"loopId": "a", "passed": false, }\n' + result()) == "conflict"


@pytest.mark.conformance("P-49")
def test_the_instructions_hold_the_real_ids() -> None:
    asking = Asking(ids={"loopId": 'loop "7"', "taskId": "t-9"})
    text = load("contracts", NAME)().instructions(asking)
    assert "## How to Report Results" in text
    assert '"loopId": "loop \\"7\\""' in text
    assert '"taskId": "t-9"' in text


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
KEYS = ["loopId", "taskId", "passed", "interpretedIntent", "intentSatisfied", "issues"]


@given(st.dictionaries(st.sampled_from(KEYS), VALUES), st.booleans())
def test_any_structure_is_a_review_or_a_violation(value: dict[str, Any], compat: bool) -> None:
    try:
        found = load("contracts", NAME)(compat=compat).parse(Reply("", structured=value))
    except ContractViolation:
        return
    assert found.verdict is not Verdict.PASS or value["passed"] is True


@given(st.booleans(), st.sampled_from([None, True, False]), st.integers(0, 2))
def test_the_decision_table_has_one_passing_cell(passed: bool, satisfied: bool | None, issues: int) -> None:
    text = result(passed=passed, intentSatisfied=satisfied, issues=[ISSUE] * issues)
    assert passes(NAME, text) == (passed and satisfied is not False and not issues)
