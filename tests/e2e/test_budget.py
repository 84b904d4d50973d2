"""Budgets as a user sets them: per run by flags, per day in the configuration, and all of it over a resume."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli import Said, burnish
from tests.repos import TestRepo

SCENARIO = """
[[step]]
role = "implement"
write = { "app.py" = "print('one')\\n" }
usage = { tokens_in = 1000, tokens_out = 500, cost_usd = 0.30 }

[[step]]
role = "fix"
cycle = 1
write = { "app.py" = "print('two')\\n" }
usage = { tokens_in = 100, tokens_out = 50, cost_usd = 0.30 }

[[step]]
role = "review"
reply = "- not yet\\n\\n**Verdict: CHANGES_REQUESTED**"
usage = { tokens_in = 10, tokens_out = 5, cost_usd = 0.10 }
"""


class Desk:
    def __init__(self, folder: Path, repo: TestRepo) -> None:
        self.repo = repo
        self.scenario = folder / "scenario.toml"
        self.scenario.write_text(SCENARIO)

    def run(self, *extra: str, env: dict[str, str] | None = None) -> Said:
        agent = f"scripted:{self.scenario}"
        agents = ("--implementer", agent, "--reviewer", agent)
        return burnish(self.repo.path, "run", "Add it", *agents, "--json", *extra, env=env)


@pytest.fixture
def desk(tmp_path: Path, repo: Callable[..., TestRepo]) -> Desk:
    return Desk(tmp_path, repo({"app.py": "print('hi')\n"}))


@pytest.mark.parametrize(
    ("flags", "message", "fixes"),
    [
        (("--max-cost", "0.40"), "spent $0.40 of $0.40", 0),
        (("--budget", "0.41"), "spent $0.70 of $0.41", 1),
        (("--max-tokens", "1500"), "used 1500 of 1500 tokens", 0),
        (("--max-time", "0.001s"), "agents worked", 0),
    ],
)
def test_nothing_new_is_started_once_a_budget_is_used_up(
    desk: Desk, flags: tuple[str, ...], message: str, fixes: int
) -> None:
    said = desk.run(*flags)
    assert (said.end["outcome"], said.end["reason"]) == ("stopped", "out_of_budget")
    assert said.end["message"].startswith(message)
    assert said.end["fixes"] == fixes
    assert said.code == 4


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        (("--max-time", "soon"), "expected a duration such as 90s, 30m or 2h, found 'soon'"),
        (("--max-cost", "0"), "--max-cost"),
        (("--max-tokens", "many"), "--max-tokens"),
    ],
)
def test_an_impossible_budget_is_refused_before_anything_starts(
    desk: Desk, flags: tuple[str, ...], sentence: str
) -> None:
    said = desk.run(*flags)
    assert said.code == 2
    assert sentence in said.err


def test_a_day_that_is_used_up_leaves_the_run_to_be_resumed(desk: Desk) -> None:
    said = desk.run("--cycles", "1", env={"BURNISH_BUDGET_DAY_COST_USD": "0.30"})
    assert said.code == 4
    assert "the budget of these 24 hours is used up (spent $0.30 of $0.30); it can go on at 20" in said.err
    assert said.kinds[-1] == "run_interrupted"
    assert "used up" in said.events[-1]["why"]
    run_id = said.events[0]["run"]
    # What was spent is remembered: trying again at once changes nothing and costs nothing.
    again = burnish(desk.repo.path, "resume", run_id, "--json", env={"BURNISH_BUDGET_DAY_COST_USD": "0.30"})
    assert again.code == 4
    # Another run is told the same before it costs anything.
    assert desk.run(env={"BURNISH_BUDGET_DAY_COST_USD": "0.30"}).code == 4
    done = burnish(desk.repo.path, "resume", run_id, "--json", env={"BURNISH_BUDGET_DAY_COST_USD": "5"})
    assert done.end["cost"] == pytest.approx(0.40)
    assert done.end["tokens"] == 1515
    assert done.end["cycles"] == 1


def test_a_budget_survives_a_resume(desk: Desk) -> None:
    said = desk.run("--max-cost", "0.40", env={"BURNISH_BUDGET_DAY_COST_USD": "0.30"})
    done = burnish(desk.repo.path, "resume", said.events[0]["run"], "--json")
    assert (done.end["reason"], done.end["message"]) == ("out_of_budget", "spent $0.40 of $0.40")
