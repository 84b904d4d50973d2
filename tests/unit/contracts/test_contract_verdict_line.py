"""The `task` dialect: `**Verdict: X**` on a line of the reviewer's own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.contracts.verdict_line import make
from burnish.model.agent import Reply
from burnish.model.review import Verdict
from burnish.registry import load
from tests.unit.contracts.contract_reading import answer, passes, review

NAME = "verdict-line"
A, C, D = "**Verdict: APPROVED**", "**Verdict: CHANGES_REQUESTED**", "**Verdict: NEEDS_DISCUSSION**"


@pytest.mark.conformance("G-53")
@pytest.mark.parametrize(
    ("line", "verdict"), [(A, Verdict.PASS), (C, Verdict.FAIL), (D, Verdict.DISCUSS)], ids=["A", "C", "D"]
)
def test_each_of_the_three_lines_means_its_verdict(line: str, verdict: Verdict) -> None:
    found = review(NAME, f"# Review\n\nSome words.\n\n{line}\n")
    assert (found.verdict, found.native, found.unclear) == (verdict, line[11:-2], "")


@pytest.mark.conformance("G-54")
def test_compat_takes_the_first_match_anywhere_and_minds_case() -> None:
    assert answer(NAME, f"quoting `{A}`\n\n{C}", compat=True) == "APPROVED"
    assert answer(NAME, "**Verdict:\n\n NEEDS_DISCUSSION**", compat=True) == "NEEDS_DISCUSSION"
    assert answer(NAME, "**verdict: approved**", compat=True) == "CHANGES_REQUESTED?"


@pytest.mark.conformance("G-55")
@pytest.mark.parametrize("text", ["", "Looks good, ship it!", "**Verdict: LGTM**", "Error: 429"])
def test_no_verdict_means_changes_requested_and_says_why(text: str) -> None:
    found = review(NAME, text)
    assert (found.verdict, found.native) == (Verdict.FAIL, "CHANGES_REQUESTED")
    assert "verdict line" in found.unclear
    assert answer(NAME, text, compat=True) == "CHANGES_REQUESTED?"


@pytest.mark.parametrize(
    "text",
    [
        "**Verdict: APPROVED**  \n\n", "**Verdict: APPROVED.**", "**Verdict: APPROVED**.", "VERDICT: APPROVED",
        "**Verdict:** **APPROVED**", "Verdict: **APPROVED**", "Verdict: `APPROVED`", "*Verdict: APPROVED*",
        "_Verdict: APPROVED_", "## ✅ Verdict: APPROVED", "**Verdict:** ✅ APPROVED", "# Verdict: APPROVED #",
        "**Final Verdict:** APPROVED", "Overall verdict: APPROVED", "**Verdict:\u00a0APPROVED**",
        "## Verdict\n\n**APPROVED**\n", "## Verdict:\nAPPROVED", "Here is my verdict:\n\n" + A, "Well done.\n" + A,
        "## Final Verdict\n\n**Verdict: APPROVED**", "- Tests: ok\n\n**Verdict: APPROVED**", "x.\r" + A,
        "```\ncode\n```\n" + A, "> quoted\n\n" + A, "use `<!--` here\n\n" + A, "<!-- x -->\n" + A,
        "a < b, List<code> x\n\n" + A, "<think>\n" + C + "\n</think>\n\n" + A,
        "**Verdict: APPROVED | CHANGES_REQUESTED**\n\n" + A, "Last cycle: CHANGES_REQUESTED.\n\n" + A,
        "\n" * 200_000 + A, "words " * 40_000 + "\n\n" + A, A + "\x1b[0K", "working\x1b[1G\x1b[2K" + A, "\x1b]8;;u\x07" + A + "\x1b]8;;\x07",
    ],
)  # fmt: skip
def test_a_clear_approval_is_taken(text: str) -> None:
    assert answer(NAME, text) == "APPROVED"


@pytest.mark.parametrize(
    "text",
    [
        "**Verdict: APPROVED** ❌", "❌ " + A, "**Verdict: ⚠️ APPROVED**", "**Verdict: APPROVED?**", A + "<br>",
        "**Verdict: APPROVED_WITH_FOLLOWUPS**", "**Verdict: APPROVED, but fix x**", "**Verdict: DISAPPROVED**",
        "**Verdict: APPROVED** once CI is green", "**Verdict: APPROVED** - after the fix", "**Verdict: UNAPPROVED**",
        "~~**Verdict: APPROVED**~~", f'"{A}"', f"`{A}`", f"`` {A} ``", "| Verdict: APPROVED |", f"> {A}",
        f"> quoted\n{A}", "> quoted\nVerdict: APPROVED", f"+{A}", f"-{A}", f"@@ -1,2 +1,3 @@\n {A}\n+x\n", f"\t{A}", f"    {A}",
        f"- ```\n  {A}\n  ```\n", f"1. ```\n   {A}\n   ```\nDone", f"```\ncode\n~~~\n{A}\n```", f"- > {A}",
        f"x `code\n{A}\nmore` y", f"<pre>\n{A}\n</pre>", f"<pre>\n{A}", f"<details>\n\n{A}\n\n</details>\nstop",
        f"<think>\n{A}\n</think>\nno", f"<!-- unclosed\n{A}", f"<blockquote>\n{A}\n</blockquote>", "APPROVED",
        "**Verdict: <APPROVED>**", "**Verdict: [APPROVED]**", "**APPROVED**", "Previous verdict: APPROVED",
        "Verdict - APPROVED", "Verdict = APPROVED", "**Verdict: PAſſ**", "**Verdict: \u202eAPPROVED**",
        "**Verdict: APPROVED\u200b**", "**Verdict: APP\u00adROVED**", f"{A}{C}", f"{A} {C}", f"Text. {A}",
        f"Verdict: see above\n\n{A}", f"{C}\n\nNo, wait.\n\n{A}", f"{A}\n\n{D}", "## Verdict\n\nAPPROVED with care",
        "## Verdict\n\nI cannot say\n\nAPPROVED\n\nyet", "  " + A, "- ok\n- " + A, A + "\n\nGood work.", f"The README ends with:\n\n{A}",
        "## Verdict\n\nThe gate is red, so I cannot call this\nAPPROVED.", A + "\nonce the SQL injection in app.py:3 is fixed.",
        "## Verdict\n\nAll good.\n\n**APPROVED**", f"so I will not write\n{A}", f'He wrote "\n\n{A}', f"cat <<EOF\n{A}", f"<file>\n{A}",
        f"-----BEGIN FILE-----\n\n{A}", f"I cannot approve this.\n\n{A}", f"Approved once the tests exist.\n\n{A}",
        f"a.py:3 must be fixed first.\n\n{A}", f"**Must-Fix:** the key leaks\n\n{A}", f"The gate is red.\n\n{A}",
 f"<details>\n\n{C}\n\n</details>\n\n{A}",
        f"```python\nx\n\n{A}", "**Verdict: APPROVED", f"{C}\x1b[1A\x1b[2K{A}", "## Verdict\n\n```\nAPPROVED\n```",
    ],
)  # fmt: skip
def test_what_is_quoted_conditional_or_contradicted_does_not_approve(text: str) -> None:
    assert answer(NAME, text) == "CHANGES_REQUESTED?"


def test_a_denial_that_may_be_a_quotation_still_denies() -> None:
    for text in (f"{A}\n\n```python\n\n{C}", f"```python\nx\n\n{C}\n\n{A}", f"{A}\n\n<details>\n\n{C}\n"):
        assert not passes(NAME, text)


def test_a_call_for_a_person_survives_what_would_only_spoil_an_approval() -> None:
    for text in (
        f"> quoted\n{D}",
        f"{D} — a product decision",
        "**Verdict: NEEDS_DISCUSSION: APPROVED if x**",
    ):
        assert answer(NAME, text) == "NEEDS_DISCUSSION"


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        (f"{C[:-2]}** - missing input validation", "missing input validation"),
        (f"## Summary\n\nFine.\n\n## Must-Fix\n\n1. **missing input validation**\n2. b\n\n{C}", "missing input validation"),
        (f"## Blockers\n\nNone.\n\nAll well.\n\n{A}", "None."),
        (f"The cache is never cleared.\n\n{C}", "The cache is never cleared."),
        ("x" * 300, "x" * 119 + "…"),
        ("", ""),
    ],
)  # fmt: skip
def test_the_summary_is_what_a_person_wants_to_see(text: str, summary: str) -> None:
    assert review(NAME, text).summary == summary


def test_a_reply_that_was_cut_does_not_approve_but_still_denies() -> None:
    parse = load("contracts", NAME)().parse
    assert parse(Reply(A, truncated=True)).native == "CHANGES_REQUESTED"
    assert "cut" in parse(Reply(A, truncated=True)).unclear
    assert parse(Reply(D, truncated=True)).native == "NEEDS_DISCUSSION"


WORDS = st.lists(
    st.sampled_from(
        ["the", "cache", "is", "{x}", "never", "cleared,", "a<b", "100%", "(see", "it)", '"q"', "—"]
    ),
    min_size=1,
    max_size=8,
).map(" ".join)
LINES = st.sampled_from([A, C, D, "## Verdict", "APPROVED", "**Verdict: NO**", "text", "{", "", "    x"])
QUOTED = st.one_of(
    st.lists(LINES, max_size=4).map(lambda lines: "```\n" + "\n".join(lines) + "\n```"),
    st.lists(LINES, max_size=4).map(lambda lines: "~~~~ md\n```\n" + "\n".join(lines) + "\n~~~~"),
    st.lists(LINES, min_size=1, max_size=4).map(lambda lines: "\n".join("> " + line for line in lines)),
    st.lists(LINES, min_size=1, max_size=4).map(lambda lines: "\n".join("    " + line for line in lines)),
    st.lists(LINES, max_size=4).map(lambda lines: "<!--\n" + "\n".join(lines) + "\n-->"),
    LINES.filter(bool).map(lambda line: f"The file says `{line}` there."),
)
NOISE = st.lists(st.one_of(WORDS, QUOTED, WORDS.map(lambda words: f"## {words}")), max_size=6).map(
    "\n\n".join
)


@given(NOISE, NOISE, st.sampled_from([C, D]))
def test_noise_and_quotations_around_a_denial_change_nothing(before: str, after: str, line: str) -> None:
    assert answer(NAME, f"{before}\n\n{line}\n\n{after}") == line[11:-2]


@given(NOISE, NOISE)
def test_an_approval_is_taken_only_as_the_last_word(before: str, after: str) -> None:
    assert answer(NAME, f"{before}\n\nAll is well.\n\n{A}") == "APPROVED"
    assert not passes(NAME, f"{before}\n\nAll is well.\n\n{A}\n\nAlso: {after}")


@given(NOISE)
def test_quotations_alone_never_approve(text: str) -> None:
    assert answer(NAME, text) == "CHANGES_REQUESTED?"


@given(NOISE, NOISE, NOISE, st.permutations([A, C]))
def test_an_own_denial_beside_an_own_approval_never_approves(
    one: str, two: str, three: str, lines: list[str]
) -> None:
    assert not passes(NAME, f"{one}\n\n{lines[0]}\n\n{two}\n\n{lines[1]}\n\n{three}")


OPEN_BLOCKERS = (
    "## Must-Fix\n\n- a.py:1: the key leaks",
    "### must fix\n\n- a.py:1: the key leaks",
    "## Blockers\n\n### B1\n\nThe key leaks.",
    "## Blocking issues\n\n1. the key leaks",
    "**Must-Fix**\n\n- a.py:1: the key leaks",
    "Must-Fix:\n- a.py:1: the key leaks",
    "## Must-Fix\n\n- No bounds check in a.py:1",
    "## Must-Fix\n\n- no error handling",
    "## Must-Fix (2)\n\n- [ ] a.py:1: the key leaks",
)
NO_BLOCKERS = (
    "## Must-Fix\n\n- None",
    "## Must-Fix\n\nNone.",
    "## Must-Fix\n",
    "## Must-Fix\n\n- [x] a.py:1: done",
    "## Must-Fix\n\n- ~~a.py:1 bug~~ fixed",
    "## Must-Fix\n\n- No blocking issues found.",
    "## Must-Fix\n\n- None found.",
    "## Must-Fix\n\n- (none)",
    "## Must-Fix\n\n- None (all earlier findings are fixed)",
    "## Must-Fix\n\n- There are no must-fix issues",
    "### Must-Fix\n\n- None\n\n### Should-Fix\n\n- rename x",
    "### Must-Fix\n\nNone\n\n### Nice-to-have\n\n- rename x",
    "**Must-Fix**\n\n- None\n\n**Notes**\n\n- rename x",
    "## Must-Fix from the last review\n\n- a.py:1: fixed now",
)


@pytest.mark.parametrize("text", OPEN_BLOCKERS)
def test_an_approval_beside_something_that_must_be_fixed_is_unclear(text: str) -> None:
    found = make().parse(Reply(f"{text}\n\n**Verdict: APPROVED**\n"))
    assert (found.native, found.passed) == ("CHANGES_REQUESTED", False)
    assert "must be fixed" in found.unclear


@pytest.mark.parametrize("text", NO_BLOCKERS)
def test_an_empty_or_ticked_off_list_of_blockers_does_not_stop_an_approval(text: str) -> None:
    found = make().parse(Reply(f"{text}\n\n## Notes\n\n- nice\n\n**Verdict: APPROVED**\n"))
    assert (found.native, found.unclear) == ("APPROVED", "")
