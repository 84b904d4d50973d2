"""What a night may cost, said before it begins."""

from __future__ import annotations

import asyncio
from pathlib import Path

from burnish.app.allowance import Allowance
from burnish.app.estimate import UNKNOWN, Amount, estimate, estimate_lines, lines
from burnish.model.agent import Usage
from burnish.model.ceiling import Ceiling
from burnish.model.review import Review, Verdict
from burnish.model.step import Role, Step
from burnish.store import spending
from burnish.store.database import open_database
from burnish.store.spending import Typical

KNOWN = {
    "implement": Typical(4, 1000, 0.50, 600.0, per_run=1.0),
    "review": Typical(8, 100, 0.125, 60.0, per_run=2.0),
    "fix": Typical(4, 500, 0.25, 120.0, per_run=1.0),
}


def test_at_most_is_every_review_and_a_fix_between_each() -> None:
    found = estimate(KNOWN, tasks=10, reviews=3)
    assert found.most == Amount(
        10 * (0.5 + 3 * 0.125 + 2 * 0.25), 10 * (1000 + 300 + 1000), 10 * (600 + 180 + 240)
    )
    assert found.expected == Amount(
        10 * (0.5 + 2 * 0.125 + 0.25), 10 * (1000 + 200 + 500), 10 * (600 + 120 + 120)
    )


def test_what_is_expected_is_never_more_than_the_most() -> None:
    found = estimate(KNOWN, tasks=1, reviews=1)
    assert found.expected == found.most == Amount(0.625, 1100, 660)


def test_the_estimate_is_told_with_what_it_is_drawn_from_and_the_budget() -> None:
    found = estimate(KNOWN, tasks=10, reviews=3)
    first, second, third = lines(found, Ceiling(cost_usd=11.0), jobs=4)
    assert first == (
        "estimate for 10 tasks: agents' time about 2h 20m (at most 2h 50m); 4 at once: about 35m; "
        "about 17.0k tokens (at most 23.0k); about $10.00 (at most $13.75)"
    )
    assert second == "drawn from steps finished here: 4 implement, 8 review, 4 fix"
    assert third == (
        "the budget of these 24 hours has $11.00 left, which may be used up before the end; the rest waits"
    )
    assert lines(found, Ceiling(cost_usd=8.0))[-1].endswith(
        "which will probably be used up before the end; the rest waits"
    )
    assert lines(found, Ceiling(cost_usd=13.75, tokens=23_000))[-1].endswith("which is enough for all of it")
    assert len(lines(found, Ceiling())) == 2


def test_what_nobody_knows_is_said() -> None:
    assert lines(estimate({}, 1, 3), Ceiling()) == (f"estimate for 1 task: {UNKNOWN}",)
    silent = {"implement": Typical(1, 0, None, 60.0)}
    (first, _) = lines(estimate(silent, 2, 3), Ceiling())
    assert first == (
        "estimate for 2 tasks: agents' time about 2m 00s (at most 2m 00s); cost not known: no agent here tells it"
    )
    partly = {**KNOWN, "review": Typical(8, 100, None, 60.0)}
    assert "and what some agents do not tell" in lines(estimate(partly, 1, 3), Ceiling())[0]


def test_it_is_drawn_from_the_database(tmp_path: Path) -> None:
    database = open_database(tmp_path / "burnish.db")
    try:
        review = Review(Verdict.FAIL, "NO", usage=Usage(100, 0, 0.25, 60.0))
        with database.write() as connection:
            spending.record(connection, "r-1", Step(Role.REVIEW, 1), review, "2020-01-01T00:00:00.000Z")
        allowance = Allowance(database, Ceiling(cost_usd=1.0))
        first, _, budget = asyncio.run(asyncio.to_thread(estimate_lines, allowance, 2, 3))
        assert "about $0.50 (at most $1.50)" in first
        assert budget.startswith("the budget of these 24 hours has $1.00 left, which may be")
    finally:
        database.close()
