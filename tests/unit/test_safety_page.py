"""docs/concepts/safety.md: every promise says what holds with and without a sandbox, and names tests that exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from chaos.__main__ import names as sections

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "concepts" / "safety.md").read_text("utf8")
HEAD = "| promise | with bubblewrap | without |"
WAITS = "to be named"
# What the issue that made this table asked about, by words that open a row.
CLASSES = (
    "A verdict comes from the reviewer's own mouth",
    "Nothing judges itself",
    "Nothing runs unasked",
    "Keys do not travel",
    "A repository reads no file of yours into a prompt",
    "The evidence can be checked",
)


def cells(page: str) -> dict[tuple[str, str], str]:
    """(promise, column) -> text, of the one table."""
    lines = page[page.index(HEAD) :].split("\n\n")[0].splitlines()
    columns = [part.strip() for part in lines[0].strip("|").split("|")][1:]
    found = {}
    for line in lines[2:]:
        promise, *texts = (part.strip() for part in line.strip().strip("|").split("|"))
        assert len(texts) == len(columns), line
        found |= {(promise, column): text for column, text in zip(columns, texts, strict=True)}
    return found


CELLS = cells(PAGE)


def named(text: str) -> list[str]:
    """Words in backticks that are the name of a test: a section of chaos, or a path with an optional test."""
    words = re.findall(r"`([^`]+)`", text)
    return [word for word in words if word in sections() or re.match(r"(tests|e2e|chaos)/", word)]


def missing(name: str, root: Path = ROOT) -> str:
    """Why there is no such test; empty when there is."""
    if name in sections():
        return ""
    path, _, function = name.partition("::")
    place = root / path
    if place.is_dir():
        return "" if list(place.rglob("test_*.py")) else f"no test in {path}"
    if not place.is_file():
        return f"no file {path}"
    known = {
        node.name
        for node in ast.walk(ast.parse(place.read_text("utf8")))
        if isinstance(node, ast.FunctionDef)
    }
    return "" if not function or function in known else f"no {function} in {path}"


@pytest.mark.parametrize(("promise", "column"), CELLS, ids=lambda text: str(text)[:40])
def test_each_cell_names_a_test_that_exists(promise: str, column: str) -> None:
    found = named(CELLS[promise, column])
    assert found, f"{promise}, {column}: names no test"
    assert [why for name in found if (why := missing(name))] == []


def test_no_cell_waits_for_its_test() -> None:
    assert [key for key, text in CELLS.items() if WAITS in text] == []


def test_every_class_of_attack_has_its_row() -> None:
    promises = {promise for promise, _ in CELLS}
    assert [one for one in CLASSES if not any(one in promise for promise in promises)] == []


def test_there_is_one_such_table() -> None:
    assert PAGE.count(HEAD) == 1


def test_a_name_that_is_nowhere_is_found_out() -> None:
    assert missing("tests/unit/test_nothing.py") == "no file tests/unit/test_nothing.py"
    assert (
        missing("tests/unit/test_safety_page.py::test_gone")
        == "no test_gone in tests/unit/test_safety_page.py"
    )
    assert missing("executes") == missing("tests/unit/test_safety_page.py::named") == ""
    assert named("a cell with `bubblewrap` alone") == []
