"""Whatever reviewers and fixers do: every profile ends, keeps its limits, and never calls a pass what is none."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from burnish.errors import AgentFailed, AgentLimited, AgentMissing, AgentTimedOut
from burnish.model.agent import Request
from burnish.model.change import Failure
from burnish.model.gate import GateResult
from burnish.model.history import Ending
from burnish.model.outcome import Outcome
from burnish.model.profile import Limit, LimitUnit, Profile
from burnish.model.review import Severity, Verdict
from burnish.model.step import Role
from burnish.policies.budget import Budget
from burnish.policies.code_age import CodeAge
from burnish.policies.no_progress import NoProgress
from burnish.policies.patience import Patience
from burnish.policies.ratchet import Ratchet
from burnish.policies.returning import Returning
from burnish.ports import Policy
from tests.loops import Answer, Drive, failing, passing, profile_named

PROFILES = ("spec", "task", "slots", "loops", "review")
ERRORS = (
    AgentFailed("exit 1", agent_exit=1),
    AgentTimedOut("late"),
    AgentLimited("429"),
    AgentMissing("gone"),
)

reviewer_moves = st.lists(
    st.sampled_from(
        ["pass", "fail", "fail", "discuss", "garbage", "empty", "echo", "edit", "leave", "error", "late"]
    ),
    min_size=1,
    max_size=8,
)
writer_moves = st.lists(
    st.sampled_from(["edit", "edit", "nothing", "undo", "same", "error", "late", "missing", "limited"]),
    min_size=1,
    max_size=8,
)
limits = st.builds(Limit, st.sampled_from(LimitUnit), st.integers(1, 4)) | st.just(Limit(LimitUnit.FIXES, 0))
wrappers = st.sampled_from(["plain", "patience", "no-progress", "budget", "small"])


def reviewer(profile: Profile, moves: list[str]) -> Answer:
    calls = iter(range(10_000))

    def answer(request: Request) -> str:
        move = moves[next(calls) % len(moves)]
        match move:
            case "pass":
                return passing(profile)
            case "fail":
                return failing(profile)
            case "discuss":
                return "**Verdict: NEEDS_DISCUSSION**\n"
            case "garbage":
                return "{{{ **Verdict: ## Grade: maybe"
            case "echo":
                return request.prompt
            case "edit":
                (request.workspace / "app.py").write_text("the reviewer's\n")
                return passing(profile)
            case "leave":
                (request.workspace / "left.txt").write_text("x\n")
                return passing(profile)
            case "error":
                raise ERRORS[0]
            case "late":
                raise ERRORS[1]
            case _:
                return ""

    return answer


def writer(moves: list[str]) -> Answer:
    calls = iter(range(10_000))

    def answer(request: Request) -> str:
        call = next(calls)
        path = request.workspace / "app.py"
        match moves[call % len(moves)]:
            case "edit":
                path.write_text(f"{request.role} {call}\n")
            case "undo":
                path.write_text("start\n")
            case "same":
                path.write_text("always the same\n")
            case "error":
                path.write_text("half\n")
                raise ERRORS[0]
            case "late":
                raise ERRORS[1]
            case "limited":
                raise ERRORS[2]
            case "missing":
                raise ERRORS[3]
        return "**Verdict: APPROVED** ## Grade: PASS"

    return answer


def wrapped(name: str, policy: Policy) -> Policy:
    match name:
        case "patience":
            return Patience(policy, 2)
        case "no-progress":
            return NoProgress(policy)
        case "small":
            return CodeAge(Ratchet(Returning(policy), Severity.CRITICAL, 1), 1)
        case "budget":
            return Budget(policy, cost_usd=5)
        case _:
            return policy


def holds(drive: Drive, ending: Ending, limit: Limit) -> None:
    history = ending.history
    assert len(history.reviews) <= limit.reviews
    assert history.fixes <= max(limit.fixes, 0)
    if ending.stop.outcome is Outcome.PASSED:
        last = history.facts[-1]
        assert last is history.review
        assert history.review is not None
        assert history.review.verdict is Verdict.PASS
        assert history.review.tree == history.tree != history.task.base_tree
        assert not history.review.overruled
    assert not any(isinstance(fact, GateResult) for fact in history.facts)
    failures = [fact for fact in history.facts if isinstance(fact, Failure)]
    assert all(fact.role is Role.FIX for fact in failures[:-1])


@pytest.mark.parametrize("name", PROFILES)
@given(moves=reviewer_moves, first=writer_moves, fixes=writer_moves, limit=limits, wrapper=wrappers)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_profile_ends_within_its_limits_and_never_passes_falsely(
    name: str, moves: list[str], first: list[str], fixes: list[str], limit: Limit, wrapper: str
) -> None:
    profile = profile_named(name)
    with tempfile.TemporaryDirectory() as folder:
        drive = Drive(
            Path(folder),
            profile,
            reviewer(profile, moves),
            implement=writer(first),
            fix=writer(fixes),
            limit=limit,
            wrap=lambda policy: wrapped(wrapper, policy),
        )
        holds(drive, drive.run(), limit)
