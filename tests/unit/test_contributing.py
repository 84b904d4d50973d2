"""The examples of CONTRIBUTING.md are complete: each is put where the text says and used."""

from __future__ import annotations

import asyncio
import importlib
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.agents._choose import choose
from burnish.agents._setup import AgentSetup
from burnish.errors import AgentFailed, AgentLimited, ContractViolation, UsageError
from burnish.model.agent import Reply, Request
from burnish.model.decision import Decision, Fix, Stop
from burnish.model.history import History
from burnish.model.outcome import Outcome
from burnish.model.reason import Reason
from burnish.model.review import Finding, Review, Severity, Verdict
from burnish.model.step import Role
from burnish.model.task import Task
from burnish.ports import Contract, Source
from burnish.process.tool_setup import ToolSetup
from burnish.registry import load, names
from burnish.workflows.ask import ask
from tests.loops import Answer, Drive, profile_named, says

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = re.compile(r"<!-- example: (\S+) -->\n```python\n(.*?)```\n", re.DOTALL)
EXAMPLES = dict(EXAMPLE.findall((ROOT / "CONTRIBUTING.md").read_text("utf8")))
TASK = Task("do it", base="b", base_tree="t0", start="b", start_tree="t0")


@pytest.fixture(scope="module", autouse=True)
def in_place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The examples beside the files of their folder, as if they had been added there."""
    root = tmp_path_factory.mktemp("added")
    added = []
    for name, source in EXAMPLES.items():
        folder, _, file = name.partition("/")
        (root / folder).mkdir(exist_ok=True)
        (root / folder / file).write_text(source, "utf8")
        added.append(importlib.import_module(f"burnish.{folder}"))
        added[-1].__path__.append(str(root / folder))
    importlib.invalidate_caches()
    yield root
    for package, name in zip(added, EXAMPLES, strict=True):
        package.__path__.pop()
        sys.modules.pop("burnish." + name.removesuffix(".py").replace("/", "."), None)


def test_there_is_an_example_of_each_kind() -> None:
    assert {name.split("/")[0] for name in EXAMPLES} == {"agents", "analysers", "contracts", "policies"}


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_short_and_is_found_by_its_name(name: str) -> None:
    folder, _, file = name.partition("/")
    assert file.removesuffix(".py").replace("_", "-") in names(folder)
    assert callable(load(folder, file.removesuffix(".py").replace("_", "-")))
    assert len([line for line in EXAMPLES[name].splitlines() if line.strip()]) <= 45


def test_the_examples_follow_the_rules_of_the_project(in_place: Path) -> None:
    ruff = Path(sys.executable).with_name("ruff")
    for command in (["format", "--check"], ["check"]):
        arguments = [ruff, *command, "--no-cache", "--config", ROOT / "pyproject.toml", in_place]
        done = subprocess.run(arguments, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


# The contract


def contract() -> Contract:
    made: Contract = load("contracts", "last-word")(compat=False, fail_on=Severity.HIGH, min_confidence=0.0)
    return made


def test_the_contract_reads_both_answers() -> None:
    passed = contract().parse(Reply("Looks fine.\n\nLGTM\n"))
    assert (passed.verdict, passed.native) == (Verdict.PASS, "LGTM")
    failed = contract().parse(Reply("NOT YET: no test for the empty list\nNOT YET: no docs"))
    assert (failed.verdict, failed.summary) == (Verdict.FAIL, "no docs")
    assert [finding.title for finding in failed.findings] == ["no test for the empty list", "no docs"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "bad_verdict"),
        ("> LGTM", "bad_verdict"),
        ("```\nLGTM\n```", "bad_verdict"),
        ("LGTM\nor is it?", "bad_verdict"),
        ("NOT YET: the lock is missing\nLGTM", "conflict"),
        ("NOT YET:", "bad_verdict"),
    ],
)
def test_the_contract_never_guesses(text: str, code: str) -> None:
    with pytest.raises(ContractViolation) as caught:
        contract().parse(Reply(text))
    assert caught.value.code == code


@given(st.text() | st.lists(st.sampled_from(["LGTM", "NOT YET: x", "> LGTM", "```", ""])).map("\n".join))
def test_whatever_the_text_the_contract_answers_or_names_a_violation(text: str) -> None:
    try:
        review = contract().parse(Reply(text))
    except ContractViolation:
        return
    assert review.verdict is not Verdict.PASS or "NOT YET" not in text.split("\n")


# The policy


class AlwaysFix:
    def decide(self, history: History) -> Decision:
        return Fix()


class AlwaysPassed:
    def decide(self, history: History) -> Decision:
        return Stop(Outcome.PASSED, Reason.REVIEW_PASSED)


def after(*counts: int) -> History:
    reviews = tuple(
        Review(Verdict.FAIL, "FAIL", findings=tuple(Finding(f"finding {n}") for n in range(count)))
        for count in counts
    )
    return History(TASK, reviews)


@pytest.mark.parametrize(
    ("counts", "goes_on"),
    [((), True), ((5,), True), ((1, 2), True), ((1, 2, 3), False), ((1, 3, 3), True), ((9, 1, 2, 3), False)],
)
def test_the_policy_stops_when_every_fix_makes_it_worse(counts: tuple[int, ...], goes_on: bool) -> None:
    decision = load("policies", "diverging")(AlwaysFix(), "2").decide(after(*counts))
    assert isinstance(decision, Fix) is goes_on
    assert goes_on or decision.outcome is Outcome.ESCALATED


def test_the_policy_leaves_every_other_decision_alone() -> None:
    decision = load("policies", "diverging")(AlwaysPassed(), "2").decide(after(1, 2, 3))
    assert decision.outcome is Outcome.PASSED


@pytest.mark.parametrize("value", ["", "0", "two", "²"])
def test_the_policy_refuses_a_wrong_value(value: str) -> None:
    with pytest.raises(UsageError, match="a whole number from 1"):
        load("policies", "diverging")(AlwaysFix(), value)


# The agent


@pytest.mark.parametrize(
    ("source", "verdict"), [("x = 1\n", Verdict.PASS), ("x = 1\ny = 2  # TODO: name it\n", Verdict.FAIL)]
)
@pytest.mark.parametrize("spec", ["no-todos:", "no-todos:*.py"])
def test_the_agent_reviews_a_workspace(tmp_path: Path, spec: str, source: str, verdict: Verdict) -> None:
    (tmp_path / "app.py").write_text(source)
    (tmp_path / "loop.py").symlink_to("loop.py")
    (tmp_path / "notes.txt").write_text("TODO: buy milk")
    agent = choose(spec, AgentSetup(environ={}))
    agent.check()
    request = Request(Role.REVIEW, "review it", tmp_path, tmp_path, tmp_path, timeout_s=5)
    reply = asyncio.run(ask(agent, request))
    review = load("contracts", "json-verdict")().parse(reply)
    assert review.verdict is verdict
    assert ("app.py:2" in review.summary) is (verdict is Verdict.FAIL)


def test_the_example_of_a_cli_is_asked_through_the_runner(tmp_path: Path) -> None:
    for name in ("bin", "workspace", "inbox", "outbox"):
        (tmp_path / name).mkdir()
    program = tmp_path / "bin" / "mumble"
    environ = {"PATH": f"{tmp_path}/bin:/usr/bin:/bin", "MUMBLE_KEY": "k", "HOME": str(tmp_path)}
    agent = choose("mumble:fast", AgentSetup(environ=environ))
    folders = (tmp_path / "workspace", tmp_path / "inbox", tmp_path / "outbox")
    request = Request(Role.REVIEW, "review it", *folders, timeout_s=20)

    def answer(script: str) -> Reply:
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        agent.check()
        return asyncio.run(ask(agent, request))

    assert answer('echo "{\\"done\\": \\"$1 $2 $MUMBLE_KEY\\"}"').text == "--look quiet k"
    with pytest.raises(AgentFailed, match="without an answer"):
        answer("echo LGTM")
    with pytest.raises(AgentLimited):
        answer("echo too many requests >&2; exit 1")


def writes(text: str) -> Answer:
    def write(request: Request) -> str:
        (request.workspace / "app.py").write_text(text)
        return "done"

    return write


def test_the_agent_sends_a_real_loop_back_until_the_todo_is_gone(tmp_path: Path) -> None:
    implement, fix = writes("x = 1  # TODO\n"), writes("x = 1\n")
    drive = Drive(tmp_path, profile_named("slots"), says(""), implement, fix)
    drive.agents[Role.REVIEW] = choose("no-todos:", AgentSetup(environ={}))
    ending = drive.run()
    assert ending.stop.outcome is Outcome.PASSED
    assert [review.native for review in ending.history.reviews] == ["drift", "pass"]


def test_the_contract_and_the_policy_work_together_in_a_real_loop(tmp_path: Path) -> None:
    answers = ["\n".join(f"NOT YET: thing {n}" for n in range(count)) for count in (1, 2, 3)]
    profile = replace(profile_named("slots"), contract="last-word")
    drive = Drive(
        tmp_path, profile, says(*answers), wrap=lambda inner: load("policies", "diverging")(inner, "2")
    )
    ending = drive.run()
    assert (ending.stop.outcome, len(ending.history.reviews)) == (Outcome.ESCALATED, 3)
    assert "End your answer with one line" in drive.asked(Role.REVIEW)[0].prompt


def test_the_example_of_an_analyser_reads_what_its_tool_prints(tmp_path: Path) -> None:
    program = tmp_path / "bin" / "yamllint"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho './a.yml:3:1: [error] too many spaces (colons)'\nexit 1\n")
    program.chmod(0o755)
    setup = ToolSetup(env={"PATH": "/usr/bin:/bin"}, search=str(program.parent))
    analyser = load("analysers", "yamllint")(setup)
    found = asyncio.run(analyser.analyse(Source(tmp_path, "t"), ("a.yml", "b.py")))
    assert found.failed == ""
    assert [(one.file, one.line, one.rule) for one in found.findings] == [("a.yml", 3, "yamllint:colons")]
    program.write_text("#!/bin/sh\necho rubbish\n")
    assert "not its format" in asyncio.run(analyser.analyse(Source(tmp_path, "t"), ("a.yml",))).failed
