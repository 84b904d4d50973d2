"""Policies over hand-made histories."""

from __future__ import annotations

from dataclasses import replace

import pytest

from burnish.errors import UsageError
from burnish.model.agent import Usage
from burnish.model.ceiling import Ceiling
from burnish.model.change import Change
from burnish.model.decision import Assess, Fix, Stop
from burnish.model.history import Fact, History
from burnish.model.profile import Limit, LimitUnit
from burnish.model.reason import Reason
from burnish.model.review import Finding, Review, Verdict
from burnish.model.step import Role
from burnish.model.task import Task
from burnish.policies import budget, no_progress, patience
from burnish.policies._fix_once import FixOnce
from burnish.policies.budget import Budget
from burnish.policies.until_pass import UntilPass
from burnish.registry import load

TASK = Task("Do it", "c0", "t0", "c0", "t0")
INNER = UntilPass(load("profiles", "task")(), Limit(LimitUnit.REVIEWS, 10))


def change(tree: str, role: Role = Role.FIX) -> Change:
    return Change(role, f"c-{tree}", tree, "before")


def failed(tree: str, *titles: str, cost: float | None = None) -> Review:
    findings = tuple(Finding(title, file="a.py") for title in titles)
    return Review(Verdict.FAIL, "CHANGES_REQUESTED", findings=findings, tree=tree, usage=Usage(10, 5, cost))


def history(*facts: Fact) -> History:
    return History(TASK, facts)


def test_a_passing_review_of_another_tree_is_no_pass() -> None:
    review = Review(Verdict.PASS, "APPROVED", tree="t1")
    assert isinstance(INNER.decide(history(change("t1"), review)), Stop)
    assert INNER.decide(history(change("t2"), review)) == Fix()


@pytest.mark.parametrize("field", [{"overruled": "gate"}, {"unclear": "two verdicts"}, {"tree": ""}])
def test_a_pass_with_a_stain_is_no_pass(field: dict[str, str]) -> None:
    review = replace(Review(Verdict.PASS, "APPROVED", tree="t1"), **field)
    assert INNER.decide(history(change("t1"), review)) == Fix()


@pytest.mark.parametrize(
    ("summary", "text", "asked"),
    [
        ("I am unsure.", "I am unsure.\nWhich colour?\n\nOr none?", "I am unsure. Which colour?"),
        ("Which colour?", "Which colour?\nOr none?", "Which colour?"),
        ("I am unsure.", "I am unsure.", "I am unsure."),
        ("", "", "the review asks for a person"),
    ],
)
def test_a_review_to_discuss_asks_what_it_asks_in_a_later_line_too(
    summary: str, text: str, asked: str
) -> None:
    review = Review(Verdict.DISCUSS, "NEEDS_DISCUSSION", summary, text=text, tree="t1")
    stop = INNER.decide(history(change("t1"), review))
    assert isinstance(stop, Stop)
    assert (stop.reason, stop.message) == (Reason.NEEDS_DISCUSSION, asked)


@pytest.mark.parametrize("stain", ["overruled", "unclear"])
def test_the_end_of_all_fixes_says_why_a_pass_did_not_count(stain: str) -> None:
    policy = UntilPass(load("profiles", "loops")(), Limit(LimitUnit.FIXES, 1))
    review = replace(Review(Verdict.FAIL, "passed", tree="t2"), **{stain: "the gate 'make' turned red"})
    stop = policy.decide(history(change("t1", Role.IMPLEMENT), change("t2"), review))
    assert isinstance(stop, Stop)
    assert stop.message == "passed (the gate 'make' turned red) unresolved after 1 fix attempt(s)"


def test_patience_ends_when_the_same_findings_come_back() -> None:
    policy = patience.make(INNER, "1")
    first = history(change("t1"), failed("t1", "No check at line 3", "typo"))
    assert policy.decide(first) == Fix()
    # Lines and order moved, the findings are the same.
    again = first.add(change("t2")).add(failed("t2", "typo", "no check at line 9"))
    stop = policy.decide(again)
    assert isinstance(stop, Stop)
    assert stop.reason is Reason.OUT_OF_PATIENCE


def test_patience_goes_on_while_findings_change() -> None:
    policy = patience.make(INNER, "1")
    assert policy.decide(history(change("t1"), failed("t1", "a"), change("t2"), failed("t2", "b"))) == Fix()


def test_no_progress_ends_when_a_tree_comes_back() -> None:
    policy = no_progress.make(INNER, "")
    going = history(change("t1"), failed("t1", "a"), change("t2"))
    assert policy.decide(going) == Assess()
    stop = policy.decide(going.add(failed("t2", "b")).add(change("t1")))
    assert isinstance(stop, Stop)
    assert stop.reason is Reason.NO_PROGRESS


def test_a_budget_starts_nothing_new_once_it_is_spent() -> None:
    spent = history(change("t1"), failed("t1", "a", cost=2.5))
    stop = budget.make(INNER, "2.50").decide(spent)
    assert isinstance(stop, Stop)
    assert (stop.reason, stop.message) == (Reason.OUT_OF_BUDGET, "spent $2.50 of $2.50")
    assert budget.make(INNER, "2.51").decide(spent) == Fix()
    assert isinstance(budget.make(INNER, "15t").decide(spent), Stop)


def test_a_budget_may_be_seconds_of_agents_time() -> None:
    spent = history(replace(change("t1"), usage=Usage(seconds=3599.0)), failed("t1", "a"))
    assert budget.make(INNER, "3600s").decide(spent) == Fix()
    stop = budget.make(INNER, "3599s").decide(spent)
    assert isinstance(stop, Stop)
    assert (stop.reason, stop.message) == (Reason.OUT_OF_BUDGET, "agents worked 3599 of 3599 s")


def test_what_forgotten_steps_spent_counts_in_a_budget() -> None:
    spent = history(change("t1"), failed("t1", "a", cost=2.0))
    policy = budget.make(INNER, "2.50")
    assert policy.decide(spent) == Fix()
    assert isinstance(budget.SpentBefore(policy, Usage(cost_usd=0.5)).decide(spent), Stop)
    assert budget.SpentBefore(policy, Usage(cost_usd=0.49)).decide(spent) == Fix()


def test_a_ceiling_is_what_is_left_and_becomes_budgets() -> None:
    run, task = Ceiling(cost_usd=2.0), Ceiling(cost_usd=5.0, tokens=1000, seconds=60.0)
    left = run.lower(task.left(Usage(300, 100, 4.5, 90.0)))
    assert left == Ceiling(0.5, 600, 0.0)
    made = [budget.make(INNER, value) for value in budget.values(left)]
    assert made == [Budget(INNER, cost_usd=0.5, tokens=600, seconds=1e-9)]
    assert budget.values(Ceiling()) == ()
    for value in budget.values(Ceiling(1e300, 10**30, 1e300)):
        budget.make(INNER, value)


def test_dollars_that_cannot_be_counted_stop_a_run_unless_tokens_are_limited_too() -> None:
    unpriced = Review(Verdict.FAIL, "NO", tree="t1", usage=Usage(900, 100))
    seen = history(change("t1"), unpriced)
    stop = budget.make(INNER, "2.50").decide(seen)
    assert isinstance(stop, Stop)
    assert stop.reason is Reason.OUT_OF_BUDGET
    assert "1,000 tokens were used of unknown price, so $2.50 cannot be kept" in stop.message
    assert budget.make(INNER, "2.50,5000t").decide(seen) == Fix()
    assert isinstance(budget.make(INNER, "2.50,1000t").decide(seen), Stop)
    assert budget.make(INNER, "5000t").decide(seen) == Fix()


def test_a_budget_does_not_take_back_a_pass() -> None:
    passed = history(change("t1"), Review(Verdict.PASS, "APPROVED", tree="t1", usage=Usage(cost_usd=9.0)))
    stop = budget.make(INNER, "1").decide(passed)
    assert isinstance(stop, Stop)
    assert stop.reason is Reason.REVIEW_PASSED


@pytest.mark.parametrize("make", [patience.make, budget.make])
@pytest.mark.parametrize("value", ["", "0", "-1", "many", "nan", "inf", "1e3", "t", "0t", "-5s"])
def test_a_policy_with_an_impossible_value_is_refused(make: object, value: str) -> None:
    assert callable(make)
    with pytest.raises(UsageError, match="takes"):
        make(INNER, value)


@pytest.mark.conformance("P-39", "P-40", "P-41")
def test_effort_decides_how_many_revisions_a_loop_takes() -> None:
    from burnish.profiles.loops import MAX_REVISIONS

    assert MAX_REVISIONS == {"low": 2, "medium": 3, "high": 4, "max": 5}


def test_asked_to_fix_a_pass_with_smaller_findings_is_fixed_once_and_then_it_is_a_pass() -> None:
    policy = FixOnce(INNER)
    passed = Review(Verdict.PASS, "complete", tree="t1", lesser=2)
    first = history(change("t1", Role.IMPLEMENT), passed)
    assert policy.decide(first) == Fix()
    assert isinstance(policy.decide(first.add(change("t1"))), Stop), "nothing changed: not looked at again"
    fixed = first.add(change("t2"))
    assert policy.decide(fixed) == Assess()
    assert isinstance(policy.decide(fixed.add(replace(passed, tree="t2"))), Stop), "only once"
    nothing = history(change("t1", Role.IMPLEMENT), replace(passed, lesser=0))
    assert isinstance(policy.decide(nothing), Stop)
