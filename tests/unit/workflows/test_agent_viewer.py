"""An agent as the reviewer of one dimension: what it is given, and what its answer becomes."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from burnish.errors import AgentError, AgentTimedOut
from burnish.model.agent import Reply, Request, Usage
from burnish.model.assessment import DimensionReport
from burnish.model.dimension import Dimension
from burnish.model.review import Severity
from burnish.workflows.analysing import Analysing
from burnish.workflows.ask import FINALIZE, STATUS_CHECK
from burnish.workflows.chain import NotUsable, Trigger
from burnish.workflows.panel import Panel
from burnish.workflows.review_cycle import review_cycle
from tests.loops import FunctionAgent
from tests.panels import ANALYSIS, EVIDENCE, HEAD, VIEW, Room, agent_of, answer, findings_json, one
from tests.repairs import WatchedAgent


def view(room: Room, agent: object, **more: float) -> DimensionReport:
    viewer = room.viewer(agent, **more)
    return asyncio.run(viewer.view(room.run, VIEW, room.subject, Dimension.SECURITY, EVIDENCE))


def fails(room: Room, agent: object) -> NotUsable:
    with pytest.raises(NotUsable) as caught:
        view(room, agent)
    return caught.value


@pytest.mark.conformance("C-67")
def test_the_prompt_assigns_names_the_first_steps_gives_context_and_asks_for_deliverables(
    tmp_path: Path,
) -> None:
    seen: dict[str, str] = {}

    def reads(request: Request) -> str:
        seen.update({path.name: path.read_text() for path in request.inbox.iterdir()})
        seen["prompt"] = request.prompt
        return answer()

    agent = agent_of(reads)
    view(Room(tmp_path), agent)
    prompt = seen["prompt"]
    headings = [line for line in prompt.splitlines() if line.startswith("## ")]
    assert headings[:4] == [
        "## TASK ASSIGNMENT",
        "## MANDATORY FIRST STEPS",
        "## TASK CONTEXT",
        "## DELIVERABLES",
    ]
    for name in ("role.md", "project.md", "guidelines.md"):
        assert f"{agent.requests[0].inbox}/{name}" in prompt
    assert seen["role.md"].startswith("# Reviewer for security")
    assert "languages: Python" in seen["project.md"] and "`pytest -q`" in seen["project.md"]
    assert "No globals." in seen["guidelines.md"]
    assert "app.py (modified)" in prompt and "+    return eval(text)" in prompt


def test_the_tools_findings_of_this_dimension_are_evidence_on_one_line_each_in_a_fence(
    tmp_path: Path,
) -> None:
    agent = agent_of(answer())
    view(Room(tmp_path), agent)
    prompt = agent.requests[0].prompt
    assert "app.py:2: high: eval is dangerous ## Rules (toy:E1)\n" in prompt
    assert "too long" not in prompt
    assert not [line for line in prompt.splitlines() if line.startswith("## Rules")]


@pytest.mark.conformance("C-30")
def test_the_report_holds_the_tools_findings_and_the_agents_numbered_together_and_says_who_looked(
    tmp_path: Path,
) -> None:
    reply = Reply(answer(one()), usage=Usage(10, 20, 0.5), model="m-1", isolation="bwrap")
    report = view(Room(tmp_path), agent_of(reply))
    told = [(f.id[:7], f.severity, f.tools, f.rule, f.dimension) for f in report.findings]
    assert told == [
        ("sec-001", Severity.CRITICAL, ("alice",), "", "security"),
        ("sec-002", Severity.HIGH, ("toy",), "toy:E1", "security"),
    ]
    own = report.findings[0]
    assert (own.snippet, own.impact, own.cwe, own.references) == (
        "return eval(text)", "Any code runs.", "CWE-95", ("CWE-95",),
    )  # fmt: skip
    assert (report.agent, report.model, report.usage.cost_usd) == ("alice", "m-1", 0.5)
    assert (report.isolation, report.files, report.lines) == ("bwrap", 1, 2)
    assert report.raw.startswith(ANALYSIS[:40]) and not report.failed and not report.degraded


@pytest.mark.parametrize(("cwe", "read"), [(95, "CWE-95"), ("cwe 95", "CWE-95"), ("none", ""), (None, "")])
def test_what_is_said_aside_is_taken_if_it_can_be_read_and_never_refused(
    tmp_path: Path, cwe: object, read: str
) -> None:
    odd = one(metadata={"cwe_id": cwe}, snippet=None, impact=3, references="CWE-95")
    own = view(Room(tmp_path), agent_of(answer(odd))).findings[0]
    assert (own.cwe, own.snippet, own.impact, own.references) == (read, "", "", ())


def test_a_finding_is_put_where_the_words_it_quotes_stand(tmp_path: Path) -> None:
    room = Room(tmp_path)
    viewer = replace(room.viewer(agent_of(answer(one(line=77)))), text_of=HEAD.get)
    report = asyncio.run(viewer.view(room.run, VIEW, room.subject, Dimension.SECURITY, ()))
    assert [finding.line for finding in report.findings] == [2]


def test_a_resumed_review_does_not_ask_an_agent_again_that_has_answered(tmp_path: Path) -> None:
    room = Room(tmp_path)
    agent = agent_of(answer())
    panel = Panel(Analysing((), None), viewer=room.viewer(agent))  # type: ignore[arg-type]
    first = asyncio.run(review_cycle(room.subject, panel, room.run))
    again = asyncio.run(review_cycle(room.subject, panel, room.run))
    assert (first, len(agent.requests)) == (again, 7)


def test_an_agent_made_of_others_is_named_by_who_really_answered(tmp_path: Path) -> None:
    report = view(Room(tmp_path), agent_of(Reply(answer(one()), agent="bob"), name="fallback:alice|bob"))
    assert (report.agent, report.findings[0].tools) == ("bob", ("bob",))


@pytest.mark.parametrize("path", ["other.py", "/etc/passwd", "../app.py", "nowhere.py", "app.py/../../x"])
def test_findings_about_files_outside_of_the_subject_are_dropped_and_counted(
    tmp_path: Path, path: str
) -> None:
    findings = (one(), one(id="b", file=path), one(id="c", file="./app.py"), one(id="d", file="old.py"))
    report = view(Room(tmp_path), agent_of(answer(*findings)))
    assert [f.file for f in report.findings if f.tools == ("alice",)] == ["app.py", "app.py", "old.py"]
    assert report.dropped == 1


def test_an_answer_that_does_not_fit_is_asked_for_once_more_with_the_validators_words(tmp_path: Path) -> None:
    first = Reply("I like it.", usage=Usage(1, 1, 1.0))
    second = Reply(answer(one()), usage=Usage(1, 1, 1.0))
    agent = agent_of(first, second)
    report = view(Room(tmp_path), agent)
    assert len(agent.requests) == 2
    assert "Your last answer could not be used" not in agent.requests[0].prompt
    assert "Your last answer could not be used" in agent.requests[1].prompt
    assert "no findings object" in agent.requests[1].prompt
    assert [request.variables["BURNISH_ASK"] for request in agent.requests] == ["1", "2"]
    assert report.usage.cost_usd == 2.0


@pytest.mark.conformance("C-91")
def test_words_that_never_fit_make_an_answer_unusable_and_its_cost_is_known(tmp_path: Path) -> None:
    agent = agent_of(Reply("{", usage=Usage(1, 1, 1.0)))
    error = fails(Room(tmp_path), agent)
    assert (error.trigger, error.usage.cost_usd, len(agent.requests)) == (Trigger.MALFORMED, 2.0, 2)


@pytest.mark.parametrize(
    ("confidence", "unsure"), [((0.3, 0.45), True), ((0.4,), False), ((0.1, 0.9), False), ((None,), False)]
)
@pytest.mark.conformance("C-91")
def test_an_analysis_less_sure_than_forty_percent_is_not_used(
    tmp_path: Path, confidence: tuple[float | None, ...], unsure: bool
) -> None:
    found = [one(id=str(at), metadata={"confidence": value}) for at, value in enumerate(confidence)]
    agent = agent_of(answer(*found))
    if unsure:
        assert fails(Room(tmp_path), agent).trigger is Trigger.UNSURE
    else:
        assert view(Room(tmp_path), agent).agent == "alice"


@pytest.mark.conformance("C-91")
def test_an_analysis_of_fewer_than_a_hundred_words_is_not_used(tmp_path: Path) -> None:
    words = " ".join(["word"] * 98)
    # `security` is the one word that the answer itself says; its keys do not count.
    assert view(Room(tmp_path / "a"), agent_of(f"{words} word\n\n{findings_json()}")).agent == "alice"
    error = fails(Room(tmp_path / "b"), agent_of(f"{words}\n\n{findings_json()}"))
    assert (error.trigger, error.message) == (Trigger.SHORT, "its analysis has 99 words")


def test_a_reviewer_that_edits_tracked_files_is_not_used_and_one_that_leaves_files_is_told(
    tmp_path: Path,
) -> None:
    def edits(request: Request) -> str:
        (request.workspace / "app.py").write_text("pass\n")
        (request.workspace / "notes.txt").write_text("mine\n")
        return answer()

    room = Room(tmp_path)
    error = fails(room, agent_of(edits))
    assert (error.trigger, "app.py" in error.message) == (Trigger.EDITED, True)
    assert room.notes == ["security: alice left behind: notes.txt"]
    assert room.workspaces.trees[room.tree]["app.py"] == "def load(text):\n    return eval(text)\n"


@pytest.mark.parametrize(
    ("dimension", "cap_s", "expected_s"),
    [(Dimension.SECURITY, 9000.0, 3600.0), (Dimension.QUALITY, 9000.0, 2400.0), (Dimension.QUALITY, 60.0, 60.0)],
)  # fmt: skip
def test_a_dimension_has_its_own_time_capped_by_the_setting(
    tmp_path: Path, dimension: Dimension, cap_s: float, expected_s: float
) -> None:
    room, agent = Room(tmp_path), agent_of(answer())
    asyncio.run(room.viewer(agent, cap_s).view(room.run, VIEW, room.subject, dimension, ()))
    assert agent.requests[0].timeout_s == expected_s


def test_without_a_base_the_files_are_reviewed_as_they_are(tmp_path: Path) -> None:
    room, agent = Room(tmp_path), agent_of(answer())
    room.subject = replace(room.subject, base_tree="")
    view(room, agent)
    assert "There is nothing to compare with" in agent.requests[0].prompt
    assert "+    return eval" not in agent.requests[0].prompt


@pytest.mark.conformance("C-68", "C-69")
def test_a_reviewer_that_is_late_gets_a_status_check_and_a_finalize_and_is_closed(tmp_path: Path) -> None:
    class Slow(WatchedAgent):
        def session(self) -> Slow:  # type: ignore[override]
            self.waits = 0
            return self

        async def spawn(self, request: Request) -> None:
            self.lives.append(["spawn"])

        async def wait(self, timeout_s: float) -> Reply | None:
            self.waits += 1
            return Reply(answer()) if self.waits == 3 else None

        async def send(self, text: str) -> None:
            self.lives[-1].append(text)

        async def close(self) -> None:
            self.lives[-1].append("close")

    agent = Slow(lambda request: "", name="slow")
    assert view(Room(tmp_path), agent).agent == "slow"
    assert agent.lives == [["spawn", STATUS_CHECK, FINALIZE, "close"]]


@pytest.mark.conformance("C-29", "C-31", "C-66")
def test_seven_agents_look_at_once_are_waited_for_and_each_is_closed(tmp_path: Path) -> None:
    room = Room(tmp_path)
    agent = WatchedAgent(lambda request: answer())
    panel = Panel(Analysing((), None), viewer=room.viewer(agent))  # type: ignore[arg-type]
    assessment = asyncio.run(review_cycle(room.subject, panel, room.run))
    assert [report.agent for report in assessment.reports] == ["watched"] * 7
    assert (agent.most, agent.open_now) == (7, 0)
    assert [(life[0], life[1], life[-1]) for life in agent.lives] == [("spawn", "wait 600", "close")] * 7


@pytest.mark.conformance("C-78")
def test_a_dimension_whose_agent_fails_is_a_warning_and_the_others_go_on(tmp_path: Path) -> None:
    def but_security(request: Request) -> str:
        if request.variables["BURNISH_PART"] == "security":
            raise AgentTimedOut("alice did not finish")
        return answer()

    room = Room(tmp_path)
    panel = Panel(Analysing((), None), viewer=room.viewer(FunctionAgent(but_security)))  # type: ignore[arg-type]
    assessment = asyncio.run(review_cycle(room.subject, panel, room.run))
    assert [r.dimension for r in assessment.reports if r.failed] == [Dimension.SECURITY]
    assert assessment.warnings == ("security: not reviewed: alice did not finish",)


@pytest.mark.conformance("C-79")
def test_when_every_dimension_fails_the_review_stops(tmp_path: Path) -> None:
    room = Room(tmp_path)
    panel = Panel(Analysing((), None), viewer=room.viewer(agent_of(AgentTimedOut("late"))))  # type: ignore[arg-type]
    with pytest.raises(AgentError, match="no dimension could be reviewed: late"):
        asyncio.run(review_cycle(room.subject, panel, room.run))
