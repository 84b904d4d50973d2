"""Tools that are used when they are there: their recorded output is read, garbage is said, none is silenced."""

from __future__ import annotations

import asyncio
import importlib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish import registry
from burnish.analysers._program import Answer
from burnish.analysers._setup import AnalyserSetup
from burnish.analysers._tool import ONLY_BOXED, Tool
from burnish.model.assessment import Analysis
from burnish.model.review import Severity
from burnish.ports import Sandbox, Source
from burnish.process import bubblewrap

RECORDED = Path(__file__).resolve().parents[2] / "data" / "tools"
ROOT = Path("/tree")
PARSERS = ("shellcheck", "hadolint", "zizmor", "mypy", "semgrep", "eslint", "clippy", "golangci_lint")
TOOLS = tuple(name.replace("_", "-") for name in PARSERS)


def read(name: str, text: str) -> Answer:
    answer: Answer = importlib.import_module(f"burnish.analysers.{name}").read(text, ROOT)
    return answer


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("shellcheck", [("a.sh", 3, "shellcheck:SC2086", Severity.LOW), ("a.sh", 4, "shellcheck:SC2164", Severity.MEDIUM)]),
        ("hadolint", [("Dockerfile", 3, "hadolint:DL3002", Severity.MEDIUM), ("Dockerfile", 1, "hadolint:DL3006", Severity.LOW)]),
        ("zizmor", [(".github/workflows/ci.yml", 7, "zizmor:template-injection", Severity.HIGH),
                    (".github/workflows/ci.yml", 1, "zizmor:dangerous-triggers", Severity.HIGH)]),
        ("mypy", [("py/c.py", 4, "mypy:return-value", Severity.MEDIUM)]),
        ("semgrep", [("py/a.py", 1, "semgrep:my-eval", Severity.HIGH)]),
        ("eslint", [("a.js", 2, "eslint:no-debugger", Severity.MEDIUM), ("a.js", 3, "eslint:no-eval", Severity.HIGH)]),
        ("clippy", [("src/main.rs", 1, "clippy:len_zero", Severity.MEDIUM), ("src/main.rs", 1, "clippy:unused_variables", Severity.LOW)]),
        ("golangci_lint", [("cmd/main.go", 6, "golangci-lint:errcheck", Severity.MEDIUM), ("cmd/main.go", 7, "golangci-lint:gosec", Severity.HIGH)]),
    ],
)  # fmt: skip
def test_recorded_output_is_read(name: str, expected: list[tuple[str, int, str, Severity]]) -> None:
    found = read(name, (RECORDED / f"{name}.txt").read_text())
    places = {(one.file, one.line, one.rule, one.severity) for one in found.findings}
    assert places >= set(expected)
    assert all(one.title and one.dimension for one in found.findings)


@pytest.mark.parametrize(
    ("name", "path"), [("shellcheck", "bad.sh"), ("hadolint", "bad.Dockerfile"), ("eslint", "bad.js")]
)
def test_a_file_that_a_tool_could_not_parse_is_not_called_clean(name: str, path: str) -> None:
    found = read(name, (RECORDED / f"{name}.txt").read_text())
    assert [one.path for one in found.not_reviewed] == [path]


def test_a_build_that_failed_is_not_called_clean() -> None:
    with pytest.raises(ValueError, match="does not build"):
        read("clippy", "")
    with pytest.raises(ValueError, match="does not build"):
        read("clippy", '{"reason":"build-finished","success":false}\n')
    wrong = '{"Issues":[{"FromLinter":"typecheck","Text":"no such package","Pos":{}}]}'
    with pytest.raises(ValueError, match="type-check"):
        read("golangci_lint", wrong)


EXPECTED_OF_A_READER = (ValueError, KeyError, TypeError, IndexError, AttributeError)


@pytest.mark.parametrize("name", PARSERS)
@given(
    text=st.text(max_size=30)
    | st.sampled_from(["[]", "{}", "null", "[[]]", '[{"a":1}]', '{"results":[1]}', "[1]"])
)
def test_garbage_raises_only_what_the_frame_expects(name: str, text: str) -> None:
    try:
        read(name, text)
    except EXPECTED_OF_A_READER:
        return


@pytest.mark.parametrize("name", PARSERS)
def test_a_path_outside_the_tree_is_not_taken(name: str) -> None:
    text = (RECORDED / f"{name}.txt").read_text()
    moved = text.replace("/tree/", "/etc/").replace('"./', '"/etc/')
    for path in ("a.sh", "py/", "src/main.rs", "cmd/main.go", ".github/"):
        moved = moved.replace(f'"{path}', f'"/etc/{path}')
    try:
        found = read(name, moved)
    except EXPECTED_OF_A_READER:
        return
    assert all(not one.file.startswith("/") for one in found.findings)


def fake(folder: Path, name: str, script: str) -> AnalyserSetup:
    program = folder / "bin" / name
    program.parent.mkdir(exist_ok=True)
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return AnalyserSetup(env={"PATH": "/usr/bin:/bin"}, search=str(program.parent), timeout_s=20)


def analysed(name: str, setup: AnalyserSetup, root: Path, *files: str) -> Analysis:
    return asyncio.run(registry.load("analysers", name)(setup).analyse(Source(root, "t"), files))


def test_a_tool_gets_our_configuration_and_each_file_by_path(tmp_path: Path) -> None:
    setup = fake(tmp_path, "hadolint", f'echo "$@" > {tmp_path}/said; echo "[]"')
    (tmp_path / "tree").mkdir()
    found = analysed("hadolint", setup, tmp_path / "tree", "Dockerfile", "-x.dockerfile", "a.py")
    assert (found.failed, found.files) == ("", 2)
    said = (tmp_path / "said").read_text()
    assert said.endswith("-- ./Dockerfile ./-x.dockerfile\n")
    assert "--disable-ignore-pragma" in said


@pytest.mark.parametrize(
    ("name", "file", "words"),
    [
        ("zizmor", ".github/workflows/a.yml", ("--offline", "--no-config", "--no-ignores", "--")),
        ("shellcheck", "a.sh", ("--norc", "--")),
        ("eslint", "a.js", ("--no-config-lookup", "--no-inline-config", "--no-ignore", "--")),
    ],
)
def test_the_repository_cannot_configure_it(
    tmp_path: Path, name: str, file: str, words: tuple[str, ...]
) -> None:
    setup = fake(tmp_path, name, f'echo "$@" > {tmp_path}/said; echo "[]"')
    (tmp_path / "tree" / file).parent.mkdir(parents=True)
    (tmp_path / "tree" / file).write_text("x\n")
    analysed(name, setup, tmp_path / "tree", file)
    said = (tmp_path / "said").read_text().split()
    assert set(words) <= set(said)
    assert said[-1] == f"./{file}"


def test_a_comment_does_not_silence_shellcheck(tmp_path: Path) -> None:
    setup = fake(tmp_path, "shellcheck", f'cat -- "$5" > {tmp_path}/seen; echo \'{{"comments":[]}}\'')
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "a.sh").write_text("# shellcheck disable=SC2086\nrm $x\n")
    assert analysed("shellcheck", setup, tmp_path / "tree", "a.sh").failed == ""
    assert (tmp_path / "seen").read_text() == "# _hellcheck disable=SC2086\nrm $x\n"


@pytest.mark.parametrize("script", ["exit 70", "kill -9 $$", "echo rubbish", "echo '{\"comments\": 3}'"])
def test_a_crash_or_garbage_is_an_analysis_that_failed(tmp_path: Path, script: str) -> None:
    setup = fake(tmp_path, "shellcheck", script)
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "a.sh").write_text("x\n")
    found = analysed("shellcheck", setup, tmp_path / "tree", "a.sh")
    assert found.failed
    assert found.findings == ()


@pytest.mark.parametrize(("name", "program"), [("golangci-lint", "golangci-lint"), ("clippy", "cargo")])
def test_what_builds_the_code_runs_only_in_a_sandbox(tmp_path: Path, name: str, program: str) -> None:
    setup = fake(tmp_path, program, f"touch {tmp_path}/ran")
    analyser = registry.load("analysers", name)(setup)
    assert analyser.missing() == ONLY_BOXED
    file = "a.rs" if name == "clippy" else "a.go"
    found = analysed(name, setup, tmp_path, file)
    assert found.failed == ONLY_BOXED
    assert not (tmp_path / "ran").exists()


@pytest.mark.skipif(bubblewrap.usable() is None, reason="needs bubblewrap")
def test_in_the_sandbox_it_cannot_change_the_tree_or_reach_the_network(tmp_path: Path) -> None:
    recorded = RECORDED / "golangci_lint.txt"
    script = f'touch cmd/mark 2>/dev/null; touch "$GOCACHE" || exit 5; cat {recorded}'
    setup = fake(tmp_path, "golangci-lint", script)
    (tmp_path / "tree" / "cmd").mkdir(parents=True)
    (tmp_path / "tree" / "cmd" / "main.go").write_text("package main\n")
    boxed = AnalyserSetup(
        env=setup.env, search=setup.search, sandbox=Sandbox(readable=(tmp_path, RECORDED)), timeout_s=20
    )
    found = analysed("golangci-lint", boxed, tmp_path / "tree", "cmd/main.go")
    assert found.failed == ""
    assert "bubblewrap" in found.isolation
    assert "no network" in found.isolation
    assert len(found.findings) == 2
    assert not (tmp_path / "tree" / "cmd" / "mark").exists()


def test_semgrep_needs_rules_by_an_absolute_path(tmp_path: Path) -> None:
    setup = fake(tmp_path, "semgrep", "exit 1")
    assert "no rules" in registry.load("analysers", "semgrep")(setup).missing()
    rules = tmp_path / "rules.yml"
    rules.write_text("rules: []\n")
    named = AnalyserSetup(env={}, search=setup.search, options={"semgrep-rules": str(rules)})
    assert registry.load("analysers", "semgrep")(named).missing() == ""


@pytest.mark.parametrize("name", [name for name in TOOLS if name not in ("mypy",)])
def test_a_tool_that_is_not_installed_says_so(name: str) -> None:
    analyser = registry.load("analysers", name)(AnalyserSetup(env={}))
    assert isinstance(analyser, Tool)
    assert analyser.missing() == f"{name} is not installed"


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("hadolint", {"Dockerfile", "x/Dockerfile.dev", "web.dockerfile", "Containerfile"}),
        ("zizmor", {".github/workflows/ci.yml", "action.yml", ".github/dependabot.yml"}),
        ("shellcheck", {"a.sh"}),
        ("clippy", {"a.rs"}),
        ("golangci-lint", {"a.go"}),
        ("mypy", {"a.py"}),
        ("eslint", {"a.js"}),
    ],
)
def test_each_tool_wants_its_own_files(tmp_path: Path, name: str, wanted: set[str]) -> None:
    files = (
        "Dockerfile", "x/Dockerfile.dev", "web.dockerfile", "Containerfile", ".github/workflows/ci.yml",
        "action.yml", "a.sh", "a.rs", "a.go", "a.py", "a.js", "docs/Dockerfiles.md", "x.yml",
        ".github/dependabot.yml",
    )  # fmt: skip
    setup = replace(
        fake(tmp_path, "cargo" if name == "clippy" else name, "exit 0"), options={"mypy": "always"}
    )
    analyser = registry.load("analysers", name)(setup)
    assert set(analyser.wants(files)) == wanted


def test_a_tool_that_is_not_there_wants_nothing() -> None:
    assert registry.load("analysers", "hadolint")(AnalyserSetup(env={})).wants(("Dockerfile",)) == ()
