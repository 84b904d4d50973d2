"""What a build may cost by its effort: looked at before anything new is begun."""

from __future__ import annotations

from dataclasses import dataclass

from burnish.app.build_plan import BuildPlan
from burnish.model.ceiling import dollars
from burnish.store.database import Database
from burnish.store.queries import child_runs
from burnish.store.spending import spent


class TooExpensive(Exception):
    """More was spent than the effort, or the user, allows."""


@dataclass(frozen=True)
class Costs:
    """`most_usd` is the user's own limit for the whole build, which goes before the effort's.

    Costs that nobody knows are not counted: a limit that must hold for every model is `budget.*`.
    """

    database: Database
    run: str
    plan: BuildPlan
    most_usd: float | None = None

    @property
    def runs(self) -> tuple[str, ...]:
        """Those of its loops so far."""
        return child_runs(self.database, self.run)

    def check(self) -> None:
        """Raises TooExpensive when the whole build has cost more than it may."""
        limit = self.most_usd or self.plan.preset.costs.per_run
        self._refuse([self.run, *self.runs], limit, "the build", "--max-cost")

    def check_phase(self, runs: list[str], phase: str) -> None:
        """Raises TooExpensive when these runs, which are one phase of it, have cost more than a phase may."""
        if self.most_usd is None:
            self._refuse(runs, self.plan.preset.costs.per_phase, phase, "--max-cost or a higher --effort")

    def _refuse(self, runs: list[str], limit: float, what: str, remedy: str) -> None:
        used = spent(self.database, runs).cost_usd
        if used is not None and used > limit:
            raise TooExpensive(
                f"{what} has cost {dollars(used)}, more than the {dollars(limit)} "
                f"of effort {self.plan.effort} ({remedy} allows more)"
            )
