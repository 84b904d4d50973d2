"""The policies that end a run early: when they do, and that they never make a pass of anything."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.errors import UsageError
from burnish.model.change import Change, Failure, FailureKind
from burnish.model.decision import Assess, Fix, Stop
from burnish.model.history import History
from burnish.model.outcome import Outcome
from burnish.model.profile import Limit, LimitUnit
from burnish.model.reason import Reason
from burnish.model.receipt import GivenFile
from burnish.model.review import Finding, Review, Severity, Verdict
from burnish.model.step import Role
from burnish.policies import code_age, no_progress, patience, ratchet, returning
from burnish.ports import Policy
from burnish.registry import load
from tests.unit.policies.histories import INNER, TASK, broke, failed, finding, history

REASONS = {
    "patience": Reason.OUT_OF_PATIENCE,
    "no-progress": Reason.NO_PROGRESS,
    "returning": Reason.RETURNING_FINDINGS,
    "ratchet": Reason.LESSER_FINDINGS,
    "code-age": Reason.UNTOUCHED_CODE,
}
LOW = Severity.LOW


def reason(policy: Policy, facts: History) -> Reason | None:
    decision = policy.decide(facts)
    assert not isinstance(decision, Stop) or decision.outcome is Outcome.STOPPED
    return decision.reason if isinstance(decision, Stop) else None


def test_no_progress_may_wait_for_several_fixes() -> None:
    once = history("t1", failed("t1", "a"), "t1")
    assert reason(no_progress.make(INNER, ""), once) is Reason.NO_PROGRESS
    policy = no_progress.make(INNER, "2")
    assert policy.decide(once) == Assess()
    twice = history("t1", failed("t1", "a"), "t1", failed("t1", "a"), "t1")
    assert reason(policy, twice) is Reason.NO_PROGRESS
    worked = history("t1", failed("t1", "a"), "t1", failed("t1", "a"), "t2")
    assert policy.decide(worked) == Assess()


def test_no_progress_says_whether_nothing_changed_or_something_came_back() -> None:
    policy = no_progress.make(INNER, "")
    still = policy.decide(history("t1", failed("t1", "a"), "t1"))
    back = policy.decide(history("t1", failed("t1", "a"), "t2", failed("t2", "b"), "t1"))
    assert isinstance(still, Stop) and "changed nothing since cycle 1" in still.message
    assert isinstance(back, Stop) and "brought back the tree of cycle 1" in back.message


def test_returning_findings_end_a_run_once_there_are_enough_of_them() -> None:
    facts = history("t1", failed("t1", "a", "b"), "t2", failed("t2", "c"), "t3", failed("t3", "a", "b"))
    assert reason(returning.make(INNER, ""), facts) is Reason.RETURNING_FINDINGS
    assert reason(returning.make(INNER, "2"), facts) is Reason.RETURNING_FINDINGS
    assert returning.make(INNER, "3").decide(facts) == Fix()


def test_a_ratchet_lets_small_findings_be_fixed_until_its_cycle() -> None:
    policy = ratchet.make(INNER, "high@2")
    first = history("t1", failed("t1", finding("a", LOW)))
    assert policy.decide(first) == Fix()
    assert reason(policy, first.add(failed("t2", finding("b", LOW)))) is Reason.LESSER_FINDINGS
    assert policy.decide(first.add(failed("t2", finding("b", LOW), finding("c")))) == Fix()
    assert ratchet.make(INNER, "").decide(first) == Fix()
    assert ratchet.make(INNER, "low@1").decide(first) == Fix(), "nothing is below low"


def test_code_age_leaves_the_first_review_its_fix() -> None:
    given = (GivenFile("a.py", ("-1 +1,9",)),)
    old = failed("t1", finding("a", file="old.py"), given=given)
    first = history("t1", old)
    assert code_age.make(INNER, "").decide(first) == Fix()
    assert reason(code_age.make(INNER, ""), first.add(old)) is Reason.UNTOUCHED_CODE
    assert code_age.make(INNER, "3").decide(first.add(old)) == Fix()


@pytest.mark.parametrize(
    ("make", "value"),
    [
        *((make, value) for make in (patience.make, no_progress.make, returning.make, code_age.make)
          for value in ("0", "-1", "two", "²", "٣", "1.5", "9" * 5000)),
        *((ratchet.make, value) for value in ("@3", "severe@3", "high@0", "high@x", "high@3@4", "HIGH")),
    ],
)  # fmt: skip
def test_a_value_that_makes_no_sense_is_told_in_a_sentence(make: object, value: str) -> None:
    assert callable(make)
    with pytest.raises(UsageError, match="takes a"):
        make(INNER, value)


SMALL_AND_OLD = failed(
    "t1", finding("a", LOW, file="old.py"), given=(GivenFile("a.py", ("-1 +1,9",)),), summary="small"
)
OTHER = failed("t2", finding("b", LOW, file="old.py"), given=SMALL_AND_OLD.given)
ALL = ("patience=1", "no-progress", "returning", "ratchet=high@1", "code-age=1")


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(
    ("facts", "outcome"),
    [
        (history("t1", SMALL_AND_OLD, OTHER, SMALL_AND_OLD, SMALL_AND_OLD), Outcome.EXHAUSTED),
        (
            history("t1", SMALL_AND_OLD, OTHER, replace(SMALL_AND_OLD, verdict=Verdict.DISCUSS)),
            Outcome.ESCALATED,
        ),
        (history("t1", SMALL_AND_OLD, OTHER, replace(SMALL_AND_OLD, verdict=Verdict.PASS)), Outcome.PASSED),
        (history("t1", SMALL_AND_OLD, "t1", SMALL_AND_OLD, "t1", SMALL_AND_OLD, broke()), Outcome.FAILED),
    ],
)
def test_a_sign_does_not_change_how_a_run_ends_that_is_over_anyway(
    name: str, facts: History, outcome: Outcome
) -> None:
    word, _, value = name.partition("=")
    limited = replace(INNER, limit=Limit(LimitUnit.REVIEWS, 4))
    decision = load("policies", word)(limited, value).decide(facts)
    assert isinstance(decision, Stop)
    assert decision.outcome is outcome


# Whatever the history

titles = st.sampled_from(["a", "b", "c"])
found = st.builds(
    Finding, titles, st.sampled_from(Severity), st.sampled_from(["", "a.py", "old.py"]),
    st.none() | st.integers(1, 30),
)  # fmt: skip
hunks = st.lists(st.sampled_from(["-1,3 +1,4", "-9 +9", "", "junk", "-1 +99999999999999999999"]), max_size=3)
reviews = st.builds(
    Review,
    st.sampled_from(Verdict),
    st.just("NATIVE"),
    summary=st.sampled_from(["", "no"]),
    findings=st.lists(found, max_size=3).map(tuple),
    tree=st.sampled_from(["t1", "t2", "t3", ""]),
    overruled=st.sampled_from(["", "", "gate"]),
    unclear=st.sampled_from(["", "", "two verdicts"]),
    partial=st.booleans(),
    given=st.lists(st.builds(GivenFile, st.just("a.py"), hunks.map(tuple)), max_size=1).map(tuple),
)
changes = st.builds(
    Change, st.sampled_from([Role.IMPLEMENT, Role.FIX]), st.just("c"), st.sampled_from(["t0", "t1", "t2", "t3"]),
    st.sampled_from(["t0", "t1", "t2"]),
)  # fmt: skip
failures = st.builds(Failure, st.just(Role.FIX), st.sampled_from(FailureKind), st.just("failed"))
histories = st.lists(reviews | changes | failures, max_size=12).map(lambda facts: History(TASK, tuple(facts)))
wrappers = st.lists(
    st.sampled_from(
        [("patience", "1"), ("patience", "2"), ("no-progress", ""), ("no-progress", "2"), ("returning", ""),
         ("ratchet", "medium@1"), ("ratchet", "high@2"), ("ratchet", "critical@1"), ("code-age", "1")]
    ),
    min_size=1, max_size=5,
)  # fmt: skip


def wrapped(names: list[tuple[str, str]], policy: Policy = INNER) -> Policy:
    for name, value in names:
        policy = load("policies", name)(policy, value)
    return policy


@given(histories, wrappers)
def test_no_policy_makes_a_pass_or_takes_an_end_back(facts: History, names: list[tuple[str, str]]) -> None:
    plain, decision = INNER.decide(facts), wrapped(names).decide(facts)
    if decision == plain:
        return
    assert not isinstance(plain, Stop), "an end stays the end it is"
    assert isinstance(decision, Stop), "a policy adds no step of its own"
    assert decision.outcome is Outcome.STOPPED
    assert decision.reason in {REASONS[name] for name, _ in names}
    assert decision.message


@given(histories, wrappers)
def test_the_same_history_gives_the_same_decision(facts: History, names: list[tuple[str, str]]) -> None:
    copy = History(replace(TASK), tuple(replace(fact) for fact in facts.facts))
    assert wrapped(names).decide(facts) == wrapped(names).decide(facts) == wrapped(names).decide(copy)


@given(st.lists(reviews, min_size=8, max_size=8), st.lists(changes, min_size=8, max_size=8), wrappers)
def test_whatever_comes_back_a_run_ends_within_its_limit(
    answers: list[Review], fixes: list[Change], names: list[tuple[str, str]]
) -> None:
    policy = wrapped(names, replace(INNER, limit=Limit(LimitUnit.REVIEWS, 4)))
    facts = history("t1")
    for step in range(9):
        match policy.decide(facts):
            case Assess():
                facts = facts.add(answers[step % 8])
            case Fix():
                facts = facts.add(replace(fixes[step % 8], role=Role.FIX))
            case Stop() as stop:
                passed = facts.review is not None and facts.review.passed and facts.review.tree == facts.tree
                assert (stop.outcome is Outcome.PASSED) <= passed
                assert len(facts.reviews) <= 4
                return
    raise AssertionError("it goes on for ever")
