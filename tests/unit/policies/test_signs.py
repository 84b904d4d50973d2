"""Each sign of a run that goes nowhere, by example; where the history does not tell, all is well."""

from __future__ import annotations

from dataclasses import replace

import pytest

from burnish.model.receipt import MOST_HUNKS, GivenFile
from burnish.model.review import Finding, Review, Severity
from burnish.policies import _signals as signals
from tests.unit.policies.histories import broke, failed, finding, history

GIVEN = (GivenFile("a.py", ("-1,3 +1,4", "-20 +21,5")), GivenFile("big.py"))
LOW, MEDIUM = Severity.LOW, Severity.MEDIUM


@pytest.mark.parametrize(
    ("reviews", "count"),
    [
        ([], 0),
        (["a"], 1),
        (["a", "a"], 2),
        (["a", "b"], 1),
        (["a", "b", "a"], 1),
        (["b", "a", "a", "a"], 3),
    ],
)
def test_the_same_findings_in_a_row_are_counted_from_the_end(reviews: list[str], count: int) -> None:
    facts = [
        fact for number, title in enumerate(reviews) for fact in (f"t{number}", failed(f"t{number}", title))
    ]
    assert signals.same_in_a_row(history(*facts)) == count


def test_lines_and_order_do_not_make_findings_different() -> None:
    again = history(
        "t1", failed("t1", "no check in line 3", "typo"), "t2", failed("t2", "typo", "No check in line 9")
    )
    assert signals.same_in_a_row(again) == 2


def test_reviews_that_list_nothing_are_told_apart_by_what_they_say() -> None:
    same = history("t1", failed("t1", summary="Tidy up"), "t2", failed("t2", summary="tidy up"))
    assert signals.same_in_a_row(same) == 2
    other = history("t1", failed("t1", summary="Tidy up"), "t2", failed("t2", summary="No test"))
    assert signals.same_in_a_row(other) == 1


def test_reviews_that_say_nothing_at_all_are_not_called_the_same() -> None:
    assert signals.same_in_a_row(history("t1", failed("t1"), "t2", failed("t2"), "t3", failed("t3"))) == 1
    told = history("t1", failed("t1", text="Fix it."), "t2", failed("t2", text="fix it.\n"))
    assert signals.same_in_a_row(told) == 2


def test_a_fix_that_left_the_tree_as_it_was_changed_nothing() -> None:
    assert signals.changed_nothing(history("t1", failed("t1", "a"), "t1"))
    assert not signals.changed_nothing(history("t1", failed("t1", "a"), "t2"))
    assert not signals.changed_nothing(history("t0")), "an implementer is no fixer"


def test_a_tree_that_comes_back_is_found_in_the_newest_review_of_it() -> None:
    circle = history("t1", failed("t1", "a"), "t2", failed("t2", "b"), "t1")
    assert signals.reviewed_in(circle) == 1
    assert signals.reviewed_in(circle.add(failed("t1", "a"))) is None, "it has just been reviewed"
    assert signals.reviewed_in(history("t1", failed("t1", "a"), "t2")) is None
    twice = history("t1", failed("t1", "a"), "t1", failed("t1", "a"), "t1")
    assert signals.reviewed_in(twice) == 2


def test_stalled_fixes_are_counted_until_one_makes_a_new_tree() -> None:
    stalled = history("t1", failed("t1", "a"), "t1", failed("t1", "a"), "t2", failed("t2", "b"), "t1")
    assert signals.stalled_in_a_row(stalled) == 1
    assert signals.stalled_in_a_row(stalled.add(failed("t1", "a")).add(broke())) == 2, (
        "a failed fix is one too"
    )
    assert signals.stalled_in_a_row(history("t1", failed("t1", "a"), "t2")) == 0
    assert signals.stalled_in_a_row(history("t1")) == 0


def test_a_finding_that_had_gone_and_is_there_again_returned() -> None:
    wavering = history(
        "t1", failed("t1", "a", "b"), "t2", failed("t2", "b"), "t3", failed("t3", "a", "b", "c")
    )
    assert [found.title for found in signals.returned(wavering)] == ["a"]
    steady = history("t1", failed("t1", "a"), "t2", failed("t2", "a"), "t3", failed("t3", "a", "new"))
    assert signals.returned(steady) == ()


def test_a_review_that_lists_nothing_does_not_say_that_findings_are_gone() -> None:
    silent = history("t1", failed("t1", "a"), "t2", failed("t2", summary="no"), "t3", failed("t3", "a"))
    assert signals.returned(silent) == ()
    assert signals.returned(history("t1", failed("t1", "a"), "t2", failed("t2", "a"))) == ()


def test_reviews_without_findings_waver_by_what_they_say() -> None:
    this, that = failed("t1", summary="Do it this way"), failed("t2", summary="Do it that way")
    assert [found.title for found in signals.returned(history("t1", this, that, this))] == ["Do it this way"]
    assert signals.returned(history("t1", this, that, replace(this, unclear="two verdicts"))) == ()
    assert signals.returned(history("t1", this, replace(that, unclear="two verdicts"), this)) == ()
    assert signals.returned(history("t1", this, this, this)) == ()


def test_a_finding_is_known_again_by_the_names_that_other_tools_gave_it() -> None:
    joined = Finding("other words", file="a.py", also=(finding("a").fingerprint,))
    wavering = history("t1", failed("t1", "a", "b"), "t2", failed("t2", "b"), "t3", failed("t3", joined))
    assert signals.returned(wavering) == (joined,)


def test_only_lesser_findings_are_left_when_none_reaches_the_severity() -> None:
    lesser = failed("t1", finding("a", MEDIUM), finding("b", LOW))
    assert signals.only_lesser(lesser, Severity.HIGH)
    assert not signals.only_lesser(lesser, MEDIUM)
    assert not signals.only_lesser(failed("t1", summary="no"), Severity.HIGH), "what it means is not known"


@pytest.mark.parametrize("stain", [{"overruled": "the reviewer edited files"}, {"unclear": "two verdicts"}])
def test_what_else_stands_against_a_review_is_not_forgotten(stain: dict[str, str]) -> None:
    assert not signals.only_lesser(failed("t1", finding("a", LOW), **stain), Severity.HIGH)
    assert not signals.only_untouched(failed("t1", finding("a", file="old.py"), given=GIVEN, **stain))


@pytest.mark.parametrize(
    ("file", "line", "old"),
    [
        ("old.py", 3, True),
        ("old.py", None, True),
        ("a.py", 2, False),
        ("a.py", 4, False),
        ("a.py", 5, True),
        ("a.py", 20, True),
        ("a.py", 21, False),
        ("a.py", 25, False),
        ("a.py", 26, True),
        ("a.py", None, False),
        ("big.py", 900, False),
        ("", None, False),
    ],
)
def test_a_finding_is_about_older_code_when_no_hunk_has_its_line(
    file: str, line: int | None, old: bool
) -> None:
    review = failed("t1", finding("a", file=file, line=line), given=GIVEN)
    assert bool(signals.untouched(review)) is old
    assert signals.only_untouched(review) is old


def test_a_finding_of_several_lines_is_about_the_change_when_one_of_them_is() -> None:
    spanning = Finding("a", file="a.py", line=10, end_line=22)
    assert signals.untouched(failed("t1", spanning, given=GIVEN)) == ()


def test_where_not_all_hunks_are_known_a_line_is_never_called_older() -> None:
    late = finding("a", file="a.py", line=900)
    assert signals.untouched(failed("t1", late, given=GIVEN)) == (late,)
    assert signals.untouched(failed("t1", late, given=GIVEN, partial=True)) == ()
    assert signals.untouched(failed("t1", late)) == (), "nothing is known of what was given"
    many = (GivenFile("a.py", ("-1 +1",) * MOST_HUNKS),)
    assert signals.untouched(failed("t1", late, given=many)) == ()
    garbled = (GivenFile("a.py", ("-1 +1", "what is this")),)
    assert signals.untouched(failed("t1", late, given=garbled)) == ()


def test_one_finding_about_the_change_is_enough_to_go_on() -> None:
    mixed = failed("t1", finding("a", file="old.py"), finding("b", line=2), given=GIVEN)
    assert len(signals.untouched(mixed)) == 1
    assert not signals.only_untouched(mixed)
    assert not signals.only_untouched(Review(mixed.verdict, "FAIL", given=GIVEN))
