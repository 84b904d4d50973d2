"""What is proved of texts holds when they are made: letters in other cases, matches, numbers, chains by chance."""

from __future__ import annotations

import contextlib
import random
import re
import sys
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from uuid import uuid4

import pytest
from chaos._chain_runs import TEXTS, cleared, hurt, knowledge
from chaos._chains import SETS, Writer

from burnish.analysers.taint.finding.pages import safe_page
from burnish.analysers.taint.finding.proving import is_proved
from burnish.analysers.taint.guards.alphabets import group_text, left_by, whole_text
from burnish.analysers.taint.library.text_proofs import METHODS
from burnish.analysers.taint.memory.frame import Arguments
from burnish.analysers.taint.memory.proofs import (
    NUMBER_PART,
    OURS_PART,
    SPECIAL,
    TEXT,
    Part,
    Proof,
    either,
    lone,
    piece,
)
from burnish.analysers.taint.memory.values import TAINTED, Cell, Origin, Taint, Value, constant

WORD = Part(SPECIAL)
NO_TAGS = Part(frozenset("<>\"'"))
UNTRUSTED = Value((Taint(Origin("request", "a"), Cell("a.py", 1, "a")),), shape=TAINTED)


def test_no_letter_of_any_script_becomes_a_special_character_in_another_case() -> None:
    """As `lower` and the like are on the list."""
    letters = "1".join(chr(code) for code in range(sys.maxunicode + 1) if chr(code) not in SPECIAL)
    for case in (str.lower, str.upper, str.title, str.casefold, str.swapcase, str.capitalize):
        assert SPECIAL.isdisjoint(case(letters)), case


@pytest.mark.parametrize(
    "question", ["isalnum", "isalpha", "isdigit", "isdecimal", "isnumeric", "isidentifier"]
)
def test_what_a_question_lets_through_has_no_special_character(question: str) -> None:
    assert not [
        sign for sign in SPECIAL if getattr(f"a{sign}", question)() or getattr(f"1{sign}", question)()
    ]


@pytest.mark.parametrize(
    "number", [7, -7, 0.5, 1e300, -1e-9, float("nan"), float("-inf"), True, Decimal("1E+9")]
)
def test_a_number_is_written_without_what_it_is_proved_to_be_free_of(number: object) -> None:
    assert NUMBER_PART.free.isdisjoint(str(number))


def test_moments_and_uuids_are_written_without_what_they_are_proved_to_be_free_of() -> None:
    assert (SPECIAL - set("-:. +")).isdisjoint(str(datetime.now(UTC)))
    assert (SPECIAL - {"-"}).isdisjoint(str(uuid4()))


CALLS: tuple[tuple[str, tuple[str | int | bool, ...]], ...] = (
    ("strip", ()), ("strip", ("'",)), ("lstrip", ("k",)), ("rstrip", ()), ("removeprefix", ("k",)), ("removesuffix", ("x",)),
    ("partition", ("'",)), ("rpartition", ("<",)), ("lower", ()), ("upper", ()), ("title", ()), ("capitalize", ()),
    ("casefold", ()), ("swapcase", ()), ("zfill", (9,)), ("center", (9,)), ("center", (9, "'")), ("ljust", (9, "<")),
    ("rjust", (9, "k")), ("expandtabs", ()), ("replace", ("'", "")), ("replace", ("'", "", 1)), ("replace", ("k", "'")),
    ("replace", ("'", "''")), ("replace", ("", "<")), ("replace", ("''", "'")), ("split", ()), ("split", ("'",)),
    ("split", ("'", 1)), ("split", ("ab",)), ("rsplit", ("<", 1)), ("rsplit", ()), ("splitlines", ()), ("splitlines", (True,)),
)  # fmt: skip


@pytest.mark.parametrize(
    "free", ["", "'", "<>", "".join(sorted(SPECIAL))], ids=["any", "quotes", "tags", "words"]
)
@pytest.mark.parametrize(("name", "args"), CALLS)
def test_each_method_on_the_list_keeps_what_it_promises(
    name: str, args: tuple[str | int | bool, ...], free: str
) -> None:
    promised = METHODS[name](lone(free, {TEXT}), Arguments([constant(one) for one in args]))
    assert promised is not None
    (part,) = promised.parts
    assert isinstance(part, Part)
    for text in (one for one in TEXTS if not set(free) & set(one)):
        found = getattr(text, name)(*args)
        pieces = (
            [found] if isinstance(found, str) else [found[0], found[-1]] if "partition" in name else found
        )
        assert not [one for one in pieces if part.free & set(one)], text


def test_a_method_that_is_not_on_the_list_promises_nothing() -> None:
    assert not {"encode", "translate", "format", "format_map", "join", "decode", "hex"} & set(METHODS)


PATTERNS = (
    *(one.replace("\\\\", "\\") for one in SETS), r"^\w+$", r"^\w+\Z", r"\w+$", r"^[\w-]*$", r"^a$|^b'$", r"^a|b$", r"(?m)^\w+$",
    r"(?s:.)+", r"(?P<k>\w+)'?", r"[^\d]+", r"[\s\S]*", r"(?!')[^<]+", r"(?:k|x)+?$", r"^(?:[\w]|\.)+$", r"(a)\1?", r"(?x) \w + ", r"(?>\w+)'",
)  # fmt: skip


@pytest.mark.parametrize("how", ["match", "fullmatch", "search"])
@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_match_has_no_character_that_is_proved_not_to_be_in_it(pattern: str, how: str) -> None:
    with contextlib.suppress(re.error):
        compiled = re.compile(pattern)
        proved, group = whole_text(pattern, how), group_text(pattern, 0)
        for text in (*TEXTS, *(f"{text}\n" for text in TEXTS)):
            found = getattr(compiled, how)(text)
            if found and proved is not None:
                assert proved.free.isdisjoint(text), text
            if found and group is not None:
                assert group.free.isdisjoint(found[0]), text


@pytest.mark.parametrize("put_in", ["", "_", "'"])
@pytest.mark.parametrize("pattern", PATTERNS)
def test_what_is_replaced_is_gone_where_that_is_proved(pattern: str, put_in: str) -> None:
    proved = left_by(pattern, put_in)
    for text in TEXTS if proved is not None else ():
        assert proved is not None
        assert proved.free.isdisjoint(re.sub(pattern, put_in, text)), text


def test_a_last_line_break_gets_through_a_dollar_and_not_to_the_end_of_a_text() -> None:
    through, not_through = whole_text(r"^\w+$", "match"), whole_text(r"^\w+\Z", "match")
    assert through is not None and not_through is not None
    assert "\n" not in through.free
    assert "\n" in not_through.free


@pytest.mark.parametrize(
    ("place", "parts", "proved"),
    [
        ("sql", ("a = '", WORD, "'"), True),
        ("sql", ("a = ", WORD), True),
        ("sql", ("a = ", NUMBER_PART), True),
        ("sql", ("a = -", NUMBER_PART), False),
        ("sql", ("a = '", Part(frozenset("'\\")), "'"), True),
        ("sql", ("a = '", Part(frozenset("'")), "'"), False),
        ("sql", ("a = ", Part(frozenset("'\\"))), False),
        ("sql", ("a = '", Part(frozenset("'\\")), "' b = ", Part(frozenset("'\\"))), False),
        ("sql", ("-- it's\na = '", Part(frozenset("'\\")), "'"), False),
        ("sql", (OURS_PART, "a = '", Part(frozenset("'\\")), "'"), False),
        ("sql", ("a = '", Part(frozenset('"\\')), "'"), False),
        ("xss", ("<p>", NO_TAGS, "</p>"), True),
        ("xss", ('<p title="', NO_TAGS, '">'), True),
        ("xss", ('<a href="', NO_TAGS, '">'), False),
        ("xss", ('<p onclick="', NO_TAGS, '">'), False),
        ("xss", ("<p title=", NO_TAGS, ">"), False),
        ("xss", ("<p ", NO_TAGS, ">"), False),
        ("xss", ("<script>", NO_TAGS, "</script>"), False),
        ("xss", ("<style>", NO_TAGS), False),
        ("xss", ("<!-- ", NO_TAGS), False),
        ("xss", (NO_TAGS, '="', NO_TAGS, '"'), False),
        ("xss", (OURS_PART, NO_TAGS), False),
        ("xss", (Part(frozenset(">")),), False),
        ("command", ("ls ", WORD), True),
        ("command", (WORD,), False),
        ("command", ("ls; ", WORD), False),
        ("command", ("sh -c ", WORD), False),
        ("command", ("ls '", WORD, "'"), False),
        ("path", ("/srv/", WORD), True),
        ("path", ("/srv/", Part(frozenset("/\\"))), False),
        ("code", ("1 + ", NUMBER_PART), True),
        ("code", (WORD,), False),
        ("redirect", ("https://a.example/", WORD), True),
        ("redirect", ("https://", WORD), False),
        ("ssrf", ("https://a.example@", WORD), False),
        ("deserialisation", (WORD,), False),
        ("xxe", (NUMBER_PART,), False),
    ],
)  # fmt: skip
def test_the_place_decides_whether_what_is_proved_is_enough(
    place: str, parts: tuple[str | Part, ...], proved: bool
) -> None:
    assert is_proved(place, UNTRUSTED, Proof(parts)) is proved


def test_nothing_is_proved_of_what_has_no_proof() -> None:
    assert not is_proved("sql", UNTRUSTED, None)
    assert either(None, Proof(("a",))) is None
    assert piece(None).parts == (Part(fit=frozenset({"text"})),)
    assert not safe_page(Proof((Part(),)))


@pytest.mark.parametrize("seed", range(6))
def test_nothing_that_is_called_clean_lets_anything_through(seed: int, tmp_path: Path) -> None:
    """As `python -m chaos clearances` does with ten thousand."""
    chance = random.Random(f"test {seed}")
    program = Writer(chance).program(50)
    clean, _ = cleared(program, knowledge(), tmp_path)
    assert clean
    assert hurt(program, chance, clean, 150) == {}
