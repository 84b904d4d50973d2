"""Who is asked when nobody was named: told on the run, kept for its resume, and a sentence when nobody is there."""

from __future__ import annotations

import json
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli import Said, burnish, program, start
from tests.repos import TestRepo

# Both speak as the real ones do; each notes who it is and with what it was called.
FAKE = """#!{python}
import json, os, sys, time
from pathlib import Path
if "--version" in sys.argv:
    print("1.2.3")
    sys.exit()
sys.stdin.read()
role = os.environ["BURNISH_ROLE"]
with open({log!r}, "a") as log:
    model = sys.argv[sys.argv.index("--model") + 1]
    log.write(f"{name} {{role}} {{model}}\\n")
if Path({log!r}).with_name("{name}-waits").exists():
    time.sleep(600)
if Path({log!r}).with_name("{name}-fails").exists():
    sys.exit("no answer today")
if role != "review":
    with open("new.txt", "a") as file:
        file.write(role)
answer = {{"review": "Fine.", "must_fix": [], "verdict": "APPROVED"}}
"""
CLAUDE = """
print(json.dumps({"type": "system", "subtype": "init", "session_id": "s", "model": "opus"}))
result = {"type": "result", "subtype": "success", "is_error": False, "result": "done", "session_id": "s"}
usage = {"input_tokens": 10, "output_tokens": 5}
print(json.dumps({**result, "structured_output": answer, "usage": usage, "total_cost_usd": 0.01}))
"""
CODEX = """
text = json.dumps(answer) if role == "review" else "done"
print(json.dumps({"type": "thread.started", "thread_id": "t"}))
print(json.dumps({"type": "item.completed", "item": {"id": "i", "type": "agent_message", "text": text}}))
print(json.dumps({"type": "turn.completed", "usage": {"input_tokens": 10, "output_tokens": 5}}))
"""


class Machine:
    def __init__(self, folder: Path, repo: TestRepo) -> None:
        self.bin, self.repo, self.log = folder / "bin", repo, folder / "log"
        self.bin.mkdir()
        self.env = {"PATH": f"{self.bin}:/usr/bin:/bin", "BURNISH_SANDBOX_MODE": "off"}

    def has(self, *names: str) -> None:
        for name, body, key in (("claude", CLAUDE, "ANTHROPIC_API_KEY"), ("codex", CODEX, "OPENAI_API_KEY")):
            if name in names:
                path = self.bin / name
                head = FAKE.format(python=sys.executable, name=name, log=str(self.log))
                path.write_text(head + body)
                path.chmod(0o755)
                self.env[key] = "dummy"

    def do(self, *arguments: str) -> Said:
        return burnish(self.repo.path, *arguments, env=self.env)

    @property
    def asked(self) -> list[str]:
        return self.log.read_text().splitlines() if self.log.exists() else []


@pytest.fixture
def machine(tmp_path: Path, repo: Callable[..., TestRepo]) -> Machine:
    return Machine(tmp_path, repo({"app.py": "print('hi')\n"}))


def notices(said: Said) -> list[str]:
    return [event["text"] for event in said.events if event["kind"] == "notice"]


def test_a_run_with_nothing_chosen_takes_the_best_and_another_vendor_to_review(machine: Machine) -> None:
    machine.has("claude", "codex")
    said = machine.do("run", "Add it", "--json")
    assert said.code == 0, said.err
    assert "took claude to implement and fix, codex to review" in notices(said)
    assert [line.rpartition(" ")[0] for line in machine.asked] == ["claude implement", "codex review"]
    started = said.events[0]["agents"]
    assert (started["implementer"], started["reviewer"]) == ("claude", "codex")


def test_the_choice_stays_with_the_run_whoever_is_there_when_it_goes_on(machine: Machine) -> None:
    machine.has("codex")
    waits = machine.log.parent / "codex-waits"
    waits.touch()
    child = start(machine.repo.path, "run", "Add it", "--json", env=machine.env)
    until = time.monotonic() + 30
    while not machine.asked and time.monotonic() < until:
        time.sleep(0.02)
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=30)
    waits.unlink()
    machine.has("claude")
    assert machine.do("resume", json.loads(out.splitlines()[0])["run"]).code == 0
    assert [line.split()[:2] for line in machine.asked] == [
        ["codex", "implement"],
        ["codex", "implement"],
        ["codex", "review"],
    ]


def test_agent_model_and_fallback_reach_the_agents_and_the_run_tells_who_answered(machine: Machine) -> None:
    machine.has("claude", "codex")
    (machine.log.parent / "codex-fails").touch()
    flags = ("--agent", "codex", "--reviewer", "claude:haiku", "--fallback", "claude", "--model", "m-1")
    said = machine.do("run", "Add it", *flags, "--json")
    assert said.code == 0, said.err
    assert machine.asked == ["codex implement m-1", "claude implement m-1", "claude review haiku"]
    (change,) = [
        event["result"] for event in said.events if event.get("result", {}).get("role") == "implement"
    ]
    assert change["agent"] == "claude"
    assert change["passed_over"][0].startswith("codex: ")
    assert any("implement: claude stood in for codex: " in text for text in notices(said))
    shown = machine.do("show", said.end["run"]).out
    assert "implement by claude" in shown
    assert "standing in for codex: " in shown


def test_work_takes_them_too_and_a_task_keeps_its_own(machine: Machine) -> None:
    machine.has("claude", "codex")
    machine.do("add", "Task one", "-a")
    machine.do("add", "Task two", "-a", "--agent", "codex", "--model", "fast")
    said = machine.do("work", "--all", "--model", "m-9")
    assert said.code == 0, (said.out, said.err)
    assert machine.asked[:2] == ["claude implement m-9", "claude review m-9"]
    assert [line.split()[:2] for line in machine.asked[2:]] == [["codex", "implement"], ["codex", "review"]]
    assert "m-9" not in " ".join(machine.asked[2:])


def test_with_no_agent_run_and_work_say_what_cannot_be_done_and_review_works(machine: Machine) -> None:
    said = machine.do("run", "Add it")
    assert said.code == 2
    assert "no agent that Burnish knows is installed" in said.err
    assert "burnish review --fix works without an agent" in said.err
    machine.do("add", "Task one", "-a")
    assert "burnish review --fix works without an agent" in machine.do("work").err


def test_with_no_agent_the_embedded_default_reviews_and_fixes_a_real_change(machine: Machine) -> None:
    """No CLI is on PATH and nothing is named: the first run needs no account."""
    flawed = "import yaml\n\n\ndef read(text):\n    return yaml.load(text, Loader=yaml.Loader)\n"
    machine.repo.write("app.py", flawed)
    fixed = machine.do("review", "--fix", "--no-tests", "--max-iterations", "0")
    assert fixed.code == 0, (fixed.out, fixed.err)
    assert "yaml.load() can make any object" in fixed.out
    (branch,) = [name for name in machine.repo.branches if name.startswith("burnish/fix-")]
    assert "yaml.safe_load(text)" in machine.repo.show(branch, "app.py")
    assert machine.repo.path.joinpath("app.py").read_text() == flawed
    assert "review by embedded" in machine.do("show", branch.removeprefix("burnish/fix-")).out


def test_embedded_is_never_the_agent_of_a_task_and_ends_the_chain_of_a_review(machine: Machine) -> None:
    machine.has("claude")
    refused = machine.do("run", "Add it", "--agent", "embedded")
    assert (refused.code, "cannot do a task itself" in refused.err) == (2, True)
    (machine.log.parent / "claude-fails").touch()
    machine.repo.write("app.py", "print(eval(input()))\n")
    unknown = machine.do("review", "--agent", "claude", "--fallback", "codex,nosuch")
    assert (unknown.code, "found 'nosuch'" in unknown.err) == (2, True)
    flags = ("--no-tests", "--dimensions", "security", "--max-iterations", "0", "--format", "json")
    said = machine.do("review", "--fallback", "claude,embedded", *flags)
    assert said.code in (0, 1), said.err
    assert machine.asked
    assert "eval" in said.out


def test_a_review_stays_offline_when_no_agent_was_named(machine: Machine) -> None:
    machine.has("claude", "codex")
    machine.repo.write("app.py", "import os\nprint('hi')\n")
    machine.do("review", "--no-tests")
    assert machine.asked == []


def test_a_command_by_the_side_still_works(machine: Machine, tmp_path: Path) -> None:
    machine.has("codex")
    writer = program(tmp_path / "agents", "writer", "Path('new.txt').write_text('x')\n")
    said = machine.do("run", "Add it", "--implementer", writer, "--json")
    assert said.code == 0, said.err
    assert "took codex to review" in notices(said)


def test_all_phases_of_a_spec_have_the_agents_that_were_taken_first(machine: Machine) -> None:
    machine.has("codex")
    machine.repo.write(
        "spec.md", "# Spec 7: Login\n\n## Phase 1: Form\n\nAdd it.\n\n## Phase 2: Page\n\nAdd it.\n"
    )
    (machine.log.parent / "codex-fails").touch()
    assert machine.do("spec", "spec.md", "--phase", "1").code == 5
    machine.has("claude")
    machine.do("spec", "spec.md", "--resume", "--phase", "1")
    assert {line.split()[0] for line in machine.asked} == {"codex"}
    # What is said when it goes on is stronger.
    machine.do("spec", "spec.md", "--resume", "--phase", "1", "--agent", "claude")
    assert machine.asked[-1].startswith("claude ")
