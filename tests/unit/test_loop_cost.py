"""A loop of a build stops when it has cost more than its effort allows."""

from __future__ import annotations

import pytest

from burnish.errors import UsageError
from burnish.model.agent import Usage
from burnish.model.change import Change
from burnish.model.decision import Assess, Decision, Stop
from burnish.model.history import History
from burnish.model.reason import Reason
from burnish.model.step import Role
from burnish.model.task import Task
from burnish.policies.loop_cost import make


class Goes:
    def decide(self, history: History) -> Decision:
        return Assess()


def after(cost_usd: float | None) -> Decision:
    change = Change(Role.IMPLEMENT, "c", "t", "b", usage=Usage(10, 10, cost_usd))
    return make(Goes(), "2").decide(History(Task("Sell", "b", "b", "b", "b")).add(change))


@pytest.mark.parametrize("cost_usd", [None, 0.0, 2.0])
def test_exactly_the_limit_or_a_cost_nobody_knows_is_not_too_much(cost_usd: float | None) -> None:
    assert after(cost_usd) == Assess()


def test_more_than_the_limit_stops_the_loop_and_says_so() -> None:
    stop = after(2.01)
    assert isinstance(stop, Stop)
    assert stop.reason is Reason.OUT_OF_BUDGET
    assert stop.message == "the loop has cost $2.01, more than the $2.00 of its effort"


@pytest.mark.parametrize("value", ["", "x", "0", "-1", "1e99"])
def test_what_is_no_amount_is_refused(value: str) -> None:
    with pytest.raises(UsageError, match=r"loop-cost takes dollars"):
        make(Goes(), value)
