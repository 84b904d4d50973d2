"""Reviews on a machine without bubblewrap: every way to have a change's tests run, none of which may."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.cli import Said, program
from tests.no_bwrap import Machine, burnish_on
from tests.repos import TestRepo, make_repo

CLEAN = "def same(a, b):\n    return a == b\n"
FLAWED = f"{CLEAN}\n\ndef nothing(a):\n    return a == None\n"
PYTHON = "import pathlib\n\ntry:\n    pathlib.Path({mark!r}).touch()\nexcept OSError:\n    pass\n"
SHELL = "#!/bin/sh\n: > '{mark}'\n"
TEST = "from calc import same\n\n\ndef test_same():\n    assert same(1, 1)\n"
NOT_RUN = "tests not run: no sandbox ("


@dataclass(frozen=True)
class Suite:
    """How a base is tested, and what a change brings that its test command would execute: path -> text."""

    base: Mapping[str, str]
    command: str
    change: Mapping[str, str]


SUITES = {
    "pytest": Suite(
        {"test_calc.py": TEST, "pyproject.toml": "[tool.pytest.ini_options]\npythonpath = ['.']\n"},
        "python3 -m pytest -q",
        {
            "conftest.py": PYTHON,
            "test_more.py": f"{PYTHON}\n\ndef test_more():\n    raise AssertionError\n",
            "calc.py": f"{PYTHON}\n\n{FLAWED}",
        },
    ),
    "unittest": Suite(
        {"test_calc.py": "import unittest\n\nimport calc\n\n\nclass T(unittest.TestCase):\n    def test(self):\n        calc.same(1, 1)\n"},
        "python3 -m unittest -q",
        {"calc.py": f"{PYTHON}\n\n{FLAWED}", "test_new.py": PYTHON},
    ),
    "make": Suite(
        {"Makefile": "test:\n\tsh check.sh\n", "check.sh": "true\n"},
        "make test",
        {"check.sh": SHELL, "calc.py": FLAWED},
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Way:
    """How a review is asked for. `base` and `checkout` are a burnish.toml there; {command} is the suite's."""

    words: tuple[str, ...] = ("review",)
    base: str = ""
    checkout: str = ""
    env: Mapping[str, str] = field(default_factory=dict)
    agent: bool = False


GATE = "[gate]\ncommand = '{command}'\n"
ALLOWS = "[sandbox]\nmode = 'off'\nrun_unsandboxed = true\n"
WAYS = {
    "review": Way(),
    "review --fix": Way(("review", "--fix")),
    "fix": Way(("fix",)),
    "--gate": Way(("review", "--fix", "--gate", "{command}")),
    "a gate of the base": Way(base=GATE),
    "a gate of the base, and --fix": Way(("review", "--fix"), base=GATE),
    "a gate of the user": Way(env={"BURNISH_GATE_COMMAND": "{command}"}),
    "a base that allows itself to be run": Way(base=f"{ALLOWS}{GATE}"),
    "a change that allows itself to be run": Way(checkout=f"{ALLOWS}{GATE}"),
    "--sandbox off": Way(("review", "--fix", "--sandbox", "off")),
    "an agent that reviews": Way(("review", "--dimensions", "security"), agent=True),
}
SHORT = (("review --fix", "pytest"), ("a base that allows itself to be run", "make"))


@dataclass(frozen=True)
class Den:
    """A repository with a suite, and a change to it; each part that is executed leaves a mark of its own."""

    repo: TestRepo
    folder: Path
    suite: Suite

    @property
    def marks(self) -> Path:
        return self.folder / "marks"

    @property
    def left(self) -> list[str]:
        return sorted(path.name for path in self.marks.iterdir())

    def call(self, machine: Machine, words: tuple[str, ...], env: Mapping[str, str]) -> Said:
        own = {name: text.format(command=self.suite.command) for name, text in env.items()}
        state = {"BURNISH_STATE": str(self.folder / "state")}
        asked = [word.format(command=self.suite.command) for word in words]
        return burnish_on(machine, self.repo.path, *asked, env={**own, **state}, timeout_s=240)


def make_den(folder: Path, suite: Suite, way: Way) -> Den:
    settings = {"burnish.toml": way.base.format(command=suite.command)} if way.base else {}
    den = Den(make_repo(folder / "repo", {"calc.py": CLEAN, **suite.base, **settings}), folder, suite)
    den.marks.mkdir()
    for path, text in suite.change.items():
        den.repo.write(
            path,
            text.replace("{mark!r}", repr(str(den.marks / path))).replace("{mark}", str(den.marks / path)),
        )
    if way.checkout:
        den.repo.write("burnish.toml", way.checkout.format(command=suite.command))
    return den  # fmt: skip


def stays_unexecuted(folder: Path, suite: Suite, way: Way, machine: Machine) -> None:
    """Raises AssertionError where something of the change was executed, or the review was not made."""
    den = make_den(folder, suite, way)
    if way.words == ("fix",):
        den.call(machine, ("review", "--no-tests"), {})
    agent = ("--agent", program(folder / "agents", "viewer", "print('no')\n")) if way.agent else ()
    before = den.repo.fingerprint()
    said = den.call(machine, (*way.words, *agent), way.env)
    assert den.left == [], f"executed: {den.left}"
    assert said.code in (0, 1), f"exit {said.code}: {said.err[-300:]}"
    assert NOT_RUN in said.err, f"not a word about the tests: {said.err[-300:]}"
    assert "--run-unsandboxed)" in said.err, "what allows it is not named"
    assert "Outcome: " in said.out, f"there was no review: {said.out[-300:]}"
    asked = bool(way.base or way.env or "--gate" in way.words)
    assert not asked or "Outcome: passed" not in said.out, "a gate that was not run counts as green"
    assert den.repo.fingerprint() == before, "the user's repository changed"


def is_executed_where_allowed(folder: Path, suite: Suite) -> None:
    """The same change with the flag: what it brings does leave its marks, so that their absence means something."""
    den = make_den(folder, suite, Way())
    said = den.call(Machine.NONE, ("review", "--run-unsandboxed", "--gate", "{command}"), {})
    expected = sorted(path for path, text in suite.change.items() if "{mark" in text)
    assert den.left == expected, f"executed: {den.left}, expected {expected}: {said.err[-300:]}"
