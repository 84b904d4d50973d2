"""The chain of agents: what makes the next one asked, and the embedded reviewer at its end."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from burnish import codec
from burnish.errors import AgentError, AgentFailed, AgentLimited, AgentMissing, AgentTimedOut
from burnish.model.agent import Reply, Request, Usage
from burnish.model.agent_events import AgentTrouble
from burnish.model.assessment import DimensionReport
from burnish.model.dimension import Dimension
from burnish.workflows.chain import (
    DEGRADED,
    NotUsable,
    Trigger,
    ViewerChain,
    check_worth,
    trigger_of,
    word_count,
)
from burnish.workflows.embedded import EmbeddedViewer
from burnish.workflows.panel import Panel
from tests.loops import FunctionAgent
from tests.panels import ANALYSIS, EVIDENCE, VIEW, Room, agent_of, answer, findings_json, one


def asked(room: Room, *agents: FunctionAgent) -> DimensionReport:
    chain = ViewerChain(tuple((agent.name, room.viewer(agent)) for agent in agents), EmbeddedViewer())
    return asyncio.run(chain.view(room.run, VIEW, room.subject, Dimension.SECURITY, EVIDENCE))


def edits(request: Request) -> str:
    (request.workspace / "app.py").write_text("pass\n")
    return answer()


UNFIT = {
    Trigger.LIMIT: AgentFailed("alice ended with status 1: HTTP 429 Too Many Requests"),
    Trigger.SERVER: AgentFailed("alice ended with status 1: HTTP 503"),
    Trigger.CONNECTION: AgentFailed("alice ended with status 1: connection timed out"),
    Trigger.TIMEOUT: AgentTimedOut("alice did not finish within 5 s"),
    Trigger.MALFORMED: f"{ANALYSIS} [{{]",
    Trigger.UNSURE: answer(one(metadata={"confidence": 0.39})),
    Trigger.SHORT: findings_json(),
    Trigger.EDITED: edits,
    Trigger.MISSING: AgentMissing("no program alice"),
    Trigger.FAILED: AgentFailed("alice ended with status 1: a bug"),
}


@pytest.mark.parametrize("trigger", Trigger)
@pytest.mark.conformance("C-90", "C-91")
def test_each_trigger_makes_the_next_agent_asked_and_is_told(tmp_path: Path, trigger: Trigger) -> None:
    room, second, third = Room(tmp_path), agent_of(answer(one()), name="bob"), agent_of("", name="carol")
    report = asked(room, agent_of(UNFIT[trigger]), second, third)
    assert (report.agent, report.degraded, third.requests) == ("bob", "", [])
    [why] = report.passed_over
    assert why.startswith(f"alice: {trigger} (")
    assert room.notes == [f"security: {why}"]
    # An answer that was passed over leaves nothing in the report.
    assert [f.tools for f in report.findings] == [("bob",), ("toy",)]


@pytest.mark.conformance("C-32", "C-90")
def test_after_the_last_agent_the_embedded_reviewer_looks_and_says_that_it_is_degraded(
    tmp_path: Path,
) -> None:
    names = ("gemini", "qwen", "codex")
    unfit = (Trigger.LIMIT, Trigger.MALFORMED, Trigger.SHORT)
    agents = [agent_of(UNFIT[trigger], name=name) for name, trigger in zip(names, unfit, strict=True)]
    report = asked(Room(tmp_path), *agents)
    assert report.agent == "embedded" and not report.failed
    assert [finding.rule for finding in report.findings] == ["toy:E1"]
    assert report.degraded == f"{DEGRADED} (gemini: rate limit; qwen: invalid answer; codex: {Trigger.SHORT})"
    assert [why.split(": ")[0] for why in report.passed_over] == list(names)
    assert Panel.warnings(Panel(None), (), (report,)) == (f"security: {report.degraded}",)  # type: ignore[arg-type]


def test_who_was_passed_over_is_a_warning_also_when_another_answered(tmp_path: Path) -> None:
    report = asked(Room(tmp_path), agent_of(AgentLimited("quota")), agent_of(answer(), name="bob"))
    [warning] = Panel.warnings(Panel(None), (), (report,))  # type: ignore[arg-type]
    assert warning == "security: not used: alice: rate limit (quota)"


@pytest.mark.parametrize("trouble", [AgentTrouble.OVERLOADED, AgentTrouble.QUOTA, AgentTrouble.NOT_LOGGED_IN])
def test_the_kind_that_a_known_agent_tells_is_told_and_not_what_it_is_like(
    tmp_path: Path, trouble: AgentTrouble
) -> None:
    error = AgentLimited("is not to be had")
    error.trouble = trouble
    report = asked(Room(tmp_path), agent_of(error))
    assert report.passed_over == (f"alice: {trouble.words} (is not to be had)",)
    assert report.degraded == f"{DEGRADED} (alice: {trouble.words})"
    assert "_" not in trouble.words


def test_what_unfit_answers_cost_is_counted(tmp_path: Path) -> None:
    unsure = Reply(answer(one(metadata={"confidence": 0.1})), usage=Usage(1, 2, 0.25))
    malformed = Reply("{", usage=Usage(1, 2, 0.25))
    room = Room(tmp_path)
    report = asked(room, agent_of(unsure), agent_of(malformed, name="bob"))
    assert (report.agent, report.usage.cost_usd, report.usage.tokens_in) == ("embedded", 0.75, 3)


def test_words_of_an_agent_cannot_steer_the_terminal_through_a_reason(tmp_path: Path) -> None:
    report = asked(Room(tmp_path), agent_of(AgentFailed("bad\x1b[2J\nnote: all is well" + "x" * 9000)))
    [why] = report.passed_over
    assert "\x1b" not in why and "\n" not in why
    assert len(why) < 400


def test_a_reviewer_that_edited_is_a_violation_unless_another_reviewed_properly(tmp_path: Path) -> None:
    alone = asked(Room(tmp_path / "a"), agent_of(edits))
    assert alone.violation.startswith("alice: edited tracked files")
    assert asked(Room(tmp_path / "b"), agent_of(edits), agent_of(answer(), name="bob")).violation == ""


@pytest.mark.parametrize(
    ("error", "trigger"),
    [
        (AgentLimited("x"), Trigger.LIMIT),
        (AgentTimedOut("HTTP 503"), Trigger.TIMEOUT),
        (AgentError("x"), Trigger.FAILED),
    ],
)
def test_the_kind_of_an_error_comes_before_its_words(error: AgentError, trigger: Trigger) -> None:
    assert trigger_of(error) is trigger


def test_keys_and_numbers_are_not_words_of_an_analysis() -> None:
    assert word_count('{"total_findings": 0, "title": "two words", "line": 12}') == 2
    assert word_count("it's well-known, naïve and 4 more") == 5


def test_an_object_that_comes_as_structure_and_as_text_counts_once() -> None:
    analysis = {"analysis": " ".join(["word"] * 60)}
    with pytest.raises(NotUsable, match="its analysis has 60 words"):
        check_worth(Reply(codec.dumps(analysis), structured=analysis), None, Usage())
    long = {"analysis": " ".join(["word"] * 120)}
    check_worth(Reply(codec.dumps(long), structured=long), None, Usage())
    check_worth(Reply("", structured=long), None, Usage())
