"""`agents.fixer_session` from the settings to the CLI: across cycles, across a kill, and never for a reviewer."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli import Said, burnish, start
from tests.repos import TestRepo

# Speaks as Claude does, and remembers: its transcript lies where Claude has it, each step adds its name.
FAKE = """#!{python}
import json, os, re, sys, time
from pathlib import Path
if "--version" in sys.argv:
    print("1.2.3")
    sys.exit()
sys.stdin.read()
role, cycle, place = os.environ["BURNISH_ROLE"], os.environ["BURNISH_CYCLE"], Path({place!r})
folder = Path(os.environ["CLAUDE_CONFIG_DIR"], "projects", re.sub("[^A-Za-z0-9]", "-", os.getcwd()))
session = "session-of-" + role
if "--resume" in sys.argv:
    session = sys.argv[sys.argv.index("--resume") + 1]
file = folder / (session + ".jsonl")
known = file.read_text().split() if file.exists() else []
with (place / "log").open("a") as log:
    log.write(f"{{role}} {{cycle}}: {{','.join(known)}}\\n")
if (role, cycle) == ("fix", "2") and (place / "wait").exists():
    time.sleep(600)
folder.mkdir(parents=True, exist_ok=True)
file.write_text(" ".join([*known, role + cycle]))
if role != "review":
    Path("new.txt").open("a").write(role + cycle + "\\n")
print(json.dumps({{"type": "system", "subtype": "init", "session_id": session, "model": "m"}}))
issue = {{"file": "new.txt", "line": 1, "problem": "more", "suggestion": None}}
answer = {{"review": "Read.", "must_fix": [], "verdict": "APPROVED"}} if cycle == "3" else {{
    "review": "Read.", "must_fix": [issue], "verdict": "CHANGES_REQUESTED"}}
total = 15 * (len(known) + 1)
print(json.dumps({{
    "type": "result", "subtype": "success", "is_error": False, "result": "done", "structured_output": answer,
    "modelUsage": {{"m": {{"inputTokens": total}}}}, "total_cost_usd": total / 1000}}))
"""
LOG = [
    "implement 1: ",
    "review 1: ",
    "fix 1: implement1",
    "review 2: ",
    "fix 2: implement1,fix1",
    "review 3: ",
]


class Machine:
    def __init__(self, place: Path, repo: TestRepo) -> None:
        self.place, self.repo = place, repo
        path = place / "bin" / "claude"
        path.parent.mkdir()
        path.write_text(FAKE.format(python=sys.executable, place=str(place)))
        path.chmod(0o755)
        self.env = {
            "PATH": f"{path.parent}:/usr/bin:/bin",
            "ANTHROPIC_API_KEY": "dummy",
            "BURNISH_SANDBOX_MODE": "off",
        }

    def do(self, *arguments: str) -> Said:
        return burnish(self.repo.path, *arguments, env=self.env)

    @property
    def log(self) -> list[str]:
        file = self.place / "log"
        return file.read_text().splitlines() if file.exists() else []


@pytest.fixture
def machine(tmp_path: Path, repo: Callable[..., TestRepo]) -> Machine:
    files = {"app.py": "print('hi')\n", "burnish.toml": '[agents]\nfixer_session = "resume"\n'}
    return Machine(tmp_path, repo(files))


@pytest.mark.conformance("G-77")
def test_a_fixer_knows_what_was_done_before_also_after_a_kill_and_no_reviewer_does(machine: Machine) -> None:
    wait = machine.place / "wait"
    wait.touch()
    child = start(machine.repo.path, "run", "Add it", "--agent", "claude", "--json", env=machine.env)
    until = time.monotonic() + 60
    while len(machine.log) < 5 and child.poll() is None and time.monotonic() < until:
        time.sleep(0.02)
    child.kill()
    out, err = child.communicate(timeout=30)
    assert len(machine.log) == 5, err
    wait.unlink()
    said = machine.do("resume", json.loads(out.splitlines()[0])["run"], "--json")
    assert said.code == 0, said.err
    assert machine.log == [*LOG[:5], *LOG[4:]]
    # Six steps came to their end, each with 15 of its own: a resumed one tells those of its whole session.
    assert (said.end["tokens"], round(said.end["cost"], 3)) == (15 * 6, 0.09)
    assert not [event for event in said.events if "fresh session" in event.get("text", "")]
    shown = machine.do("show", said.end["run"]).out
    assert "fix by claude (1.2.3, m, session resumed)" in shown
    assert "(its session was resumed)" in shown


def test_a_flag_says_otherwise(machine: Machine) -> None:
    said = machine.do("run", "Add it", "--agent", "claude", "--fresh-fixer", "--json")
    assert said.code == 0, said.err
    assert [line.partition(": ")[2] for line in machine.log] == [""] * 6
    added = machine.do("add", "Add it", "--agent", "claude", "--resume-fixer")
    assert added.code == 0, added.err
