"""The planted bugs of bench/labelled/bugs are what their manifest says (check.py runs them)."""

from __future__ import annotations

import ast
import difflib
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2] / "bench" / "labelled" / "bugs"
FILES = {"program.py", "test_program.py", "held_back.py"}
FIELDS = {
    "id": str,
    "kind": str,
    "line": int,
    "lines_changed": int,
    "change": str,
    "topic": str,
    "description": str,
}


@cache
def bugs() -> list[dict[str, Any]]:
    table: list[dict[str, Any]] = tomllib.loads((ROOT / "bugs.toml").read_text(encoding="utf-8"))["bug"]
    return table


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def changes(bug: dict[str, Any]) -> list[tuple[int, int, int, int]]:
    """(first line, lines of the original, first line, lines of the planted program), counted from 1."""
    old = lines(ROOT / "originals" / f"{bug['id']}.py")
    new = lines(ROOT / "cases" / bug["id"] / "program.py")
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    return [(i + 1, k - i, j + 1, m - j) for tag, i, k, j, m in matcher.get_opcodes() if tag != "equal"]


def test_the_manifest_is_complete() -> None:
    ids = [bug["id"] for bug in bugs()]
    assert len(ids) >= 64
    assert ids == sorted(set(ids))
    for bug in bugs():
        assert {key: type(value) for key, value in bug.items()} == FIELDS, bug["id"]
        assert bug["description"].endswith("."), bug["id"]
        assert bug["change"] in {"replace", "remove", "insert"}, bug["id"]
    assert {path.name for path in (ROOT / "cases").iterdir()} == set(ids)
    assert {path.stem for path in (ROOT / "originals").glob("*.py")} == set(ids)
    for name in ids:
        present = {path.name for path in (ROOT / "cases" / name).iterdir() if path.name != "__pycache__"}
        assert present == FILES, name


def test_exactly_the_said_lines_differ() -> None:
    for bug in bugs():
        found = changes(bug)
        assert bug["lines_changed"] in {1, 2}, bug["id"]
        assert sum(max(old, new) for _, old, _, new in found) == bug["lines_changed"], (bug["id"], found)
        assert found[0][2] == bug["line"], (bug["id"], found)
        kinds = {"replace" if old == new else "remove" if not new else "insert" for _, old, _, new in found}
        assert kinds == {bug["change"]}, (bug["id"], found)


def test_everything_compiles_and_stays_small() -> None:
    for bug in bugs():
        case = ROOT / "cases" / bug["id"]
        original = ROOT / "originals" / f"{bug['id']}.py"
        for path in (*(case / name for name in sorted(FILES)), original):
            ast.parse(path.read_text(encoding="utf-8"), str(path))
        assert 25 <= len(lines(original)) <= 120, bug["id"]


def test_a_program_does_not_tell_its_bug() -> None:
    for bug in bugs():
        text = (ROOT / "cases" / bug["id"] / "program.py").read_text(encoding="utf-8").lower()
        assert re.search(r"\b(bug|todo|fixme|wrong|planted)\b|#!", text) is None, bug["id"]


def test_no_two_bugs_are_the_same_change() -> None:
    seen = set()
    for bug in bugs():
        program = lines(ROOT / "cases" / bug["id"] / "program.py")
        original = lines(ROOT / "originals" / f"{bug['id']}.py")
        first, old, start, new = changes(bug)[0]
        key = (*original[first - 1 : first - 1 + old], "=>", *program[start - 1 : start - 1 + new])
        assert key not in seen, bug["id"]
        seen.add(key)
