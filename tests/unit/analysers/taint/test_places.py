"""Handlers in places/<class>.txt: what ends in `# BAD` is found as that class, and nothing else there is."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnish.analysers.taint.guards.patterns import taken_out, whole_match
from burnish.analysers.taint.knowledge.tables import FLAWS, Knowledge
from tests.unit.analysers.taint.follow import follow, known

FOLDER = Path(__file__).with_name("places")
HEAD = (FOLDER / "head.txt").read_text("utf8")
KNOWN = known()


@pytest.mark.parametrize("flaw", FLAWS)
def test_a_place_is_reported_where_data_hurts_and_not_where_it_was_made_safe(flaw: str) -> None:
    text = HEAD + (FOLDER / f"{flaw}.txt").read_text("utf8")
    wanted = {number for number, line in enumerate(text.splitlines(), 1) if line.endswith("# BAD")}
    report = follow({"app.py": text}, KNOWN).report
    assert not report.undone
    assert {line for _, line, found in report.findings if found == flaw} == wanted


@pytest.mark.parametrize(
    ("pattern", "how", "free_of"),
    [
        (r"[a-z]+", "fullmatch", "'/;<\n"),
        (r"^[\w-]+$", "match", "'/;<"),
        (r"^[\w./-]+\Z", "search", "';<"),
        (r"[a-z]+\Z", "match", "'/;<"),
        (r"^(?:a|b)$", "search", "'/;<"),
    ],
)
def test_a_pattern_that_holds_from_end_to_end_says_what_cannot_be_in_the_text(
    pattern: str, how: str, free_of: str
) -> None:
    marks = whole_match(pattern, how)
    assert marks is not None
    assert "only:word" in marks or {f"no:{character}" for character in free_of} <= marks


@pytest.mark.parametrize(
    ("pattern", "how"),
    [
        (r"[a-z]+", "match"),
        (r"[a-z]+$", "search"),
        (r"^a$|b", "search"),
        (r"(?m)^a$", "search"),
        (r"(", "match"),
    ],
)
def test_a_pattern_that_may_leave_something_before_or_behind_says_nothing(pattern: str, how: str) -> None:
    assert whole_match(pattern, how) is None


def test_what_is_replaced_by_nothing_is_not_there_any_more_and_what_is_put_in_is() -> None:
    assert "only:word" in taken_out(r"[^a-z]", "")
    assert "no:'" in taken_out(r"[^a-z/]", "")
    assert "no:/" not in taken_out(r"[^a-z]", "/")
    assert not taken_out(r"'x", "") & {"no:'"}


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ({"sink": [{"class": "sqli", "call": "a.b"}]}, "'sqli' is not a class of flaws"),
        ({"sink": [{"call": "a.b"}]}, "needs 'class'"),
        ({"sink": [{"class": "sql", "call": "a.b", "check": "magic"}]}, "'magic' is no check"),
        ({"sink": [{"class": "sql", "call": "a.b", "shape": "("}]}, "not as expected"),
        ({"sanitizer": [{"call": "a.b", "clean": ["nothing"]}]}, "'nothing' is not a class of flaws"),
        ({"guard": [{"clean": ["sql"]}]}, "needs 'call'"),
    ],
)
def test_an_entry_that_is_none_is_refused_with_what_is_wrong_about_it(
    table: dict[str, object], told: str
) -> None:
    with pytest.raises(ValueError, match=told):
        Knowledge().add(table)


@pytest.mark.parametrize(
    ("guard", "weak"),
    [
        ("pass", 0),
        ("assert x.isalnum()", 1),
        ("assert x in ('a', 'b'), x", 1),
        ("assert set(x) <= set('abc')", 1),
        ("check(x)", 1),
        ("assert y.isalnum()", 0),
        ("assert '.' not in x", 0),
        ("assert len(x) < 9", 0),
        ("x = bytes.fromhex(x) if fine else x; assert x", 0),
    ],
)
def test_what_only_an_assert_checks_is_told_and_counts_less(guard: str, weak: int) -> None:
    """`python -O` runs without it."""
    text = (
        "import lab\n"
        "def check(x):\n"
        "    assert x.isalnum()\n"
        f"def f(fine):\n    x, y = lab.source(1), lab.source(2)\n    {guard}\n    lab.sink(x)\n"
    )
    report = follow({"app.py": text}, KNOWN).report
    assert [(found.line, found.weak_guards) for found in report.findings.values()] == [(7, weak)]
    assert report.clean_places() == []


def test_a_check_beside_an_assert_is_a_check() -> None:
    text = (
        "import lab\n"
        "def f():\n"
        "    x = lab.source()\n"
        "    assert x.islower()\n"
        "    if not x.isalnum():\n"
        "        return\n"
        "    assert x.isalnum()\n"
        "    lab.sink('ls ' + x)\n"
    )
    report = follow({"app.py": text}, KNOWN).report
    assert not report.findings
    assert report.clean_places() == [("app.py", 8, "command")]


def test_where_one_way_is_asserted_and_another_is_not_the_other_is_told() -> None:
    text = (
        "import lab\n"
        "def run(x):\n"
        "    lab.sink(x)\n"
        "def f():\n"
        "    x = lab.source()\n"
        "    assert x.isalnum()\n"
        "    run(x)\n"
        "def g():\n"
        "    run(str(lab.source()).strip().lower())\n"
    )
    (found,) = follow({"app.py": text}, KNOWN).report.findings.values()
    assert found.weak_guards == 0


def test_users_can_say_what_hurts_and_what_makes_it_safe() -> None:
    made = known()
    made.add({
        "sink": [{"class": "sql", "call": "own.ask", "arguments": [1]}],
        "sanitizer": [{"call": "own.quoted", "clean": ["sql"]}],
        "guard": [{"call": "own.fine", "clean": ["sql"]}],
    })  # fmt: skip
    text = (
        "import own, lab\n"
        "def f():\n"
        "    x = lab.source()\n"
        "    own.ask(x, 'a')\n"
        "    own.ask('a', own.quoted(x))\n"
        "    if own.fine(x):\n"
        "        own.ask('a', x)\n"
        "    own.ask('a', x)\n"
    )
    assert set(follow({"app.py": text}, made).report.findings) == {("app.py", 8, "sql")}
