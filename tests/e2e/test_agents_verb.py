"""`burnish agents` and `burnish agents test`: what is there, and one real round trip, told so that one can act."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli import Said, burnish, program
from tests.repos import TestRepo

# Prints a version as the real one does, and whether it was given a secret with the question.
FAKE = """#!/bin/sh
echo "{version}${{ANTHROPIC_API_KEY:+.leaked}} (an agent)"
"""
FINDS = "print('## Must-Fix\\n\\n- app.py:3: it subtracts\\n\\n**Verdict: CHANGES_REQUESTED**')\n"
FIXES = "f = Path('app.py'); f.write_text(f.read_text().replace('a - b', 'a + b')); print('done')\n"
GOOD = f"if role == 'review':\n    {FINDS}else:\n    {FIXES}"


class Machine:
    """A PATH with nothing on it but what git and the sandbox need, and the agents that a test puts there."""

    def __init__(self, folder: Path) -> None:
        self.bin, self.folder = folder / "bin", folder
        self.bin.mkdir()
        self.repo = folder / "nowhere"
        self.repo.mkdir()
        self.env = {"PATH": f"{self.bin}:/usr/bin:/bin"}

    def has(self, name: str, version: str, key: str = "") -> Path:
        path = self.bin / name
        path.write_text(FAKE.format(version=version))
        path.chmod(0o755)
        if key:
            self.env[key] = "very-secret"
        return path

    def do(self, *arguments: str) -> Said:
        return burnish(self.repo, "agents", *arguments, env=self.env)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def trials(state: str = "BURNISH_STATE") -> list[Path]:
    return list((Path(os.environ[state]) / "trials").glob("*"))


def test_the_table_tells_version_login_abilities_and_roles_in_80_columns(machine: Machine) -> None:
    machine.has("claude", "2.1.325", key="ANTHROPIC_API_KEY")
    machine.has("codex", "0.166.0")
    machine.has("gemini", "0.61.0")
    said = machine.do()
    assert said.code == 0
    lines = said.out.splitlines()
    assert max(len(line) for line in lines) <= 80
    rows = {line.split()[0]: line.split()[1:] for line in lines[: lines.index("")]}
    assert rows["claude"][:2] == ["2.1.325", "yes"]
    assert " ".join(rows["claude"]).endswith("schema read-only resume cost implement, review, fix")
    assert rows["codex"][:2] == ["0.166.0", "no"]
    assert rows["codex"][-1] == "-"
    assert list(rows)[-1] == "embedded"
    assert "gemini" not in rows
    assert "codex: not logged in: codex login" in said.out
    assert "gemini: not driven by itself yet" in said.out


def test_the_version_is_asked_without_any_secret_in_the_environment(machine: Machine) -> None:
    machine.has("claude", "2.1.325", key="ANTHROPIC_API_KEY")
    found = {view["name"]: view for view in json.loads(machine.do("--json").out)}
    assert (found["claude"]["login"], found["claude"]["version"]) == ("yes", "2.1.325")


def test_json_has_the_same_and_who_is_named_says_where(
    machine: Machine, repo: Callable[..., TestRepo]
) -> None:
    machine.has("claude", "2.1.325", key="ANTHROPIC_API_KEY")
    machine.has("codex", "0.166.0", key="OPENAI_API_KEY")
    lines = "[agents]\nimplementer = 'codex:fast'\nreviewer = './judge --strict'\nfallback = ['claude']\n"
    machine.repo = repo({"burnish.toml": lines}).path
    found = {view["name"]: view for view in json.loads(machine.do("--json").out)}
    assert found["codex"]["roles"] == ["implement", "fix"]
    assert found["codex"]["why"].startswith("named in burnish.toml at ")
    assert found["./judge --strict"]["roles"] == ["review"]
    assert found["claude"]["roles"] == ["implement", "review", "fix"]
    assert found["claude"]["why"] == "asked when codex gives no answer"
    assert found["embedded"]["login"] == "-"


def test_with_no_agent_at_all_the_table_says_how_to_get_one(machine: Machine) -> None:
    said = machine.do()
    assert said.code == 0
    assert "claude    missing   -  " in said.out
    assert "codex: not installed: npm install -g @openai/codex" in said.out


def test_a_round_trip_with_any_command_tells_each_step_and_leaves_nothing(machine: Machine) -> None:
    said = machine.do("test", program(machine.folder / "agents", "good", GOOD), "--sandbox", "off")
    assert said.code == 0, said.err
    marks = [line[:8].strip() for line in said.out.splitlines() if line[0] in "✓✗"]
    assert marks == ["✓ found", "✓ review", "✓ fix"]
    assert "verdict CHANGES_REQUESTED, the planted bug was found; no file was touched" in said.out
    assert "the tree changed, and the bug is gone" in said.out
    assert "isolation: guard (unsandboxed)" in said.out
    assert "good.py works: " in said.out.splitlines()[-1]
    assert trials() == []


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (FIXES + FINDS, "✗ review   verdict CHANGES_REQUESTED, the planted bug was found; it edited app.py"),
        ("print('**Verdict: APPROVED**')\n", "✗ review   verdict APPROVED: the planted bug was not found"),
        ("print('looks fine')\n", "✗ review   it answered without a verdict"),
        (
            f"if role == 'review':\n    {FINDS}print('Fixed add().')\n",
            "✗ fix      it ended and changed nothing",
        ),
        (
            f"if role == 'review':\n    {FINDS}else:\n    Path('app.py').write_text('def add(a, b): return 5')\n",
            "✗ fix      the tree changed, but the bug is still there",
        ),
        ("sys.exit('quota exceeded')\n", "ended with status 1: quota exceeded"),
    ],
    ids=["edits while reviewing", "approves the bug", "no verdict", "only says so", "wrong fix", "fails"],
)
def test_what_an_agent_gets_wrong_is_named_with_a_remedy_and_exit_1(
    machine: Machine, body: str, told: str
) -> None:
    said = machine.do("test", program(machine.folder / "agents", "bad", body), "--sandbox", "off")
    assert said.code == 1
    assert told in said.out
    assert "remedy: " in said.out
    assert "bad.py does not work here" in said.out


def test_an_agent_that_is_missing_or_not_logged_in_is_told_before_anything_is_asked(machine: Machine) -> None:
    missing = machine.do("test", "claude")
    assert missing.code == 1
    assert "claude is not installed" in missing.out
    machine.has("claude", "2.1.325")
    out = machine.do("test", "claude", "--json")
    (step,) = out.events
    assert (step["ok"], step["trouble"], step["remedy"]) == (False, "not_logged_in", "run: claude auth login")


def test_the_scratch_repository_is_not_the_users(machine: Machine, repo: Callable[..., TestRepo]) -> None:
    theirs = repo({"app.py": "mine\n"})
    machine.repo = theirs.path
    before = theirs.fingerprint()
    assert machine.do("test", program(machine.folder / "agents", "good", GOOD), "--sandbox", "off").code == 0
    assert theirs.fingerprint() == before


def test_a_key_without_the_program_is_no_login(machine: Machine) -> None:
    machine.env["ANTHROPIC_API_KEY"] = "very-secret"
    assert "claude    missing   -  " in machine.do().out
    found = {view["name"]: view for view in json.loads(machine.do("--json").out)}
    assert found["claude"]["login"] == "unknown"


def test_the_embedded_default_makes_its_round_trip_with_its_own_tools(machine: Machine) -> None:
    said = machine.do("test", "embedded")
    assert said.code == 0, said.out
    marks = [line[:8].strip() for line in said.out.splitlines() if line[0] in "✓✗"]
    assert marks == ["✓ found", "✓ review", "✓ fix"]
    assert "it cannot implement or approve" in said.out
    assert "the planted defect was found: yaml.load()" in said.out
    assert "the tree changed, and the defect is gone" in said.out
    assert trials() == []
