"""The flags that limit what may be spent, the same for every verb that has them."""

from __future__ import annotations

from typing import Any

import click

# The flag's name, and the setting it gives.
BUDGETS = {
    "max_cost": "budget.run_cost_usd",
    "max_tokens": "budget.run_tokens",
    "max_time": "budget.run_minutes",
}


class Minutes(click.ParamType[float]):
    """A duration as people write it, in minutes."""

    name = "duration"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        from burnish.config.durations import duration_s
        from burnish.errors import UsageError

        try:
            return value if isinstance(value, float) else duration_s(value) / 60
        except UsageError as error:
            self.fail(f"{error.message}.", param, ctx)


class Dollars(click.ParamType[float]):
    """More than nothing, and less than everything."""

    name = "dollars"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            found = float(value)
        except ValueError:
            found = 0.0
        if not 0 < found < float("inf"):
            self.fail(f"expected dollars such as 2.50, found {value!r}.", param, ctx)
        return found


def budget_options(command: Any) -> Any:
    """`--budget` is what `--max-cost` was called first."""
    for option in (
        click.option("--max-time", type=Minutes(), metavar="30m", help="Nor so much of agents' time used."),
        click.option("--max-tokens", type=click.IntRange(min=1), metavar="N", help="Nor so many tokens."),
        click.option(
            "--max-cost",
            "--budget",
            "max_cost",
            type=Dollars(),
            metavar="USD",
            help="Start nothing new once this much is spent.",
        ),
    ):
        command = option(command)
    return command
