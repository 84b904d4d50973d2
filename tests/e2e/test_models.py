"""Settings per type of task at work: models and tiers for each role, in the queue, and after a kill."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli import burnish, program, start
from tests.e2e.test_review_agents import ABLE, BASE, HEAD
from tests.repos import TestRepo

TELLS = (
    "with open({log!r}, 'a') as log:\n"
    "    print(role, os.environ['BURNISH_MODEL'] or '-', os.environ['BURNISH_TIER'], file=log)\n"
)
EDITS = "Path('app.py').write_text(Path('app.py').read_text() + f'# {role} {cycle}\\n')\n"
SECOND = "print('**Verdict: APPROVED**' if cycle == 2 else '- no\\n\\n**Verdict: CHANGES_REQUESTED**')\n"
CHOSEN = """
[task_types.implement]
model = "opus"
review_model = "sonnet"
improve_model = "strong"
[task_types.plan]
model = "fast"
"""


class Office:
    """Agents that write down what they were asked with."""

    def __init__(self, folder: Path, repo: TestRepo, review: str = SECOND) -> None:
        self.repo, self.log = repo, folder / "asked.txt"
        tells = TELLS.format(log=str(self.log))
        agents = folder / "agents"
        implementer = program(agents, "writer", tells + EDITS + "print('what was done')\n")
        reviewer = program(agents, "reviewer", tells + review)
        self.agents = ("--implementer", implementer, "--reviewer", reviewer)

    @property
    def asked(self) -> list[str]:
        return self.log.read_text().splitlines()


@pytest.fixture
def environ(monkeypatch: pytest.MonkeyPatch) -> None:
    # The log is outside of every sandbox.
    monkeypatch.setenv("BURNISH_SANDBOX_MODE", "off")


@pytest.mark.conformance("O-11", "O-22")
@pytest.mark.usefixtures("environ")
def test_by_default_a_reviewer_gets_the_strong_tier_and_a_fixer_the_fast_one(
    tmp_path: Path, repo: Callable[..., TestRepo]
) -> None:
    report = "(Path(os.environ['BURNISH_USAGE']).parent / 'report.md')"
    review = (
        "grade = '## Grade: ' + ('PASS' if cycle == 2 else 'FAIL')\n"
        f"{report}.write_text('- looked at\\n\\n' + grade + '\\n')\nprint('done\\n\\n' + grade)\n"
    )
    office = Office(tmp_path, repo({"app.py": ""}), review)
    said = burnish(office.repo.path, "run", "042 Add it", *office.agents, "--profile", "spec", "--json")
    assert said.code == 0, said.err
    assert office.asked == ["implement - strong", "review - strong", "fix - fast", "review - strong"]


@pytest.mark.conformance("G-22", "G-23")
@pytest.mark.usefixtures("environ")
def test_a_model_by_name_reaches_the_agent_and_a_tier_is_no_name(
    tmp_path: Path, repo: Callable[..., TestRepo]
) -> None:
    office = Office(tmp_path, repo({"app.py": "", "burnish.toml": CHOSEN}))
    said = burnish(office.repo.path, "run", "Add it", *office.agents, "--json")
    assert said.code == 0, said.err
    assert office.asked == [
        "implement opus strong",
        "review sonnet strong",
        "fix - strong",
        "review sonnet strong",
    ]


@pytest.mark.conformance("G-20", "G-21")
def test_a_new_task_has_what_is_said_for_its_type_unless_a_flag_says_otherwise(
    repo: Callable[..., TestRepo],
) -> None:
    text = """
    [defaults]
    max_review_cycles = 4
    [task_types.implement]
    auto_review = true
    max_review_cycles = 5
    """
    path = repo({"app.py": "", "burnish.toml": text}).path
    wanted = ([], ["-A"], ["--max-cycles", "2"], ["-t", "task"], ["-t", "task", "-a"])
    assert [burnish(path, "add", "One", *flags).out.partition(": ")[2] for flags in wanted] == [
        "One (implement, reviewed up to 5 times)\n",
        "One (implement)\n",
        "One (implement, reviewed up to 2 times)\n",
        "One (task)\n",
        "One (task, reviewed up to 4 times)\n",
    ]


@pytest.mark.usefixtures("environ")
def test_a_task_of_the_queue_is_asked_with_the_models_of_its_type(
    tmp_path: Path, repo: Callable[..., TestRepo]
) -> None:
    office = Office(tmp_path, repo({"app.py": "", "burnish.toml": CHOSEN}))
    path = office.repo.path
    for kind in ("plan", "implement", "task"):
        assert burnish(path, "add", f"A {kind}", "-t", kind, *office.agents).code == 0
    said = burnish(path, "work", "--all")
    assert said.code == 0, said.err
    assert sorted(office.asked) == ["implement - fast", "implement - strong", "implement opus strong"]


@pytest.mark.usefixtures("environ")
def test_a_resumed_run_asks_with_the_models_it_began_with(
    tmp_path: Path, repo: Callable[..., TestRepo], monkeypatch: pytest.MonkeyPatch
) -> None:
    marker = tmp_path / "at-work"
    slow = f"m = Path({str(marker)!r})\nif not m.exists():\n    m.touch()\n    time.sleep(60)\n"
    office = Office(
        tmp_path, repo({"app.py": "", "burnish.toml": CHOSEN}), slow + "print('**Verdict: APPROVED**')\n"
    )
    child = start(office.repo.path, "run", "Add it", *office.agents, "--json")
    ends = time.monotonic() + 30
    while not marker.exists() and time.monotonic() < ends:
        time.sleep(0.05)
    child.kill()
    child.communicate()
    monkeypatch.setenv("BURNISH_TASK_TYPES_IMPLEMENT_REVIEW_MODEL", "another")
    run = burnish(office.repo.path, "runs").out.splitlines()[1].split()[0]
    said = burnish(office.repo.path, "resume", run)
    assert said.code == 0, said.err
    assert office.asked == ["implement opus strong", "review sonnet strong", "review sonnet strong"]


@pytest.mark.usefixtures("environ")
def test_a_review_and_its_fixes_are_asked_with_the_models_of_a_review_task(
    tmp_path: Path, repo: Callable[..., TestRepo]
) -> None:
    chosen = '[task_types.review]\nmodel = "sonnet"\nimprove_model = "haiku"\n'
    there = repo({"app.py": BASE, "burnish.toml": chosen})
    there.git("checkout", "-q", "-b", "work")
    there.commit("Write mean out", {"app.py": HEAD})
    log = tmp_path / "asked.txt"
    agent = program(tmp_path / "agents", "able", TELLS.format(log=str(log)) + ABLE)
    burnish(there.path, "review", "--agent", agent, "--fix", "--dimensions", "quality")
    asked = set(log.read_text().splitlines())
    assert {"review sonnet strong", "fix haiku fast"} <= asked
