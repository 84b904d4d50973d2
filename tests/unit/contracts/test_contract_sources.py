"""The sources of one reply: structure, message and report must agree, and silence is no disagreement."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from burnish.errors import ContractViolation
from burnish.model.agent import Reply
from burnish.model.review import Review, Verdict
from burnish.registry import load
from tests.unit.contracts.contract_reading import NAMES
from tests.unit.contracts.test_contract_instructions import COMPLIANT
from tests.unit.contracts.test_contract_structured import DENIALS, PASSES

DENYING_TEXT = {
    "grade": "## Grade: FAIL",
    "verdict-line": "**Verdict: CHANGES_REQUESTED**",
    "json-verdict": '{"verdict": "drift", "followUpPrompt": "a.py:3 adds twice"}',
    "loop-result": '{"loopId": "l", "passed": false}',
    "findings": '{"dimension": "security", "findings": [{"severity": "high"}]}',
}


def passed(name: str, reply: Reply) -> bool:
    try:
        found: Review = load("contracts", name)().parse(reply)
    except ContractViolation:
        return False
    return found.verdict is Verdict.PASS and not found.unclear


@pytest.mark.parametrize("name", NAMES)
def test_a_structured_pass_with_silent_sources_passes(name: str) -> None:
    for text, report in itertools.product(("", "done", "I ran the tests."), (None, "", "Nothing to say.")):
        assert passed(name, Reply(text, report=report, structured=PASSES[name]))


@pytest.mark.parametrize("name", NAMES)
def test_one_denying_source_beside_a_structured_pass_never_passes(name: str) -> None:
    denial = DENYING_TEXT[name]
    for text in (denial, f"I am done.\n\n{denial}\n\nThat is all.", f"```\n{denial}\n```"):
        assert not passed(name, Reply(text, structured=PASSES[name])), text
    assert not passed(name, Reply("", report=denial, structured=PASSES[name]))


@pytest.mark.parametrize("name", NAMES)
def test_calls_that_contradict_each_other_never_pass_whatever_their_order(name: str) -> None:
    first, second = PASSES[name], DENIALS[name]
    for calls in ([first, second], [second, first], [first, second, first], [second, first, first]):
        assert not passed(name, Reply("", structured=calls))
    assert passed(name, Reply("", structured=[first, first]))


@pytest.mark.parametrize("name", NAMES)
def test_prose_alone_is_no_pass_where_structure_was_expected(name: str) -> None:
    text = COMPLIANT[name][0]
    assert passed(name, Reply(text))
    assert not passed(name, Reply(text, structure_expected=True))
    assert passed(name, Reply("", structured=PASSES[name], structure_expected=True))


@pytest.mark.parametrize("name", ["grade", "verdict-line", "json-verdict", "loop-result"])
def test_a_refusal_in_words_beside_a_structured_pass_never_passes(name: str) -> None:
    for text in ("I cannot approve this change.", "It is not ready to be merged.", "I request changes."):
        assert not passed(name, Reply(text, structured=PASSES[name])), text


@pytest.mark.parametrize(
    "given",
    [
        {"verdict": "CHANGES_REQUESTED", "must_fix": ["app.py still subtracts"]},
        {"verdict": "CHANGES_REQUESTED"},
        {"verdict": "NEEDS_DISCUSSION", "note": "which one?"},
    ],
)
def test_a_denial_that_can_be_read_in_a_malformed_structure_is_a_denial(given: dict[str, Any]) -> None:
    found = load("contracts", "verdict-line")().parse(Reply("", structured=given))
    assert found.native == given["verdict"]
    assert found.denied
    assert "form asked for" in found.unclear


def test_a_malformed_approval_is_unclear_and_denies_nothing() -> None:
    found = load("contracts", "verdict-line")().parse(Reply("", structured={"verdict": "APPROVED"}))
    assert (found.native, found.denied, bool(found.unclear)) == ("CHANGES_REQUESTED", False, True)


@pytest.mark.parametrize("name", ["json-verdict", "loop-result", "findings"])
def test_a_violation_tells_whether_a_denial_can_be_read_in_it(name: str) -> None:
    broken = dict(DENIALS[name], extra=[1])
    for key in ("followUpPrompt", "loopId", "dimension"):
        broken.pop(key, None)
    with pytest.raises(ContractViolation) as caught:
        load("contracts", name)().parse(Reply("", structured=broken))
    assert caught.value.denied
