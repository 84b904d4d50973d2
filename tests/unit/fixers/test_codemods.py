"""Our own rewrites: each example is found by the real analyser, rewritten, and looked at again."""

from __future__ import annotations

import asyncio
import tomllib
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from burnish import registry
from burnish.fixers import codemods
from burnish.model.review import Finding
from burnish.ports import Source
from burnish.process.tool_setup import ToolSetup

EXAMPLES: dict[str, dict[str, Any]] = tomllib.loads(
    (Path(__file__).resolve().parents[2] / "data" / "codemods.toml").read_text("utf8")
)
SETUP = ToolSetup(env={})


def snippets(kind: str) -> list[tuple[str, int, str]]:
    """Name of the rewrite, number of the example, and its text `before`, `after` or `refused`."""
    if kind == "refused":
        return [(name, at, text) for name, one in EXAMPLES.items() for at, text in enumerate(one["refused"])]
    side = ("before", "after").index(kind)
    return [
        (name, at, pair[side]) for name, one in EXAMPLES.items() for at, pair in enumerate(one["examples"])
    ]


@cache
def looked(root: Path, kind: str) -> dict[str, list[Finding]]:
    """What the real analysers say of all examples of a kind, in one go."""
    files = []
    for name, at, text in snippets(kind):
        file = f"{name}-{at}{EXAMPLES[name]['suffix']}"
        (root / file).write_bytes(text.encode())
        files.append(file)
    found = defaultdict(list)
    for tool in ("ruff", "ast-grep", "oxlint"):
        analyser = registry.load("analysers", tool)(SETUP)
        analysis = asyncio.run(analyser.analyse(Source(root, ""), analyser.wants(tuple(files))))
        assert not analysis.failed
        for finding in analysis.findings:
            found[finding.file].append(finding)
    return found


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Finding]]:
    return looked(tmp_path_factory.mktemp("before"), "before")


@pytest.fixture(scope="module")
def after(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Finding]]:
    return looked(tmp_path_factory.mktemp("after"), "after")


@pytest.fixture(scope="module")
def refused(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Finding]]:
    return looked(tmp_path_factory.mktemp("refused"), "refused")


def repaired(tmp: Path, name: str, file: str, text: str, findings: list[Finding]) -> str:
    """The text after the fixer had its turn with each finding of the rewrite's rules."""
    (tmp / file).write_bytes(text.encode())
    own = [finding for finding in findings if finding.rule in EXAMPLES[name]["rules"]]
    assert own, f"no rule of {name} fires in {text!r}; found: {[finding.rule for finding in findings]}"
    fixer = codemods.Codemods(SETUP, unsafe=EXAMPLES[name].get("unsafe", False))
    assert all(fixer.can(finding, unsafe=True) for finding in own)
    asyncio.run(fixer.fix(own[0], tmp))
    return (tmp / file).read_bytes().decode()


@pytest.mark.parametrize(("name", "at", "text"), snippets("before"))
def test_a_rewrite_gives_the_text_after_and_silences_its_rule(
    tmp_path: Path,
    name: str,
    at: int,
    text: str,
    before: dict[str, list[Finding]],
    after: dict[str, list[Finding]],
) -> None:
    file = f"{name}-{at}{EXAMPLES[name]['suffix']}"
    assert repaired(tmp_path, name, file, text, before[file]) == EXAMPLES[name]["examples"][at][1]
    left = {finding.rule for finding in after[file]} & set(EXAMPLES[name]["rules"])
    # A constant command given as a list is what the rule wants, though ruff still names the shell's programs.
    assert left == set()


@pytest.mark.parametrize(("name", "at", "text"), snippets("refused"))
def test_where_it_would_be_wrong_a_rewrite_changes_nothing(
    tmp_path: Path, name: str, at: int, text: str, refused: dict[str, list[Finding]]
) -> None:
    file = f"{name}-{at}{EXAMPLES[name]['suffix']}"
    assert repaired(tmp_path, name, file, text, refused[file]) == text


def test_every_rewrite_has_an_example() -> None:
    shown = {rule for one in EXAMPLES.values() for rule in one["rules"]}
    for rewrite in codemods.PYTHON:
        assert rewrite.rewrite.__name__.replace("_", "-") in EXAMPLES
        assert set(rewrite.repairs) & shown
    for pattern in codemods.patterns():
        assert set(pattern.repairs) & shown
        assert (Path(codemods.__file__).parent / "codemod_rules" / f"{pattern.id}.yml").exists()


def test_unsafe_rewrites_wait_until_they_are_asked_for(tmp_path: Path) -> None:
    finding = Finding("x", file="a.py", line=1, rule="ruff:S202")
    safe, unsafe = codemods.make(SETUP), codemods.make_unsafe(SETUP)
    assert not safe.can(finding)
    assert not safe.can(finding, unsafe=True)
    assert not unsafe.can(finding)
    assert unsafe.can(finding, unsafe=True)


def test_only_the_place_of_the_finding_is_rewritten(tmp_path: Path) -> None:
    text = "import yaml\n\nyaml.load(a)\nyaml.load(b)\n"
    (tmp_path / "a.py").write_text(text)
    finding = Finding("x", file="a.py", line=4, rule="ruff:S506")
    assert asyncio.run(codemods.make(SETUP).fix(finding, tmp_path)) == "loads YAML safely"
    assert (tmp_path / "a.py").read_text() == "import yaml\n\nyaml.load(a)\nyaml.safe_load(b)\n"
    (tmp_path / "a.sh").write_text("cp $a b\ncp $c d\n")
    finding = Finding("x", file="a.sh", line=2, rule="ast-grep:sh-unquoted-variable")
    assert asyncio.run(codemods.make(SETUP).fix(finding, tmp_path))
    assert (tmp_path / "a.sh").read_text() == 'cp $a b\ncp "$c" d\n'


def test_the_same_place_found_by_two_tools_is_repaired_once(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import hashlib\n\netag = hashlib.md5(x)\n")
    for rule in ("ruff:S324", "ast-grep:py-weak-hash"):
        finding = Finding("x", file="a.py", line=3, rule=rule)
        asyncio.run(codemods.make(SETUP).fix(finding, tmp_path))
    assert (tmp_path / "a.py").read_text().count("usedforsecurity") == 1


@pytest.mark.parametrize("line", [1, 99, 10**9])
def test_a_line_that_is_not_there_changes_nothing(tmp_path: Path, line: int) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    finding = Finding("x", file="a.py", line=line, rule="ruff:S506")
    assert asyncio.run(codemods.make(SETUP).fix(finding, tmp_path)) == ""
    assert (tmp_path / "a.py").read_text() == "x = 1\n"


@pytest.mark.parametrize("text", ["def f(:\n", "\0", "(" * 500, "x = '''\n"])
def test_code_that_does_not_parse_is_left_alone(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.py").write_text(text)
    for rewrite in codemods.PYTHON:
        finding = Finding("x", file="a.py", line=1, rule=rewrite.repairs[0])
        assert asyncio.run(codemods.Codemods(SETUP, rewrite.unsafe).fix(finding, tmp_path)) == ""
    assert (tmp_path / "a.py").read_text() == text
