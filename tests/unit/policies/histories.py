"""Histories by hand: short words for the facts of a run."""

from __future__ import annotations

from burnish.model.change import Change, Failure, FailureKind
from burnish.model.history import Fact, History
from burnish.model.profile import Limit, LimitUnit
from burnish.model.receipt import GivenFile
from burnish.model.review import Finding, Review, Severity, Verdict
from burnish.model.step import Role
from burnish.model.task import Task
from burnish.policies.until_pass import UntilPass
from burnish.registry import load

TASK = Task("Do it", "c0", "t0", "c0", "t0")
INNER = UntilPass(load("profiles", "task")(), Limit(LimitUnit.REVIEWS, 10))


def finding(
    title: str, severity: Severity = Severity.HIGH, file: str = "a.py", line: int | None = 5
) -> Finding:
    return Finding(title, severity, file, line)


def failed(tree: str, *found: str | Finding, given: tuple[GivenFile, ...] = (), **more: object) -> Review:
    findings = tuple(one if isinstance(one, Finding) else finding(one) for one in found)
    return Review(Verdict.FAIL, "FAIL", findings=findings, tree=tree, given=given, **more)  # type: ignore[arg-type]


def history(*facts: Fact | str) -> History:
    """Texts are the trees that writers left: the first is the implementer's, the others are fixes."""
    made = History(TASK)
    for fact in facts:
        role = Role.FIX if made.changes else Role.IMPLEMENT
        made = made.add(Change(role, f"c-{fact}", fact, made.tree) if isinstance(fact, str) else fact)
    return made


def broke() -> Failure:
    return Failure(Role.FIX, FailureKind.EXIT, "exited with status 1")
