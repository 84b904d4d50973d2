"""The text that people read: findings by severity, what was left out and why, and the closing summary."""

from __future__ import annotations

from dataclasses import replace

from burnish.model.assessment import Dive
from burnish.model.review import Finding, Severity
from burnish.render.formats.text import render, styled
from tests.unit.render.formats.samples import CLEAN, DISMISSED, DOUBTFUL, FULL, LONG, SQL, with_findings

TEXT = render(FULL)


def section(title: str, text: str = TEXT) -> str:
    """What stands below a heading, up to the next empty line."""
    return text.split(f"\n{title}")[1].split("\n\n")[0]


def test_the_closing_summary_has_the_words_of_the_seed() -> None:
    """Conformance 5b, phase 5: what stands between the slashes are lines."""
    assert " ".join(section("Review Complete", TEXT).split()).startswith(
        "- Summary: Critical: 1 High: 2 Medium: 1 Low: 1 Total findings: 5 "
        "Dimensions reviewed: 6/7 Iterations completed: 2/3"
    )


def test_an_empty_review_has_its_summary_too() -> None:
    assert render(CLEAN).split("\n")[2:8] == [
        "Review Complete - Summary:",
        "  Critical: 0 High: 0 Medium: 0 Low: 0",
        "  Total findings: 0",
        "  Dimensions reviewed: 7/7",
        "  Iterations completed: 0/3",
        "  Outcome: passed",
    ]


def test_findings_stand_below_their_severity_the_worst_first() -> None:
    places = [TEXT.index(f"\n{name} (") for name in ("Critical", "High", "Medium", "Low")]
    assert places == sorted(places)
    assert SQL.title in section("Critical (1)")
    assert LONG.title in section("High (2)")


def test_a_finding_tells_place_lines_reason_remedy_and_who_says_so() -> None:
    told = section("Critical (1)")
    assert "CRITICAL src/shop/orders.py:41  SQL built from user input  [sec-001-1a2b3c4d]" in told
    assert "   41 | query = f" in told
    assert "   42 | cursor.execute(query)" in told
    assert "why: The name of the customer" in told
    assert "do: Pass values as parameters of execute()." in told
    assert "CWE-89" in told
    assert "by ruff, ast-grep" in told
    assert "confidence 0.90" in told
    assert "\n         path, 2 steps:\n" in told
    first = '1. src/shop/web.py:12  name = request.args["name"]  (name comes from the request)'
    assert f"\n           {first}\n           2. src/shop/orders.py:41\n" in told


def test_line_numbers_of_a_snippet_stay_in_one_column() -> None:
    text = render(with_findings(replace(SQL, line=99, snippet="a\nb")))
    assert "\n       99 | a\n      100 | b\n" in text


def test_doubtful_findings_are_listed_and_counted_apart() -> None:
    told = section("Doubtful (1)")
    assert DOUBTFUL.title in told
    assert "confidence 0.30" in told
    assert DOUBTFUL.title not in section("Critical (1)")
    assert "Doubtful, not counted above: 1" in TEXT


def test_dismissed_findings_come_last_with_state_who_and_why() -> None:
    told = section("Dismissed (1)")
    assert DISMISSED.title in told
    assert "F12 accepted-risk by anna: only a cache key" in told
    assert TEXT.index("\nDismissed (1)") > TEXT.index("\nNot reviewed (12)")


def test_older_findings_are_counted_with_the_way_to_see_them() -> None:
    assert "Older than this change, not shown: 3 (--all shows them)" in TEXT
    assert "--all" not in render(CLEAN)


def test_what_is_below_the_severity_asked_for_is_counted() -> None:
    text = render(replace(FULL, min_severity=Severity.HIGH))
    assert "\nMedium (" not in text
    assert "Below --min-severity high, not shown: 2" in text
    assert "Total findings: 5" in text


def test_long_lists_are_cut_and_say_how_much_is_missing() -> None:
    told = section("Not reviewed (12)")
    assert told.count("binary") == 10
    assert "... and 2 more" in told


def test_gaps_failures_and_warnings_are_said() -> None:
    assert "performance: the agent gave no answer in 60 minutes" in section("Dimensions that failed (1)")
    assert "security: claude is not installed" in section("Only the embedded reviewer looked (1)")
    assert "security: claude: not installed" in section("Agents passed over (1)")
    assert "quality: codex edited app.py" in section("Reviewers that wrote (1)")
    assert "business logic" in section("Not assessed (2)")
    assert "lizard did not run" in section("Warnings (1)")


def test_critical_files_and_closer_looks_take_a_line_each() -> None:
    assert "src/shop/orders.py: 4 findings (security, quality, performance)" in section("Critical files")
    told = section("Looked at more closely")
    assert (
        "Statements are put together from text in three places. (by embedded, 2 affected, 1 similar)" in told
    )
    assert "not analysed: the agent stopped" in told


def test_fixes_tell_commit_what_they_rest_on_and_where_they_landed() -> None:
    told = section("Fixes: 1 fixed, 1 failed")
    assert "fixed   999999999999 fix(quality): Unused import [qual-002-8899aabb]" in told
    assert "rests on: ruff:F401 is gone; `pytest -q` is green (by ruff)" in told
    assert "Function `checkout` has 140 lines [mnt-001-2b3c4d5e] after 3 attempts" in told
    assert "because: Max iterations reached: the tests turned red" in told
    assert "Landed: branch burnish/r-7f3a" in told


def test_a_deleted_file_is_called_deleted() -> None:
    assert "src/old.py  The deleted file is still imported" in TEXT
    assert TEXT.count("(the change deletes this file)") == 1


def test_the_rounds_are_counted_from_the_dives_when_nobody_wrote_them_down() -> None:
    """A review told from its journal has dives but no list of rounds."""
    assessment = replace(CLEAN.assessment, dives=(Dive("x", 1), Dive("y", 2)))
    assert "Iterations completed: 2/3" in render(replace(CLEAN, assessment=assessment))


def test_an_unknown_confidence_is_not_shown() -> None:
    assert "confidence" not in render(with_findings(Finding("x", file="a.py")))


def test_a_confidence_that_is_no_number_is_a_doubt() -> None:
    text = render(with_findings(Finding("x", file="a.py", confidence=float("nan"))))
    assert "nan" not in text.lower()
    assert "x, confidence 0.00" in section("Doubtful (1)", text)


def test_colours_are_only_in_the_styled_one() -> None:
    assert "\x1b" not in TEXT
    text = styled(FULL)
    assert text.plain == TEXT
    marked = {text.plain[span.start : span.end]: str(span.style) for span in text.spans}
    assert marked["CRITICAL"] == "bold white on red"
    assert marked["  Outcome: failed: 3 findings block"] == "bold red"
