"""The labelled cases of bench/labelled/taint are what their manifest says."""

from __future__ import annotations

import ast
import hashlib
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2] / "bench" / "labelled" / "taint"
CLASSES = {
    "code": {94, 95},
    "command": {78},
    "deserialisation": {502},
    "insecure_cookie": {614},
    "ldap": {90},
    "log": {117},
    "path": {22},
    "redirect": {601},
    "sql": {89},
    "ssrf": {918},
    "trust_boundary": {501},
    "weak_cipher": {327},
    "weak_hash": {328},
    "weak_random": {330},
    "xpath": {643},
    "xss": {79},
    "xxe": {611},
}
AT_LEAST = {"flask": 40, "django": 40, "fastapi": 40, "aiohttp": 40, "bottle": 10, "script": 10}


@cache
def cases() -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = tomllib.loads((ROOT / "labels.toml").read_text())["case"]
    return listed


@cache
def text_of(name: str) -> str:
    return (ROOT / name).read_text()


@cache
def tree(name: str) -> ast.Module:
    return ast.parse(text_of(name), name)


def functions(node: ast.AST, prefix: str = "") -> list[tuple[str, int, int]]:
    found = []
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            if not isinstance(child, ast.ClassDef):
                found.append((prefix + child.name, child.lineno, child.end_lineno or child.lineno))
            found += functions(child, f"{prefix}{child.name}.")
        else:
            found += functions(child, prefix)
    return found


def test_every_file_parses_and_belongs_to_one_case() -> None:
    named = [name for case in cases() for name in (*case["files_a"], *case["files_b"])]
    assert len(named) == len(set(named))
    assert set(named) == {path.relative_to(ROOT).as_posix() for path in (ROOT / "cases").rglob("*.py")}
    for name in named:
        tree(name)
        lines = len(text_of(name).splitlines())
        assert name.endswith("/__init__.py") or 10 <= lines <= 60, name


def test_labels_name_what_exists() -> None:
    assert len({case["id"] for case in cases()}) == len(cases())
    for case in cases():
        assert case["id"].startswith(case["class"] + "_")
        assert case["vulnerable"] in ("a", "b")
        for side in ("files_a", "files_b"):
            assert all(f"{case['id']}_{side[-1]}" in name for name in case[side]), case["id"]
            places = [
                name for name in case[side] for found in functions(tree(name)) if found[0] == case["function"]
            ]
            assert len(places) == 1, case["id"]
        name, _, line = case["sink"].rpartition(":")
        assert name in case[f"files_{case['vulnerable']}"], case["id"]
        begins = (ast.Call, ast.Assign, ast.Return, ast.Raise)
        assert any(isinstance(n, begins) and n.lineno == int(line) for n in ast.walk(tree(name))), case["id"]
        around = [found[0] for found in functions(tree(name)) if found[1] <= int(line) <= found[2]]
        assert case["sink_function"] == (around[-1] if around else "<module>"), case["id"]


def test_both_sides_differ_and_neither_tells_by_a_comment() -> None:
    for case in cases():
        texts = {side: [text_of(name) for name in case[f"files_{side}"]] for side in "ab"}
        assert texts["a"] != texts["b"], case["id"]
        for text in (*texts["a"], *texts["b"]):
            assert not any(line.lstrip().startswith("#") for line in text.splitlines()), case["id"]
            assert "vulnerable" not in text.lower(), case["id"]


def test_counts() -> None:
    per_class = Counter(case["class"] for case in cases())
    assert set(per_class) == set(CLASSES)
    assert all(case["cwe"] in CLASSES[case["class"]] for case in cases())
    assert min(per_class.values()) >= 10
    assert len(cases()) >= 200
    per_framework = Counter(case["framework"] for case in cases())
    assert set(per_framework) == set(AT_LEAST)
    assert all(per_framework[name] >= least for name, least in AT_LEAST.items())
    assert sum(len(case["files_a"]) > 1 for case in cases()) >= 25
    assert 0.45 < sum(case["vulnerable"] == "a" for case in cases()) / len(cases()) < 0.55


def test_the_split_is_what_the_rule_says() -> None:
    for place, name in enumerate(sorted(CLASSES)):
        own = [case for case in cases() if case["class"] == name]
        own.sort(key=lambda case: (case["framework"], hashlib.sha256(case["id"].encode()).hexdigest()))
        for index, case in enumerate(own):
            assert case["split"] == ("dev", "held")[(index + place) % 2], case["id"]
    for framework in AT_LEAST:
        split = Counter(case["split"] for case in cases() if case["framework"] == framework)
        assert abs(split["dev"] - split["held"]) <= 4, framework
