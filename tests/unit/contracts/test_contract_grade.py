"""The `spec` dialect: `## Grade: X` in the report."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.contracts.grade import make
from burnish.model.agent import Reply
from burnish.model.review import Verdict
from burnish.ports import Asking
from burnish.registry import load
from tests.unit.contracts.contract_reading import answer, passes, review
from tests.unit.contracts.test_contract_verdict_line import NOISE

NAME = "grade"
PARTS = "## Compliance\n\n{}\n\n## Quality\n\n{}\n\n"


@pytest.mark.conformance("O-14")
def test_the_grade_comes_from_the_report_not_from_the_message() -> None:
    parse = load("contracts", NAME)().parse
    assert parse(Reply("done", report="## Grade: PASS\n", report_witnessed=True)).native == "PASS"
    assert parse(Reply("done", report="## Grade: WARN\n")).native == "WARN"
    assert parse(Reply("## Grade: PASS")).native == "PASS"


def test_a_report_and_a_message_that_disagree_never_pass() -> None:
    parse = load("contracts", NAME)().parse
    for message, report in (("PASS", "FAIL"), ("FAIL", "PASS"), ("WARN", "PASS"), ("PASS", "WARN")):
        found = parse(Reply(f"## Grade: {message}", report=f"## Grade: {report}\n", report_witnessed=True))
        assert found.verdict is not Verdict.PASS
        assert "says" in found.unclear
        assert found.denied


def test_a_report_that_a_command_could_have_written_passes_only_beside_the_message() -> None:
    parse = load("contracts", NAME)().parse
    alone = parse(Reply("done", report="## Grade: PASS\n"))
    assert (alone.native, "a command could have written" in alone.unclear) == ("FAIL", True)
    assert parse(Reply("done\n\n## Grade: PASS", report="## Grade: PASS\n")).native == "PASS"


@pytest.mark.conformance("O-25")
@pytest.mark.parametrize("word", ["PASS", "WARN", "FAIL"])
def test_the_three_grades_are_the_three_verdicts(word: str) -> None:
    found = review(NAME, f"# Review\n\nwords\n\n## Grade: {word}\n")
    assert (found.verdict, found.native, found.unclear) == (Verdict(word.lower()), word, "")


@pytest.mark.conformance("O-29", "O-30", "O-31")
@pytest.mark.parametrize("quality", ["PASS", "WARN", "FAIL"])
def test_with_full_compliance_quality_decides(quality: str) -> None:
    assert answer(NAME, PARTS.format("### Grade: PASS", f"### Grade: {quality}")) == quality
    assert answer(NAME, f"### Compliance\n## Grade: PASS\n\n### Quality\n## Grade: {quality}\n") == quality


@pytest.mark.conformance("O-32", "O-33")
@pytest.mark.parametrize("quality", ["PASS", "WARN", "FAIL"])
def test_without_compliance_nothing_helps_and_half_of_it_is_at_most_warn(quality: str) -> None:
    assert answer(NAME, PARTS.format("### Grade: FAIL", f"### Grade: {quality}")) == "FAIL"
    expected = "FAIL" if quality == "FAIL" else "WARN"
    assert answer(NAME, PARTS.format("### Grade: WARN", f"### Grade: {quality}")) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Compliance: FAIL\nQuality: PASS\n\n## Grade: PASS", "FAIL?"),
        ("- **Compliance:** PASS\n- **Quality:** WARN\n\n## Grade: PASS", "WARN?"),
        ("**Final Grade**: FAIL\n\n## Grade: PASS", "FAIL"),
        ("### Phase 1 Grade: FAIL\n\n## Grade: PASS", "FAIL?"),
        ("- **Compliance:** PASS\n- **Quality:** PASS\n\n## Grade: PASS", "PASS"),
        ("Previous Grade: FAIL\n\nAll fixed.\n\n## Grade: PASS", "PASS"),
        ("- Quality: WARN when the linter warns\n\n## Grade: PASS", "PASS"),
        ("## Compliance\n\n### Grade: PASS\n\n## Quality\n\n(out of budget)", "FAIL?"),
        ("## Grade: PASS\n\n## Compliance\n\nok\n\n## Quality\n\nok", "FAIL?"),
        ("Compliance: fail\n\n## Grade: PASS", "FAIL?"),
        ("| Compliance | FAIL |\n\n## Grade: PASS", "FAIL?"),
        ("Quality: not acceptable\n\n## Grade: PASS", "FAIL?"),
    ],
)
def test_a_part_can_lower_the_grade_and_never_raise_it(text: str, expected: str) -> None:
    assert answer(NAME, text) == expected


@pytest.mark.conformance("O-41", "O-42", "O-43")
def test_compat_is_the_seeds_substring_rule_with_pass_first() -> None:
    assert answer(NAME, "I will not write ## Grade: PASS.\n\n## Grade: FAIL", compat=True) == "PASS"
    assert answer(NAME, "## Grade: WARN\n## Grade: FAIL", compat=True) == "WARN"
    assert answer(NAME, "## Grade: FAIL", compat=True) == "FAIL"
    assert answer(NAME, "nothing", compat=True) == "FAIL?"
    assert answer(NAME, "## grade: pass", compat=True) == "FAIL?"


@pytest.mark.conformance("O-43")
@pytest.mark.parametrize("text", ["", "done", "## Grade:\n", "## Grade: A-", "# Review\n\nFine."])
def test_text_without_a_grade_is_fail_and_says_why(text: str) -> None:
    found = review(NAME, text)
    assert found.verdict is Verdict.FAIL
    assert "grade" in found.unclear


@pytest.mark.parametrize(
    "text",
    [
        "##  Grade:  PASS", "## Grade : PASS", "## grade: pass", "## Grade: PASS ##", "## **Grade: PASS**",
        "## Grade: `PASS`", "## Grade: *PASS*", "## Grade: ✅ PASS", "## Final Grade: PASS", "## Grade:\n\nPASS",
        "## Grade\n\n**PASS**\n", "> x\n\n## Grade: PASS", "## Grade: PASS.", "###### Grade: PASS",
        "## Grade: PASS|WARN|FAIL\n\nDone.\n\n## Grade: PASS", "## Previous Grade: FAIL\n\nIt is fixed.\n\n## Grade: PASS",
    ],
)  # fmt: skip
def test_a_clear_pass_is_taken(text: str) -> None:
    assert answer(NAME, text) == "PASS"


@pytest.mark.parametrize(
    "text",
    [
        "##Grade: PASS", "Grade: PASS", "**Final Grade**: PASS", "## Compliance Grade: PASS", "Grade: PASS\n=====",
        "## Grade: PASS — no issues", "## Grade: PASS with nits", "## Grade: PASSED", "## Grade: PASS_WITH_NITS",
        "## Grade: PASS/FAIL", "## Grade: [PASS|WARN]", "    ## Grade: PASS", "> ## Grade: PASS", "- > ## Grade: PASS",
        "<!--\n## Grade: PASS\n-->", "```\n## Grade: PASS", '"## Grade: PASS"', "`## Grade: PASS`", "## Grade PASS", " ## Grade: PASS", "> x\n## Grade: PASS",
        "## Grade: PASS ❌", "## Grade: P\u200bASS", "## Gr\u0430de: PASS", "\\## Grade: PASS", "####### Grade: PASS",
        "Final: ## Grade: PASS", "## Grade – PASS", "#\u00a0Grade: PASS", "## Grade: PASS? No.", "+## Grade: PASS",
        "## Grade: ???\n\n## Grade: PASS", "<details>\n\n## Grade: PASS\n\n</details>\n\nstop",
        "x `y\n```\n## Grade: PASS\n```", "## Grade: PAſſ",
    ],
)  # fmt: skip
def test_what_is_quoted_conditional_or_no_heading_does_not_pass(text: str) -> None:
    assert answer(NAME, text) == "FAIL?"


def test_the_worst_of_several_grades_counts() -> None:
    assert answer(NAME, "## Grade: PASS\n\nhm\n\n## Grade: WARN") == "WARN"
    assert answer(NAME, "## Grade: FAIL\n\nno\n\n## Grade: PASS") == "FAIL"
    assert answer(NAME, "```python\n\n## Grade: FAIL\n") == "FAIL"
    assert answer(NAME, "## Grade: PASS\n\n```python\n\n## Grade: FAIL\n") == "FAIL"


def test_the_instructions_name_the_file_and_the_word_to_answer_with() -> None:
    text = load("contracts", NAME)().instructions(Asking(report=Path("/out/review-1.md")))
    assert "`/out/review-1.md`" in text
    assert "answer with `done`" in text


@given(NOISE, NOISE, st.sampled_from(["WARN", "FAIL"]))
def test_noise_and_quotations_around_a_bad_grade_change_nothing(before: str, after: str, word: str) -> None:
    assert answer(NAME, f"{before}\n\n## Grade: {word}\n\n{after}") == word


@given(NOISE)
def test_a_pass_is_taken_as_the_last_word(before: str) -> None:
    assert answer(NAME, f"{before}\n\nAll is well.\n\n## Grade: PASS\n") == "PASS"


@given(NOISE.map(lambda text: text.replace("**Verdict: ", "## Grade: ").replace("APPROVED**", "PASS")))
def test_quotations_alone_never_pass(text: str) -> None:
    assert not passes(NAME, text)


FAILED_PARTS = (
    "FAIL: half is missing",
    "**FAIL**",
    "- FAIL",
    "`FAIL`, see below",
    "Half is missing.\n\nFAIL",
    "- a.py:1: bug\n\nFAIL",
    "Result: FAIL",
    "Verdict: FAIL",
    "❌ FAIL",
    "fail",
    "Fail: half",
)


@pytest.mark.parametrize("graded", FAILED_PARTS)
def test_a_part_graded_under_its_own_heading_lowers_the_grade(graded: str) -> None:
    found = make().parse(Reply(f"## Compliance\n\n{graded}\n\n## Quality\n\nPASS\n\n## Grade: PASS\n"))
    assert (found.native, bool(found.unclear)) == ("FAIL", True)


@pytest.mark.parametrize("heading", ["## Compliance - FAIL", "## Compliance (FAIL)", "### Quality: FAIL"])
def test_a_part_graded_in_its_own_heading_lowers_the_grade(heading: str) -> None:
    assert make().parse(Reply(f"{heading}\n\nHalf is missing.\n\n## Grade: PASS\n")).native == "FAIL"


@pytest.mark.parametrize(
    "words", ["The tests no longer fail.", "Failing input is refused.", "PASS\n\n- no WARN in the logs"]
)
def test_words_about_failing_do_not_lower_the_grade(words: str) -> None:
    found = make().parse(Reply(f"## Compliance\n\n{words}\n\n## Quality\n\nPASS\n\n## Grade: PASS\n"))
    assert (found.native, found.unclear) == ("PASS", "")


def test_the_reason_is_the_finding_and_not_the_grade_of_a_part() -> None:
    text = "## Compliance\n\nPASS\n\n## Quality\n\n- new.py:1: bad name\n\n## Grade: FAIL\n"
    assert make().parse(Reply(text)).summary == "new.py:1: bad name"
