from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from burnish.analysers._fingerprint import identify
from burnish.model.review import Finding


def finding(line: int, file: str = "a.py", rule: str = "ruff:S602") -> Finding:
    return Finding("title", file=file, line=line, rule=rule)


def identities(text: str, *lines: int) -> list[str]:
    return [found.identity for found in identify(tuple(finding(line) for line in lines), lambda _: text)]


def test_a_finding_keeps_its_identity_when_its_line_moves() -> None:
    assert identities("run(x)\n", 1) == identities("import os\n\n\nrun(x)\n", 4)


def test_a_finding_keeps_its_identity_when_its_line_is_indented_anew() -> None:
    assert identities("run(x, y)\n", 1) == identities("if a:\n\t  run(x,   y)\r\n", 2)


def test_other_words_other_rule_or_other_file_are_another_finding() -> None:
    text = "run(x)\nrun(y)\n"
    first = identities(text, 1)[0]
    assert first != identities(text, 2)[0]
    assert first != identify((finding(1, rule="ruff:S605"),), lambda _: text)[0].identity
    assert first != identify((finding(1, file="b.py"),), lambda _: text)[0].identity


def test_the_same_line_twice_is_two_findings_counted_from_the_top() -> None:
    once = identities("run(x)\n", 1)
    twice = identities("run(x)\nother\nrun(x)\n", 3, 1)
    assert twice[1] == once[0]
    assert twice[0] != twice[1]


def test_a_renamed_file_keeps_its_findings() -> None:
    old = identify((finding(1, file="old.py"),), lambda _: "run(x)", renamed={"old.py": "new.py"})
    assert old[0].identity == identify((finding(1, file="new.py"),), lambda _: "run(x)")[0].identity


def test_an_identity_that_a_tool_brought_is_kept_and_the_line_is_added() -> None:
    mine = Finding("t", file="a.py", line=2, identity="mine")
    (found,) = identify((mine,), lambda _: "a\n   run(x)\n")
    assert (found.identity, found.snippet) == ("mine", "run(x)")


def test_what_a_tool_shows_decides_where_it_shows_something() -> None:
    shown = Finding("t", file="a.py", line=1, rule="x:1", snippet="f(...)")
    one, other = (identify((shown,), lambda _, text=text: text)[0] for text in ("def f(a):", "def f(a, b):"))  # type: ignore[misc]
    assert one.identity == other.identity


def test_a_file_that_cannot_be_read_still_gives_different_findings() -> None:
    found = identify(
        (Finding("one", file="a", rule="r:1"), Finding("two", file="a", rule="r:1")), lambda _: None
    )
    assert found[0].identity != found[1].identity


@given(st.lists(st.text(max_size=8), max_size=6), st.lists(st.integers(1, 9), max_size=6))
def test_every_finding_gets_an_identity_of_its_own_whatever_the_text(lines: list[str], at: list[int]) -> None:
    found = identify(tuple(finding(line) for line in at), lambda _: "\n".join(lines))
    assert [one.line for one in found] == at
    assert len({one.identity for one in found}) == len(at)
