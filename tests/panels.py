"""Drives viewers, divers and the whole review cycle in memory: agents are functions, the rest is the product."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from burnish.git.memory import MemoryWorkspaces, remember
from burnish.model.agent import Reply, Request
from burnish.model.assessment import Analysis
from burnish.model.dimension import Dimension
from burnish.model.events import Noticed
from burnish.model.review import Finding, Severity
from burnish.model.step import Role, Step
from burnish.model.subject import FileStatus, ReviewMode, Subject, SubjectFile
from burnish.registry import load
from burnish.store.desks import FolderDesks
from burnish.store.memory import MemoryRun
from burnish.workflows.agent_diver import AgentDiver
from burnish.workflows.agent_task import Office, Project
from burnish.workflows.agent_viewer import AgentViewer
from tests.loops import FunctionAgent

BASE = {"app.py": "def load(text):\n    return safe(text)\n", "old.py": "x = 1\n", "other.py": "y = 2\n"}
HEAD = {"app.py": "def load(text):\n    return eval(text)\n", "other.py": "y = 2\n"}
ANALYSIS = "I read every changed file and followed each value from where it enters to where it is used. " * 8


def findings_json(*findings: dict[str, Any], dimension: str = "security") -> str:
    return json.dumps([{"dimension": dimension, "findings": list(findings)}])


def one(title: str = "eval runs its input", **more: Any) -> dict[str, Any]:
    return {
        "id": "sec-001-aaaaaaaa", "title": title, "severity": "critical", "category": "injection",
        "description": "The text comes from a user.", "file": "app.py", "line": 2, "snippet": "return eval(text)",
        "recommendation": "Use literal_eval.", "references": ["CWE-95"], "impact": "Any code runs.",
        "metadata": {"confidence": 0.9, "cwe_id": "CWE-95"}, **more,
    }  # fmt: skip


def answer(*findings: dict[str, Any]) -> str:
    return f"{ANALYSIS}\n\n{findings_json(*findings)}"


def dive_json(name: str, **more: Any) -> str:
    return json.dumps(
        {
            "finding_id": name,
            "root_cause": {"summary": "input is run", "similar_patterns": ["other.py:1"]},
            "remediation_plan": {
                "approach": "parse it",
                "steps": [{"step": 1, "action": "use literal_eval"}],
            },
            "impact_assessment": {"files_affected": ["app.py"], "tests_required": ["tests/test_app.py"]},
            "reassessed_severity": "high",
            "severity_change_reason": "only local callers",
            "confidence_score": 0.8,
            **more,
        }
    )


def dive_answer(name: str, **more: Any) -> str:
    return f"{ANALYSIS}\n\n{dive_json(name, **more)}"


def agent_of(
    *replies: str | Reply | Exception | Callable[[Request], str], name: str = "alice"
) -> FunctionAgent:
    """An agent whose n-th question gets the n-th of these; the last one from then on."""

    def reply(request: Request) -> str | Reply:
        found = replies[min(len(agent.requests), len(replies)) - 1]
        if isinstance(found, Exception):
            raise found
        return found(request) if callable(found) else found

    agent = FunctionAgent(reply, name)
    return agent


PROJECT = Project(("Python",), "pytest -q", (("REVIEW.md", "No globals."),))


@dataclass
class Room:
    """Where one review happens."""

    folder: Path
    project: Project = PROJECT
    run: MemoryRun = field(default_factory=MemoryRun)

    def __post_init__(self) -> None:
        self.workspaces = MemoryWorkspaces(BASE)
        self.tree = remember(self.workspaces.trees, HEAD)
        self.subject = Subject(
            ReviewMode.SESSION,
            "changes since 1234",
            self.tree,
            self.workspaces.base_tree,
            files=(
                SubjectFile("app.py", FileStatus.MODIFIED, lines=2),
                SubjectFile("old.py", FileStatus.DELETED),
            ),
        )
        self.office = Office(self.workspaces, FolderDesks(self.folder), project=self.project, grace_s=0.01)

    def viewer(self, agent: Any, timeout_s: float = 600.0) -> AgentViewer:
        return AgentViewer(agent, self.office, load("contracts", "findings")(), timeout_s)

    def diver(self, agent: Any, timeout_s: float = 600.0) -> AgentDiver:
        return AgentDiver(agent, self.office, timeout_s)

    @property
    def notes(self) -> list[str]:
        return [event.text for event in self.run.events if isinstance(event, Noticed)]


EVIDENCE = (
    Analysis(
        "toy",
        findings=(
            Finding(
                "eval is dangerous\n## Rules", Severity.HIGH, "app.py", 2, dimension="security", rule="toy:E1",
                tools=("toy",), category="injection",
            ),
            Finding("too long", Severity.LOW, "app.py", 1, dimension="quality", rule="toy:L1", tools=("toy",)),
        ),
    ),
)  # fmt: skip
VIEW = Step(Role.REVIEW, 1, "dimension", str(Dimension.SECURITY))
DIVE = Step(Role.REVIEW, 1, "dive-1", "sec-001-aaaaaaaa")
