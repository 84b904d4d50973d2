"""From the settings of `[budget]` to what a run, a task and a day may use."""

from __future__ import annotations

from burnish.config.schema import Budget
from burnish.model.agent import Usage
from burnish.model.ceiling import Ceiling


def _ceiling(cost_usd: float | None, tokens: int | None, minutes: float | None) -> Ceiling:
    return Ceiling(cost_usd, tokens, None if minutes is None else minutes * 60)


def run_ceiling(budget: Budget) -> Ceiling:
    return _ceiling(budget.run_cost_usd, budget.run_tokens, budget.run_minutes)


def task_ceiling(budget: Budget) -> Ceiling:
    return _ceiling(budget.task_cost_usd, budget.task_tokens, budget.task_minutes)


def day_ceiling(budget: Budget) -> Ceiling:
    return _ceiling(budget.day_cost_usd, budget.day_tokens, budget.day_minutes)


def run_budget(budget: Budget, earlier: Usage = Usage()) -> Ceiling:
    """What one run may use: its own limit, and what earlier runs of its task have left of the task's."""
    return run_ceiling(budget).lower(task_ceiling(budget).left(earlier))


def task_used_up(budget: Budget, earlier: Usage) -> str:
    """Why a further run of a task should not be started; empty when it may be."""
    reached = task_ceiling(budget).reached(earlier)
    return f"the budget of this task is used up ({reached})" if reached else ""
