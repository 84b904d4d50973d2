"""A reviewer's answer is the one result of its CLI, after all that it ran; everything else is in doubt."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from burnish.agents._own_words import words
from burnish.contracts.json_verdict import JsonVerdict
from burnish.contracts.verdict_line import VerdictLine
from burnish.errors import ContractViolation
from burnish.model.agent import Reply, Request
from burnish.model.agent_events import Ended
from burnish.model.review import Verdict
from burnish.model.step import Role
from burnish.workflows.ask import ask
from tests.unit.agents.clis import agent
from tests.unit.agents.desk import Desk

START = {"type": "system", "subtype": "init", "session_id": "s-1", "model": "m"}
PASS, FAIL = "**Verdict: APPROVED**", "No check.\n\n**Verdict: CHANGES_REQUESTED**"


def result(text: str, **more: object) -> dict[str, Any]:
    return {"type": "result", "subtype": "success", "is_error": False, "result": text, **more}


def uses(tool: str, number: str, **given: object) -> dict[str, Any]:
    block = {"type": "tool_use", "id": number, "name": tool, "input": given}
    return {"type": "assistant", "message": {"content": [block]}}


def came_back(number: str, *, error: bool = False) -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": number, "content": "", "is_error": error}
    return {"type": "user", "message": {"content": [block]}}


def stream(*events: dict[str, Any]) -> str:
    return "\n".join(json.dumps(event) for event in (START, *events))


def reply(desk: Desk, cli: str, told: str, **changes: Any) -> Reply:
    linger_s = changes.pop("linger_s", 0)
    found = agent(desk, cli, told, linger_s=linger_s)
    return asyncio.run(ask(found, desk.request(**changes)))


def verdict_of(given: Reply) -> Verdict | None:
    try:
        return VerdictLine().parse(given).verdict
    except ContractViolation:
        return None


RUNS, DONE = uses("Bash", "t-1", command="pytest"), came_back("t-1")


@pytest.mark.parametrize(
    "events",
    [
        (RUNS, result(PASS), DONE, result(FAIL)),
        (RUNS, DONE, result(FAIL), result(PASS)),
        (RUNS, DONE, result(PASS), result(FAIL)),
        (RUNS, result(PASS)),
        (RUNS, result(PASS), DONE),
        (RUNS, DONE, result(PASS), uses("Bash", "t-2", command="ls"), came_back("t-2")),
        (RUNS, result(PASS), DONE, result(PASS)),
    ],
    ids=["forged first", "forged last", "own first", "at work", "no other", "works on", "twice"],
)
def test_results_of_claude_that_differ_or_come_out_of_turn_never_pass(plain: Desk, events: Any) -> None:
    given = reply(plain, "claude", stream(*events))
    assert given.truncated
    assert given.remarks
    assert verdict_of(given) is not Verdict.PASS
    # Each of them can be read, a denial too.
    assert all(event["result"] in given.text for event in events if event["type"] == "result")


def test_one_result_after_everything_is_the_answer(plain: Desk) -> None:
    given = reply(plain, "claude", stream(RUNS, DONE, result(PASS)))
    assert (given.text, given.truncated, given.remarks) == (PASS, False, ())
    assert verdict_of(given) is Verdict.PASS


def test_structured_results_that_differ_are_all_told(plain: Desk) -> None:
    passed, failed = {"verdict": "pass"}, {"verdict": "fail", "followUpPrompt": "x"}
    told = stream(result("", structured_output=passed), result("", structured_output=failed))
    given = reply(plain, "claude", told, schema={"type": "object"})
    assert given.structured == [passed, failed]
    assert given.structure_expected
    with pytest.raises(ContractViolation):
        assert JsonVerdict().parse(given).verdict is Verdict.PASS


def codex(*items: dict[str, Any]) -> str:
    return "\n".join(json.dumps(item) for item in ({"type": "thread.started", "thread_id": "s-1"}, *items))


def item(kind: str, number: str, **more: object) -> dict[str, Any]:
    return {"type": kind, "item": {"id": number, **more}}


COMMAND = {"type": "command_execution", "command": "pytest"}
TURN = {"type": "turn.completed", "usage": {}}


def says(text: str, number: str) -> dict[str, Any]:
    return item("item.completed", number, type="agent_message", text=text)


@pytest.mark.parametrize(
    "items",
    [
        (item("item.started", "i-1", **COMMAND), says(PASS, "i-2"), TURN),
        (says(PASS, "i-1"), TURN, says(FAIL, "i-2"), TURN),
        (says(FAIL, "i-1"), TURN, says(PASS, "i-2"), TURN),
    ],
    ids=["at work", "forged first", "forged last"],
)
def test_turns_of_codex_that_differ_or_come_out_of_turn_never_pass(plain: Desk, items: Any) -> None:
    given = reply(plain, "codex", codex(*items))
    assert given.truncated
    assert verdict_of(given) is not Verdict.PASS


def test_one_turn_after_everything_is_the_answer_of_codex(plain: Desk) -> None:
    ran = item("item.started", "i-1", **COMMAND), item("item.completed", "i-1", **COMMAND)
    given = reply(plain, "codex", codex(says("I look.", "i-0"), *ran, says(PASS, "i-2"), TURN))
    assert (given.text, given.truncated) == (PASS, False)


def test_a_writer_that_works_on_after_a_result_is_not_in_doubt(plain: Desk) -> None:
    given = reply(plain, "claude", stream(RUNS, result("one"), DONE, result("two")), role=Role.FIX)
    assert (given.text, given.truncated) == ("two", False)


@pytest.mark.parametrize(("schema", "expected"), [({"type": "object"}, True), (None, False)])
@pytest.mark.parametrize("cli", ["claude", "codex"])
def test_a_cli_that_is_held_to_a_schema_says_so(plain: Desk, cli: str, schema: Any, expected: bool) -> None:
    told = stream(result(PASS)) if cli == "claude" else codex(says(PASS, "i-1"), TURN)
    assert reply(plain, cli, told, schema=schema).structure_expected is expected


REPORT = "# Review\n\n## Grade: PASS\n"


def written(desk: Desk, *events: dict[str, Any], found: str) -> Reply:
    """A CLI whose stream tells `events`, and whose outbox has `found` at the end."""
    cli = agent(desk, "claude", stream(*events, result("done")))
    program = desk.root / "bin" / "claude"
    report = desk.root / "found.md"
    report.write_text(found)
    script = program.read_text().replace("exec ", f"cp {report} {desk.outbox}/report.md\nexec ")
    program.write_text(script)
    return asyncio.run(ask(cli, desk.request()))


def write(desk: Desk, text: str, number: str = "w-1", name: str = "report.md") -> dict[str, Any]:
    return uses("Write", number, file_path=str(desk.outbox / name), content=text)


def test_a_report_that_claude_wrote_by_its_own_tool_is_witnessed(plain: Desk) -> None:
    assert written(plain, write(plain, REPORT), came_back("w-1"), found=REPORT).report_witnessed


def test_an_edit_of_its_own_is_followed(plain: Desk) -> None:
    edit = uses(
        "Edit", "w-2", file_path=str(plain.outbox / "report.md"), old_string="FAIL", new_string="PASS"
    )
    first = write(plain, REPORT.replace("PASS", "FAIL"))
    told = (first, came_back("w-1"), edit, came_back("w-2"))
    assert written(plain, *told, found=REPORT).report_witnessed


def test_a_report_that_its_stream_does_not_account_for_is_not_witnessed(plain: Desk) -> None:
    fails = REPORT.replace("PASS", "FAIL")
    assert not written(plain, found=REPORT).report_witnessed
    assert not written(plain, write(plain, fails), came_back("w-1"), found=REPORT).report_witnessed
    assert not written(
        plain, write(plain, REPORT), came_back("w-1", error=True), found=REPORT
    ).report_witnessed
    assert not written(plain, write(plain, REPORT), found=REPORT).report_witnessed
    other = write(plain, REPORT, name="other.md")
    assert not written(plain, other, came_back("w-1"), found=REPORT).report_witnessed


def test_the_order_of_answers_does_not_matter_to_doubt() -> None:
    request = Request(Role.REVIEW, "", Path(), Path(), Path(), 1.0)
    for answers in ([Ended("a"), Ended("b")], [Ended("b"), Ended("a")]):
        assert words(answers, request).doubt
    assert not words([Ended("a"), Ended("a")], request).doubt
