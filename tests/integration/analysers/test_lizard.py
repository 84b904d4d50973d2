"""lizard as we run it: thresholds, languages, and comments that ask it to look away."""

from __future__ import annotations

from pathlib import Path

from burnish.model.review import Severity
from tests.integration.analysers.planted import lay, look, rules


def branches(number: int) -> str:
    """A Python function with a cyclomatic complexity of `number`."""
    return (
        "def f(a):\n"
        + "".join(f"    if a == {at}:\n        a += 1\n" for at in range(number - 1))
        + "    return a\n"
    )


def long(number: int) -> str:
    """A Python function of `number` lines."""
    return "def f(a):\n" + "    a += 1\n" * (number - 2) + "    return a\n"


GRADES = {
    21: ("lizard:complexity-critical", Severity.CRITICAL),
    20: ("lizard:complexity-high", Severity.HIGH),
    11: ("lizard:complexity-high", Severity.HIGH),
    10: ("lizard:complexity-medium", Severity.MEDIUM),
    6: ("lizard:complexity-medium", Severity.MEDIUM),
}


def test_complexity_is_graded_by_the_thresholds(tmp_path: Path) -> None:
    source = lay(tmp_path, {f"{number}.py": branches(number) for number in (*GRADES, 5)})
    found = {finding.file: finding for finding in look("lizard", source).findings}
    assert {file: (finding.rule, finding.severity) for file, finding in found.items()} == {
        f"{number}.py": grade for number, grade in GRADES.items()
    }
    assert (found["21.py"].line, found["21.py"].dimension) == (1, "quality")
    assert "complexity of 21 " in found["21.py"].detail
    assert found["21.py"].snippet == "f(...)"


LENGTHS = {201: "critical", 200: "high", 101: "high", 100: "medium", 51: "medium"}


def test_length_is_graded_by_the_thresholds(tmp_path: Path) -> None:
    found = look("lizard", lay(tmp_path, {f"{number}.py": long(number) for number in (*LENGTHS, 50)}))
    assert {(finding.file, finding.rule) for finding in found.findings} == {
        (f"{number}.py", f"lizard:long-method-{grade}") for number, grade in LENGTHS.items()
    }


def test_a_class_of_more_than_five_hundred_lines_is_large(tmp_path: Path) -> None:
    def java(number: int) -> str:
        return "public final class Big {\n" + "  int a; // } not the end\n" * (number - 2) + "}\n"

    def python(number: int) -> str:
        return "class Big:\n" + "    a = 1\n" * (number - 1)

    files = {"a.py": python(501), "b.py": python(500), "Big.java": java(501), "Small.java": java(500)}
    source = lay(tmp_path, dict(files))
    found = look("lizard", source)
    assert [(finding.file, finding.line, finding.rule) for finding in found.findings] == [
        ("Big.java", 1, "lizard:large-class"),
        ("a.py", 1, "lizard:large-class"),
    ]


BRANCH = "if (a == 1) { a++; }\n" * 6
LANGUAGES = {
    "a.js": f"function f(a) {{\n{BRANCH} return a; }}\n",
    "a.ts": f"function f(a: number): number {{\n{BRANCH} return a; }}\n",
    "a.go": "package a\nfunc f(a int) int {\n" + "if a == 1 { a++ }\n" * 6 + "return a }\n",
    "A.java": f"class A {{ int f(int a) {{\n{BRANCH} return a; }} }}\n",
    "a.c": f"int f(int a) {{\n{BRANCH} return a; }}\n",
    "a.rs": "fn f(mut a: i32) -> i32 {\n" + "if a == 1 { a += 1; }\n" * 6 + "a }\n",
    "a.rb": "def f(a)\n" + "  if a == 1\n    a += 1\n  end\n" * 6 + "  a\nend\n",
    "a.php": f"<?php\nfunction f($a) {{\n{BRANCH} return $a; }}\n",
    "a.swift": "func f(a: Int) -> Int {\n" + "if a == 1 { b() }\n" * 6 + "return a }\n",
    "a.kt": f"fun f(a: Int): Int {{\n{BRANCH} return a }}\n",
    "a.lua": "function f(a)\n" + "if a == 1 then b() end\n" * 6 + "return a\nend\n",
}


def test_many_languages_are_measured(tmp_path: Path) -> None:
    found = look("lizard", lay(tmp_path, dict(LANGUAGES)))
    assert {(finding.file, finding.rule) for finding in found.findings} == {
        (name, "lizard:complexity-medium") for name in LANGUAGES
    }


def test_comments_do_not_make_it_look_away(tmp_path: Path) -> None:
    comments = ["#lizard forgives", "# lizard forgives", "#lizard forgive global", "# GENERATED CODE"]
    files = {
        f"{at}.py": branches(12).replace("def f(a):\n", f"{comment}\ndef f(a):\n    {comment}\n")
        for at, comment in enumerate(comments)
    }
    found = look("lizard", lay(tmp_path, dict(files)))
    assert [finding.rule for finding in found.findings] == ["lizard:complexity-high"] * 4


def test_a_file_that_cannot_be_read_costs_only_itself(tmp_path: Path) -> None:
    source = lay(tmp_path, {"a.py": b"x = '\xff'\n", "b.py": branches(12), "c.py": "def f(:\n"})
    found = look("lizard", source)
    assert [skipped.path for skipped in found.not_reviewed] == ["a.py", "c.py"]
    assert rules(found) == {"lizard:complexity-high"}
    assert found.failed == ""


def test_text_that_is_no_code_is_survived(tmp_path: Path) -> None:
    odd = {
        f"{number}.js": text
        for number, text in enumerate(["{" * 50_000, "`${" * 5000, "", "'\\", "}}}}", "\x00"])
    }
    found = look("lizard", lay(tmp_path, {**odd, "z.py": branches(12)}))
    assert found.failed == ""
    assert "lizard:complexity-high" in rules(found)


def test_crossing_a_threshold_is_another_finding(tmp_path: Path) -> None:
    low = look("lizard", lay(tmp_path / "a", {"a.py": branches(8)}))
    high = look("lizard", lay(tmp_path / "b", {"a.py": branches(12)}))
    assert low.findings[0].identity != high.findings[0].identity


def test_a_new_argument_does_not_make_an_old_finding_new(tmp_path: Path) -> None:
    before = look("lizard", lay(tmp_path / "a", {"a.py": branches(12)}))
    after = look("lizard", lay(tmp_path / "b", {"a.py": branches(13).replace("def f(a):", "def f(a, b=1):")}))
    assert before.findings[0].identity == after.findings[0].identity


def test_a_method_is_named_with_its_class(tmp_path: Path) -> None:
    method = "".join(f"    {line}\n" for line in branches(12).splitlines())
    found = look("lizard", lay(tmp_path, {"a.py": f"class One:\n{method}\n\nclass Two:\n{method}"}))
    assert [finding.snippet for finding in found.findings] == ["One.f(...)", "Two.f(...)"]
