"""Answers in the contract's JSON Schema: what agents are held to, read by our own rules all the same."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.codec import dumps
from burnish.contracts._schema import problems
from burnish.errors import ContractViolation
from burnish.model.agent import Reply
from burnish.model.review import Review, Verdict
from burnish.ports import Asking
from burnish.registry import load
from tests.unit.contracts.contract_reading import NAMES

ISSUE = {"file": "a.py", "line": 3, "problem": "it adds twice", "suggestion": None}
COUNTS = {
    "total_findings": 0, "critical": 0, "high": 0, "medium": 0, "low": 0, "files_analyzed": 1,
    "lines_reviewed": 9,
}  # fmt: skip
PASSES: dict[str, dict[str, Any]] = {
    "grade": {
        "report": "All there.",
        "problems": [],
        "compliance": "PASS",
        "quality": "PASS",
        "grade": "PASS",
    },
    "verdict-line": {"review": "Fine.", "must_fix": [], "verdict": "APPROVED"},
    "json-verdict": {"verdict": "pass", "followUpPrompt": "All good."},
    "loop-result": {
        "loopId": "l",
        "taskId": None,
        "passed": True,
        "interpretedIntent": None,
        "intentSatisfied": True,
        "issues": [],
    },
    "findings": {"dimension": "security", "analysis": "I looked.", "summary": COUNTS, "findings": []},
}
# What says that it does not pass, as native structure.
DENIALS: dict[str, dict[str, Any]] = {
    "grade": PASSES["grade"] | {"grade": "FAIL"},
    "verdict-line": {"review": "No.", "must_fix": [ISSUE], "verdict": "CHANGES_REQUESTED"},
    "json-verdict": {"verdict": "drift", "followUpPrompt": "a.py:3 adds twice"},
    "loop-result": PASSES["loop-result"] | {"passed": False},
    "findings": {
        "dimension": "security",
        "analysis": "I looked.",
        "summary": COUNTS | {"total_findings": 1, "high": 1},
        "findings": [
            {
                "id": "sec-1", "title": "t", "severity": "high", "category": "c", "description": "d",
                "file": "a.py", "line": None, "snippet": None, "recommendation": "r", "references": [],
                "impact": None, "metadata": {"confidence": 0.9, "cwe_id": None, "owasp_category": None},
            }
        ],
    },
}  # fmt: skip


def read(name: str, structured: Any, text: str = "", **more: Any) -> Review:
    found: Review = load("contracts", name)().parse(Reply(text, structured=structured, **more))
    return found


def passed(name: str, structured: Any, text: str = "", **more: Any) -> bool:
    try:
        found = read(name, structured, text, **more)
    except ContractViolation:
        return False
    return found.verdict is Verdict.PASS and not found.unclear


def schema_of(name: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = load("contracts", name)().schema(Asking())
    return found


def every_schema(schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield schema
    for inner in (*schema.get("properties", {}).values(), *filter(None, [schema.get("items")])):
        yield from every_schema(inner)


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_is_strict_in_every_object(name: str) -> None:
    schema = schema_of(name)
    assert schema["type"] == "object"
    for part in every_schema(schema):
        if part["type"] == "object":
            assert part["additionalProperties"] is False
            assert part["required"] == list(part["properties"])


@pytest.mark.parametrize("name", NAMES)
def test_a_structured_answer_of_the_schema_is_read(name: str) -> None:
    assert problems(PASSES[name], schema_of(name)) == ()
    assert problems(DENIALS[name], schema_of(name)) == ()
    assert passed(name, PASSES[name])
    denied = read(name, DENIALS[name])
    assert denied.verdict is Verdict.FAIL
    assert not denied.unclear


@pytest.mark.parametrize("name", NAMES)
def test_text_that_repeats_the_structure_does_not_disturb_it(name: str) -> None:
    assert passed(name, PASSES[name], dumps(PASSES[name]))
    assert passed(name, PASSES[name], "done")


@pytest.mark.parametrize("name", NAMES)
def test_text_that_contradicts_a_structured_pass_does_not_pass(name: str) -> None:
    denial = dumps(DENIALS[name])
    for text in (denial, f"I think: {denial}", f"```json\n{denial}\n```", denial[:-1], f"x\n\n{denial}\n\ny"):
        assert not passed(name, PASSES[name], text), text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("verdict-line", "**Verdict: CHANGES_REQUESTED**"),
        ("verdict-line", "Verdict: NEEDS_DISCUSSION"),
        ("verdict-line", "Verdict: APPROVED if the tests pass"),
        ("verdict-line", "## Must-Fix\n\n- a.py:3 adds twice"),
        ("grade", "## Grade: FAIL"),
        ("grade", "## Grade: WARN"),
        ("grade", "Quality: FAIL"),
    ],
)
def test_written_words_against_a_structured_pass_do_not_pass(name: str, text: str) -> None:
    assert not passed(name, PASSES[name], text)
    assert not passed(name, PASSES[name], "done", report=text)
    field = "review" if name == "verdict-line" else "report"
    assert not passed(name, PASSES[name] | {field: text})


@pytest.mark.parametrize("name", NAMES)
def test_a_structured_pass_beside_what_blocks_is_not_a_pass(name: str) -> None:
    blocked: dict[str, dict[str, Any]] = {
        "grade": {"problems": [ISSUE]},
        "verdict-line": {"must_fix": [ISSUE]},
        "json-verdict": {"verdict": "drift"},
        "loop-result": {"issues": [{"description": "it adds twice"}]},
        "findings": {"findings": DENIALS["findings"]["findings"], "summary": None},
    }
    assert not passed(name, PASSES[name] | blocked[name])


def test_parts_graded_worse_than_the_whole_lower_it() -> None:
    found = read("grade", PASSES["grade"] | {"quality": "WARN"})
    assert (found.verdict, found.unclear) == (Verdict.WARN, "the grade PASS contradicts a part graded WARN")


def test_a_structured_answer_becomes_a_review_that_the_fixer_can_read() -> None:
    found = read("verdict-line", DENIALS["verdict-line"] | {"review": "Not yet."})
    assert found.text == (
        "Not yet.\n\n## Must-Fix\n\n- a.py:3: it adds twice\n\n**Verdict: CHANGES_REQUESTED**\n"
    )
    assert read("verdict-line", None, found.text).native == "CHANGES_REQUESTED"
    report = read("grade", PASSES["grade"])
    assert read("grade", None, report.text).native == "PASS"


WRONG = st.sampled_from([None, 0, True, "", "PASS ", "approved", [], {}, [{}], 1.5, "x"])


@given(name=st.sampled_from(NAMES), wrong=WRONG, data=st.data())
def test_an_answer_that_does_not_validate_never_passes(name: str, wrong: Any, data: st.DataObject) -> None:
    """Of verdict-line and grade, whose only structured form is the schema; in others its verdict is wrong."""
    said = copy.deepcopy(PASSES[name])
    strict = name in ("verdict-line", "grade")
    key = data.draw(st.sampled_from(sorted(said) if strict else VERDICTS[name]))
    match data.draw(st.sampled_from(["replace", "remove", "add"] if strict else ["replace", "remove"])):
        case "replace":
            said[key] = wrong
        case "remove":
            del said[key]
        case "add":
            said["more"] = wrong
    if problems(said, schema_of(name)):
        assert not passed(name, said)
        assert not passed(name, dumps(said))


VERDICTS = {"json-verdict": ["verdict"], "loop-result": ["passed"], "findings": ["findings"]}


def test_every_error_of_an_answer_is_told_with_its_path() -> None:
    finding = {"title": "t", "severity": "HIGH", "category": "", "line": "three"}
    with pytest.raises(ContractViolation) as found:
        read("findings", {"findings": [finding, "no", finding | {"metadata": {"confidence": 7}}]})
    told = "\n".join(found.value.problems)
    for part in (
        "'dimension' must be a string, found nothing",
        "finding 1 has no 'id', 'description', 'file', 'recommendation'",
        "finding 1: 'severity' must be one of critical, high, medium, low (lower case), found 'HIGH'",
        "finding 1: 'category' is empty",
        "finding 1: 'line' must be a line number, found 'three'",
        "finding 2 must be an object, found 'no'",
        "'metadata' of finding 3: 'confidence' must be a number from 0 to 1, found the number 7",
    ):
        assert part in told
    assert found.value.why == found.value.problems[0]
    with pytest.raises(ContractViolation) as found:
        read("json-verdict", {"verdict": "ok"})
    assert len(found.value.problems) == 2
    with pytest.raises(ContractViolation) as found:
        read("loop-result", {"passed": "yes", "issues": [{}, 3]})
    assert len(found.value.problems) == 4


def test_every_error_of_a_written_contracts_structure_is_told_with_its_path() -> None:
    said = {"review": 3, "must_fix": [{"file": "a", "problem": "p", "line": "1", "suggestion": None}], "x": 1}
    found = read("verdict-line", said)
    assert found.native == "CHANGES_REQUESTED"
    for part in (
        "review must be a string",
        "must_fix[0].line must be",
        "verdict is missing",
        "'x' is not a key",
    ):
        assert part in found.unclear


def test_compat_reads_text_only_and_asks_for_no_schema() -> None:
    for name in ("verdict-line", "grade"):
        contract = load("contracts", name)(compat=True)
        assert contract.schema(Asking()) is None
        assert contract.parse(Reply("", structured=PASSES[name])).verdict is Verdict.FAIL


def test_a_cut_answer_does_not_pass_on_its_structure() -> None:
    assert not passed("verdict-line", PASSES["verdict-line"], truncated=True)
    assert not passed("grade", PASSES["grade"], truncated=True)
