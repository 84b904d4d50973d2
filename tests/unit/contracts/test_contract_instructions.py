"""The half of a contract that goes into the prompt: it asks for what the parser takes, and is no answer itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.model.review import Severity
from burnish.ports import Asking
from burnish.registry import load, names
from tests.unit.contracts.contract_reading import NAMES, answer, passes

ASKINGS = (
    Asking(),
    Asking(cycle=3, report=Path("/tmp/out/review.md"), fail_on=Severity.LOW),
    Asking(ids={"loopId": "loop-1", "taskId": "task-2"}),
)
COMPLIANT = {
    "grade": ("# Report\n\n## Compliance\n\nPASS\n\n## Quality\n\nPASS\n\n## Grade: PASS\n", "PASS"),
    "verdict-line": ("Fine.\n\n## Must-Fix\n\nNone.\n\n**Verdict: APPROVED**\n", "APPROVED"),
    "json-verdict": ('I read it.\n\n{"verdict": "pass", "followUpPrompt": "All tests pass."}\n', "pass"),
    "loop-result": (
        '{"loopId": "loop-1", "taskId": "task-2", "passed": true, "interpretedIntent": "log in",'
        ' "intentSatisfied": true, "issues": []}',
        "passed",
    ),
    "findings": (
        '[{"dimension": "security", "summary": {"total_findings": 0, "critical": 0, "high": 0, "medium": 0,'
        ' "low": 0, "files_analyzed": 1, "lines_reviewed": 9}, "findings": []}]',
        "pass",
    ),
}


def test_there_are_five_contracts() -> None:
    assert sorted(NAMES) == names("contracts")


@pytest.mark.parametrize("asking", ASKINGS, ids=["plain", "file", "ids"])
@pytest.mark.parametrize("name", NAMES)
def test_instructions_given_back_whole_do_not_pass(name: str, asking: Asking) -> None:
    text = load("contracts", name)().instructions(asking)
    assert not passes(name, text)
    assert not passes(name, f"You are a reviewer.\n\n{text}\n\nThe change:\n\n```diff\n+x\n```\n")
    assert not passes(name, f"````\n{text}\n````")
    assert not passes(name, f"```\nan unclosed fence of the prompt\n\n{text}")
    assert not passes(name, "\n".join(f"> {line}" for line in text.splitlines()))
    assert not passes(name, text, compat=True)


@pytest.mark.parametrize("name", NAMES)
@given(
    before=st.sampled_from(["", "```\n", "~~~\n", "`", "<!--", "-->", "{", '"', "<pre>\n"]),
    cut=st.integers(0, 3000),
)
def test_no_piece_of_the_instructions_passes(name: str, before: str, cut: int) -> None:
    text = load("contracts", name)().instructions(ASKINGS[1])
    assert not passes(name, before + text[cut:])
    assert not passes(name, before + text[:cut])


@pytest.mark.parametrize("name", NAMES)
def test_an_answer_as_instructed_passes(name: str) -> None:
    text, native = COMPLIANT[name]
    assert answer(name, text) == native
    assert answer(name, f"I read the change and ran the tests.\n\n{text}\n") == native


@pytest.mark.parametrize("name", NAMES)
def test_the_instructions_say_once_and_not_quoted(name: str) -> None:
    text = load("contracts", name)().instructions(Asking())
    assert "exactly one" in text or "and nothing else" in text
    assert "not in a" in text
    assert "not indented" in text
    assert "not quoted" in text.replace("not\nquoted", "not quoted")
