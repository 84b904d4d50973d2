"""What a run cost is shown with where the number comes from, for people and for programs."""

from __future__ import annotations

import pytest

from burnish.model.agent import Usage
from burnish.model.overview import DayUse
from burnish.model.run_view import RunState, RunView
from burnish.render.show import as_record, page
from burnish.render.tasks import day_line


def run(cost: float | None, *, estimated: bool = False, unpriced: bool = False) -> RunView:
    texts = dict.fromkeys(
        ("host", "repository", "title", "prompt", "profile", "contract", "spec", "message", "native", "final_verdict"),
        "x",
    )  # fmt: skip
    times = dict.fromkeys(("created_at", "updated_at"), "2026-11-15T03:00:00.000Z")
    unset = dict.fromkeys(("pid", "outcome", "reason", "verdict", "commit", "branch", "receipt", "exit_code", "finished_at"))  # fmt: skip
    return RunView(
        id="r-1", state=RunState.FINISHED, cycles=1, fixes=0, cost=cost, tokens=1200, base="b", start="s",
        note="", cancel_requested=False, estimated=estimated, unpriced=unpriced, **texts, **times, **unset,
    )  # type: ignore[arg-type]  # fmt: skip


@pytest.mark.parametrize(
    ("view", "text", "basis"),
    [
        (run(0.31), "cost     $0.31 (reported)\n", "reported"),
        (run(0.31, estimated=True), "cost     ~$0.31 (estimated)\n", "estimated"),
        (run(0.31, unpriced=True), "cost     at least $0.31 (reported)\n", "reported"),
        (run(None, unpriced=True), "cost     unknown\n", "unknown"),
    ],
)
def test_show_says_whether_a_cost_is_reported_estimated_or_unknown(
    view: RunView, text: str, basis: str
) -> None:
    assert text in page(view, ())
    assert as_record(view, ())["cost_basis"] == basis


def test_a_day_whose_cost_nobody_knows_is_not_shown_as_nothing() -> None:
    assert "unknown of $10.00" in day_line(DayUse(Usage(500), 10.0))
    assert "$0.00 of $10.00" in day_line(DayUse(Usage(), 10.0))
