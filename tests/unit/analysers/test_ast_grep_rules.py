"""Each rule of our ast-grep pack fires where it should and keeps quiet at near misses."""

from __future__ import annotations

import asyncio
import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest

from burnish.analysers._setup import AnalyserSetup
from burnish.analysers._table import knows
from burnish.analysers.ast_grep import LANGUAGES, make, pack
from burnish.ports import Source

EXAMPLES = Path(__file__).resolve().parents[2] / "data" / "ast_grep"
RULES = Path(str(files("burnish.analysers"))) / "ast_grep_rules"
AROUND = {
    "go": "package main\nfunc f() {\n%s\n}\n",
    "java": "class A { void f() throws Exception {\n%s\n} }\n",
    "rust": "fn f() {\n%s\n}\n",
}
ALL = sorted((path.parent.name, path.stem) for path in RULES.rglob("*.yml"))


def examples(language: str) -> dict[str, dict[str, list[str]]]:
    path = EXAMPLES / f"{language}.toml"
    return tomllib.loads(path.read_text("utf8")) if path.exists() else {}


@cache
def fired(tmp: Path) -> dict[str, set[str]]:
    """Which rules fired in which example, all examples of all languages in one scan."""
    names = []
    for language, suffixes in LANGUAGES.items():
        for rule, kinds in examples(language).items():
            for kind, snippets in kinds.items():
                for number, snippet in enumerate(snippets):
                    for suffix in suffixes if language == "javascript" else suffixes[:1]:
                        name = f"{rule}/{kind}{number}{suffix}"
                        (tmp / rule).mkdir(exist_ok=True)
                        (tmp / name).write_text(AROUND.get(language, "%s\n").replace("%s", snippet))
                        names.append(name)
    found = asyncio.run(make(AnalyserSetup(env={})).analyse(Source(tmp, ""), tuple(names)))
    assert not found.failed
    assert found.not_reviewed == ()
    rules: dict[str, set[str]] = {name: set() for name in names}
    for finding in found.findings:
        rules[finding.file].add(finding.rule.removeprefix("ast-grep:"))
    return rules


@pytest.fixture(scope="module")
def scanned(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    return fired(tmp_path_factory.mktemp("examples"))


@pytest.mark.parametrize(("language", "rule"), ALL, ids=[rule for _, rule in ALL])
def test_a_rule_fires_at_its_bad_examples_and_not_at_its_good_ones(
    language: str, rule: str, scanned: dict[str, set[str]]
) -> None:
    own = examples(language).get(rule, {})
    assert own.get("bad"), f"{rule} has no example in which it must fire"
    assert own.get("good"), f"{rule} has no near miss in which it must not fire"
    for name, rules in scanned.items():
        if name.startswith(f"{rule}/bad"):
            assert rule in rules, name
        if name.startswith(f"{rule}/good"):
            assert rule not in rules, name


@pytest.mark.parametrize(("language", "rule"), ALL, ids=[rule for _, rule in ALL])
def test_a_rule_has_an_entry_in_the_table_and_says_what_to_do(language: str, rule: str) -> None:
    text = (RULES / language / f"{rule}.yml").read_text("utf8")
    assert text.startswith(f"id: {rule}\n")
    assert "\nseverity: warning\n" in text
    assert "\nmessage: " in text
    assert "\nnote: " in text
    assert knows("ast-grep", rule)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_at_least_eight_rules(language: str) -> None:
    assert len([rule for of, rule in ALL if of == language]) >= 8


def test_no_example_is_left_of_a_rule_that_is_gone() -> None:
    for language in LANGUAGES:
        assert set(examples(language)) == {rule for of, rule in ALL if of == language}


def test_rules_for_javascript_are_also_rules_for_typescript_and_tsx() -> None:
    for mark in (".ts", ".tsx"):
        assert f"id: js-eval{mark}\n" in pack()
