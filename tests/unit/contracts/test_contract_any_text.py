"""Whatever a reviewer writes: an answer or a ContractViolation, soon, and never a pass out of nothing."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from burnish.errors import ContractViolation
from burnish.model.agent import Reply
from burnish.model.review import Verdict
from burnish.registry import load
from tests.unit.contracts.contract_reading import NAMES, answer, passes

CODES = {"no_json", "malformed", "bad_verdict", "bad_followup", "bad_finding", "missing_field", "conflict"}
WORDS = {
    "PASS", "WARN", "FAIL", "APPROVED", "CHANGES_REQUESTED", "NEEDS_DISCUSSION", "pass", "drift", "passed",
    "failed", "fail",
}  # fmt: skip
PIECES = st.sampled_from(
    [
        "{", "}", "[", "]", '"', "'", "\\", "`", "``", "```", "```json\n", "~~~\n", "\n", "\n\n", "\r", "> ", "    ", "\t",
        "<!--", "-->", "<pre>", "</pre>", "<details>\n", "</details>", "<think>", "- ", "1. ", "+", "-", "@@ -1 +1 @@\n",
        "**", "__", "*", "_", "#", "## ", ":", "|", "✅", "❌", "\u200b", "\ufeff", "\x1b[1m", "\x1b[2K", "\x1b]0;", "\x07",
        "\x00", "\ud800", "Verdict", "verdict: ", "APPROVED", "CHANGES_REQUESTED", "Grade", "PASS", "## Grade: PASS",
        "**Verdict: APPROVED**", '{"verdict": "pass", "followUpPrompt": "ok"}', '"verdict"', '"findings": [', "NaN", "1e999",
        '{"loopId": "a", "passed": true}', '{"dimension": "x", "findings": []}', "Quality: FAIL", " ", "x",
    ]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=40).map("".join))
OWN = {
    "grade": ("grade", "pass"), "verdict-line": ("verdict", "approved"), "json-verdict": ('"verdict"', '"pass"'),
    "loop-result": ('"passed"', "true"), "findings": ('"findings"', "dimension"),
}  # fmt: skip
N = 1_000_000
NASTY = {
    "braces": "{" * N, "closing braces": "}" * N, "quotes": '"' * N, "backslashes": "\\" * N, "backticks": "`" * N,
    "newlines": "\n" * N, "returns": "\r" * N, "quote marks": ">" * N, "quote lines": "> \n" * (N // 3),
    "fence and spaces": "```json" + " " * N, "fences": "```\n" * (N // 4), "comments": "<!--" * (N // 4),
    "labels": "**Verdict:" * (N // 10), "verdicts": "**Verdict: APPROVED**\n" * (N // 22),
    "grades": "## Grade: PASS\n" * (N // 15), "headings": "## Verdict\n" * (N // 11), "deep": '{"a":' * (N // 5),
    "deep and closed": '{"a":' * (N // 6) + "1" + "}" * (N // 6), "arrays": "[" * (N // 2) + "]" * (N // 2),
    "array of": '{"a":' + "[" * (N // 2) + "]" * (N // 2) + "}", "empty objects": "{}" * (N // 2),
    "long prose braces": ("{" + "x" * 120) * 8000, "long broken objects": ('{"' + "x" * 120) * 8000,
    "odd strings": '{x"' * (N // 3), "escapes": '{"a":"\\' * (N // 7), "colours": "\x1b[0m" * (N // 4),
    "titles": "\x1b]0;" * (N // 4), "details": "<details>" * (N // 9) + "</details>", "code": "a`" * (N // 2),
    "double code": "`a``" * (N // 4), "tags": "<q>a</q>" * (N // 8), "hunks": "@@ -1 +1 @@\n" * (N // 12),
    "spaces": "**Verdict: APPROVED" + " " * N + "x", "stars": "*" * N + "Verdict: APPROVED",
    "many keys": "{" + ",".join(f'"k{n}":1' for n in range(90_000)) + ',"k89999":1}', "lines": "a\n" * (N // 2),
    "big number": '{"verdict":"pass","followUpPrompt":"ok","n":' + "9" * N + "}", "signs": "Verdict: APPROVED" + "✅" * N,
    "objects": '{"verdict":"pass","followUpPrompt":"x"}\n' * (N // 40), "reports": '{"findings":[{}]}' * (N // 17),
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=100, deadline=None)
@given(text=TEXTS, compat=st.booleans(), report=st.booleans(), cut=st.booleans())
def test_any_text_is_a_review_or_a_violation(
    name: str, text: str, compat: bool, report: bool, cut: bool
) -> None:
    reply = Reply(text, report=text if report else None, truncated=cut)
    try:
        found = load("contracts", name)(compat=compat).parse(reply)
    except ContractViolation as violation:
        assert violation.code in CODES
        assert violation.why.encode("utf8")
        assert name not in ("grade", "verdict-line")
        return
    assert found.native in WORDS
    assert "\n" not in found.summary
    assert len(found.summary) <= 200
    for words in (found.summary, found.text, found.unclear, *(item.detail for item in found.findings)):
        assert words.encode("utf8") is not None
    assert not (found.unclear and found.verdict is Verdict.PASS)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=100, deadline=None)
@given(text=TEXTS)
def test_a_pass_is_never_made_of_nothing(name: str, text: str) -> None:
    if passes(name, text):
        assert all(word in text.lower() for word in OWN[name])


@pytest.mark.parametrize("corpus", NASTY)
@pytest.mark.parametrize("name", NAMES)
def test_a_megabyte_of_anything_is_read_soon(name: str, corpus: str) -> None:
    """The bound here is loose, for busy machines; docs/reference/contracts.md has what was measured."""
    for compat in (False, True) if name in ("verdict-line", "json-verdict") else (False,):
        began = time.process_time()
        answer(name, NASTY[corpus], compat=compat)
        assert time.process_time() - began < 2.0


@pytest.mark.parametrize(
    "piece", ["{", '{"', "`", "`a``", "<!--", "[{", '{x"', "> \n", "**Verdict:\n", "<pre>"]
)
@pytest.mark.parametrize("name", NAMES)
def test_four_times_the_text_takes_no_more_than_some_times_the_time(name: str, piece: str) -> None:
    def seconds(size: int) -> float:
        text, took = piece * (size // len(piece)), []
        for _ in range(2):
            began = time.process_time()
            answer(name, text)
            took.append(time.process_time() - began)
        return min(took)

    assert seconds(400_000) < 10 * seconds(100_000) + 0.1


def test_a_pass_longer_than_the_cap_is_not_relied_on() -> None:
    huge = "x" * 300_001
    assert answer("verdict-line", f"**Verdict: APPROVED**\n{huge}") == "CHANGES_REQUESTED?"
    assert answer("grade", f"## Grade: PASS\n{huge}") == "FAIL?"
    assert answer("json-verdict", f'{{"verdict": "pass", "followUpPrompt": "ok"}}\n{huge}') == "malformed"
    assert answer("json-verdict", f'{huge}\n\n{{"verdict": "pass", "followUpPrompt": "ok"}}') == "malformed"
    assert answer("json-verdict", f'{{"verdict": "drift", "followUpPrompt": "fix"}}\n{huge}') == "drift"
