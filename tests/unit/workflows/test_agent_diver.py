"""A closer look by an agent: its form, what code adds, and what happens when there is none."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from burnish.contracts._schema import problems
from burnish.errors import AgentFailed, AgentTimedOut, ContractViolation
from burnish.model.agent import Reply, Request, Usage
from burnish.model.assessment import Analysis, Dive
from burnish.model.dimension import Dimension
from burnish.model.review import Finding, Severity
from burnish.workflows.agent_diver import TIMEOUT_S, AgentDiver
from burnish.workflows.analysing import Analysing
from burnish.workflows.chain import DEGRADED, DiverChain
from burnish.workflows.dive_answer import read_dive
from burnish.workflows.embedded import EmbeddedDiver, EmbeddedViewer
from burnish.workflows.panel import Panel
from burnish.workflows.review_cycle import review_cycle
from tests.panels import ANALYSIS, DIVE, Room, agent_of, dive_answer, dive_json

FINDING = Finding(
    "eval runs its input", Severity.CRITICAL, "app.py", 2, dimension="security", rule="toy:E1",
    id="sec-001-aaaaaaaa", category="injection", tools=("toy",),
)  # fmt: skip
LIKE = replace(FINDING, file="other.py", line=1, id="sec-002-bbbbbbbb")


async def importers(file: str) -> tuple[str, ...]:
    return ("main.py", "tests/test_main.py") if file == "app.py" else ()


async def elsewhere(finding: Finding) -> tuple[str, ...]:
    return ("app.py:2", "far.py:9")


KNOWN = EmbeddedDiver(importers, elsewhere)


def dive(room: Room, diver: Any, finding: Finding = FINDING) -> Dive:
    found: Dive = asyncio.run(diver.dive(room.run, DIVE, room.subject, finding, (FINDING, LIKE)))
    return found


@pytest.mark.conformance("C-38")
def test_an_agents_root_cause_plan_and_severity_become_the_dive_and_what_code_knows_is_added(
    tmp_path: Path,
) -> None:
    room = Room(tmp_path)
    agent = agent_of(Reply(dive_answer(FINDING.id), usage=Usage(1, 1, 0.5), model="m-1"))
    found = dive(room, AgentDiver(agent, room.office, 600.0, KNOWN))
    assert (found.agent, found.model, found.iteration, found.usage.cost_usd) == ("alice", "m-1", 1, 0.5)
    assert (found.root_cause, found.approach, found.steps[0].action) == (
        "input is run", "parse it", "use literal_eval",
    )  # fmt: skip
    assert (found.severity, found.reason, found.confidence) == (Severity.HIGH, "only local callers", 0.8)
    assert found.similar == ("other.py:1", "far.py:9")
    assert found.affected == ("app.py", "main.py", "tests/test_main.py")
    assert found.tests == ("tests/test_app.py", "tests/test_main.py")
    assert not found.failed and not found.degraded


@pytest.mark.conformance("C-67")
def test_the_prompt_has_the_four_parts_and_what_code_knows(tmp_path: Path) -> None:
    def reads(request: Request) -> str:
        assert (request.inbox / "role.md").read_text().startswith("# Reviewer for security")
        return dive_answer(FINDING.id)

    room, agent = Room(tmp_path), agent_of(reads)
    dive(room, AgentDiver(agent, room.office, 9999.0, KNOWN))
    [request] = agent.requests
    for part in ("TASK ASSIGNMENT", "MANDATORY FIRST STEPS", "TASK CONTEXT", "DELIVERABLES"):
        assert request.prompt.count(f"## {part}\n") == 1
    assert "main.py\ntests/test_main.py" in request.prompt and "far.py:9" in request.prompt
    assert request.timeout_s == TIMEOUT_S


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"finding_id": "sec-009-x"}, "'finding_id' is 'sec-009-x', expected 'sec-001-aaaaaaaa'"),
        ({"severity_change_reason": ""}, "without 'severity_change_reason'"),
        ({"reassessed_severity": "Blocker"}, "reassessed_severity"),
        ({"confidence_score": 1.5}, "confidence_score"),
        ({"root_cause": {"summary": " "}}, "root_cause.summary"),
        ({"remediation_plan": {"approach": "a", "steps": []}}, "remediation_plan.steps"),
    ],
)
def test_an_answer_in_another_form_is_refused_in_words(more: dict[str, Any], words: str) -> None:
    with pytest.raises(ContractViolation, match=words):
        read_dive(Reply(dive_json(FINDING.id, **more)), FINDING, 1)


def test_an_answer_without_an_object_is_asked_for_once_more(tmp_path: Path) -> None:
    room, agent = Room(tmp_path), agent_of(ANALYSIS, dive_answer(FINDING.id))
    assert dive(room, room.diver(agent)).root_cause == "input is run"
    assert "no object with 'root_cause' found" in agent.requests[1].prompt


@pytest.mark.conformance("C-91")
@pytest.mark.parametrize(
    "reply", [dive_answer(FINDING.id, confidence_score=0.3), dive_json(FINDING.id), AgentFailed("HTTP 500")]
)
def test_a_dive_that_is_unsure_short_or_failed_is_made_from_code_in_the_end_and_says_so(
    tmp_path: Path, reply: Any
) -> None:
    room = Room(tmp_path)
    chain = DiverChain((("alice", room.diver(agent_of(reply))),), KNOWN)
    found = dive(room, chain)
    assert (found.agent, found.failed) == ("embedded", "")
    assert found.degraded.startswith(DEGRADED) and "alice: " in found.degraded
    assert found.similar == ("other.py:1", "far.py:9")
    assert found.tests == ("tests/test_main.py",)
    assert "made from code" in found.details


def reviewed(room: Room, diver: Any, max_iterations: int = 3) -> Any:
    """A whole cycle over two findings of a tool, with this diver."""

    class Given(EmbeddedViewer):
        async def view(self, run: Any, step: Any, subject: Any, dimension: Any, evidence: Any) -> Any:
            found = (Analysis("toy", findings=(FINDING, LIKE)),)
            return await super().view(run, step, subject, dimension, found)

    panel = Panel(
        Analysing((), None),  # type: ignore[arg-type]
        dimensions=(Dimension.SECURITY,),
        viewer=Given(),
        diver=diver,
        max_iterations=max_iterations,
    )
    return asyncio.run(review_cycle(room.subject, panel, room.run))


@pytest.mark.conformance("C-81")
def test_a_finding_whose_agent_fails_stays_unanalysed_and_the_others_are_looked_at(tmp_path: Path) -> None:
    def but_the_first(request: Request) -> str:
        part = request.variables["BURNISH_PART"]
        if "-001-" in part:
            raise AgentTimedOut("alice did not finish")
        return dive_answer(part)

    room = Room(tmp_path)
    assessment = reviewed(room, room.diver(agent_of(but_the_first)))
    first, second = assessment.dives
    assert (first.failed, second.failed) == ("alice did not finish", "")
    assert [f.severity for f in assessment.findings] == [Severity.CRITICAL, Severity.HIGH]
    assert assessment.warnings == (f"deep dive of {first.finding_id}: alice did not finish",)
    # Nothing is left to look at, so it is not tried until the iterations are used up.
    assert len(assessment.iterations) == 1


@pytest.mark.conformance("C-39", "C-40")
def test_the_severities_agents_give_are_counted_again_and_no_critical_one_ends_the_dives(
    tmp_path: Path,
) -> None:
    room = Room(tmp_path)
    agent = agent_of(lambda request: dive_answer(request.variables["BURNISH_PART"]))
    assessment = reviewed(room, room.diver(agent))
    assert [finding.severity for finding in assessment.findings] == [Severity.HIGH] * 2
    [iteration] = assessment.iterations
    assert (iteration.before["critical"], iteration.after["critical"], iteration.after["high"]) == (2, 0, 2)
    assert (iteration.resolved, len(agent.requests)) == (2, 2)


@pytest.mark.conformance("C-40")
def test_no_iterations_means_no_dives(tmp_path: Path) -> None:
    room, agent = Room(tmp_path), agent_of("")
    assessment = reviewed(room, room.diver(agent), max_iterations=0)
    assert (assessment.dives, assessment.iterations, agent.requests) == ((), (), [])


def test_a_diver_is_held_to_the_form_and_its_structured_answer_is_read(tmp_path: Path) -> None:
    answer = json.loads(dive_json(FINDING.id))
    answer["root_cause"] |= {"details": ANALYSIS, "affected_scope": ""}
    step = {"files": [], "commands": [], "rationale": "", "validation": ""}
    plan = {"priority": "", "estimated_effort": "", "risk_level": "low", "rollback_strategy": ""}
    answer["remediation_plan"] |= plan
    answer["remediation_plan"]["steps"][0] |= step
    answer["impact_assessment"]["breaking_changes"] = False
    answer["references"] = []
    agent = agent_of(Reply("done", structured=answer))
    room = Room(tmp_path)
    found = dive(room, AgentDiver(agent, room.office, 60.0, KNOWN))
    (request,) = agent.requests
    assert request.schema is not None
    assert problems(answer, request.schema) == ()
    assert (found.root_cause, found.severity) == ("input is run", Severity.HIGH)
