"""The simulation is deterministic, and shows what must be so where the truth is known."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from burnish.errors import UsageError
from burnish.simulator.fixers import FIXERS
from burnish.simulator.reviewers import REVIEWERS
from burnish.simulator.table import COLUMNS, cells, lines, plain
from burnish.simulator.tally import Tally
from burnish.simulator.trial import POLICIES, Cell, Setting, by_policy, make_policy, simulate


def simulated(**setting: object) -> Mapping[Cell, Tally]:
    return asyncio.run(simulate(Setting(**setting)))  # type: ignore[arg-type]


def sums(policy: str = "none", **setting: object) -> Tally:
    return by_policy(simulated(policies=(policy,), **setting))[policy]


def test_the_same_seed_gives_the_same_figures_and_another_seed_others() -> None:
    pair = {"runs": 30, "policies": ("none", "patience=1"), "reviewers": ("noisy",), "fixers": ("breaking",)}
    first = simulated(seed=1, **pair)
    assert first == simulated(seed=1, **pair)
    assert first != simulated(seed=2, **pair)


def test_the_figures_do_not_depend_on_the_process() -> None:
    """Python shuffles sets differently in each process; chance must not follow that."""
    script = (
        "import asyncio\nfrom burnish.simulator.trial import *\n"
        "setting = Setting(runs=4, cycles=5, policies=('none', 'returning'))\n"
        "print(sorted(map(str, asyncio.run(simulate(setting)).items())))"
    )
    said = [
        subprocess.run(
            [sys.executable, "-c", script], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    ]
    assert said[0] == said[1]
    assert b"Tally" in said[0]


def test_a_policy_chosen_alone_has_the_figures_it_has_beside_others() -> None:
    alone = simulated(runs=5, policies=("patience=2",), reviewers=("stubborn",))
    beside = simulated(runs=5, policies=("none", "patience=2", "no-progress"), reviewers=("stubborn",))
    assert alone == {cell: total for cell, total in beside.items() if cell.policy == "patience=2"}


def test_an_honest_reviewer_and_a_good_fixer_pass_in_two_rounds_without_a_false_pass() -> None:
    total = sums(runs=100, reviewers=("honest",), fixers=("good",))
    assert (total.runs, total.passes, total.false_passes) == (100, 100, 0)
    assert (total.rounds, total.wasted_rounds) == (200, 0)


@pytest.mark.parametrize("policy", POLICIES)
def test_no_policy_stops_a_run_that_goes_well(policy: str) -> None:
    total = sums(policy, runs=20, reviewers=("honest",), fixers=("good",))
    assert (total.passes, total.stops) == (20, 0)


@pytest.mark.parametrize("fixer", FIXERS)
def test_an_honest_reviewer_never_passes_what_blocks(fixer: str) -> None:
    assert sums(runs=30, reviewers=("honest",), fixers=(fixer,)).false_passes == 0


@pytest.mark.parametrize("reviewer", ["lying", "lazy"])
def test_a_reviewer_that_does_not_look_passes_falsely_and_a_gate_that_sees_all_prevents_it(
    reviewer: str,
) -> None:
    assert sums(runs=50, reviewers=(reviewer,), gate_share=0.0).false_passes > 10
    few = sums(runs=50, reviewers=(reviewer,), gate_share=0.5).false_passes
    assert 0 < few < sums(runs=50, reviewers=(reviewer,), gate_share=0.0).false_passes
    assert sums(runs=50, reviewers=(reviewer,), gate_share=1.0).false_passes == 0


def test_less_patience_wastes_fewer_rounds_on_an_idle_fixer() -> None:
    wasted = [
        sums(policy, runs=40, reviewers=("honest",), fixers=("idle",)).wasted_rounds
        for policy in ("patience=1", "patience=2", "patience=3", "none")
    ]
    assert wasted == sorted(wasted)
    assert wasted[0] < wasted[-1] / 2


def test_an_oscillating_reviewer_is_noticed_by_its_returning_findings() -> None:
    total = sums("returning", runs=40, reviewers=("oscillating",), fixers=("good",))
    assert total.stops > 20
    assert sums("patience=1", runs=40, reviewers=("oscillating",), fixers=("good",)).stops == 0


@pytest.mark.parametrize("policy", [name for name in POLICIES if name != "none"])
def test_a_policy_only_ever_shortens_runs_and_adds_no_pass(policy: str) -> None:
    beside = by_policy(simulated(runs=4, policies=("none", policy)))
    plain_sum, total = beside["none"], beside[policy]
    assert total.rounds <= plain_sum.rounds
    assert total.passes <= plain_sum.passes
    assert total.false_passes <= plain_sum.false_passes
    assert total.wrong_stops <= total.stops
    assert total.clean_stops <= total.stops
    assert plain_sum.stops == 0


def test_the_limit_of_reviews_holds() -> None:
    total = sums(runs=10, cycles=3, reviewers=("stubborn",), fixers=("idle",))
    assert total.rounds <= 30


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ({"policies": ("impatience=1",)}, "unknown policy 'impatience'; known: none, "),
        ({"policies": ("until-pass",)}, "unknown policy 'until-pass'"),
        ({"policies": ("",)}, "unknown policy ''"),
        ({"policies": ("patience=2+",)}, "unknown policy ''"),
        ({"policies": ("patience=zero",)}, "patience takes a whole number"),
        ({"reviewers": ("kind",)}, "unknown reviewer 'kind'; known: honest, "),
        ({"fixers": ("quick",)}, "unknown fixer 'quick'; known: good, "),
    ],
)
def test_a_wrong_name_is_found_before_anything_runs(setting: dict[str, object], sentence: str) -> None:
    with pytest.raises(UsageError) as caught:
        simulated(runs=100_000, **setting)
    assert caught.value.message.startswith(sentence)


def test_policies_are_joined_in_one_name() -> None:
    assert make_policy("patience=2+no-progress", 3) != make_policy("patience=2", 3)


def test_the_table_fits_a_terminal_and_has_every_figure() -> None:
    setting = Setting(runs=2, policies=(*POLICIES, "patience=1+no-progress+returning+code-age+ratchet"))
    found = asyncio.run(simulate(setting))
    shown = list(lines(setting, found, full=True))
    assert max(map(len, shown)) <= 80
    assert sum(line.startswith("no-progress=2 ") for line in shown) == len(REVIEWERS) * len(FIXERS) + 1
    assert f"{2 * len(REVIEWERS) * len(FIXERS)} runs a policy" in "\n".join(shown)
    data = plain(setting, found)
    assert len(data["pairs"]) == len(setting.policies) * len(REVIEWERS) * len(FIXERS)
    assert data["policies"][0] == {"policy": "none", **vars(by_policy(found)["none"])}


def test_a_table_without_a_pass_has_no_price() -> None:
    assert dict(zip(COLUMNS, cells(Tally(runs=1, rounds=3)), strict=True))["price"] == "-"


@pytest.mark.parametrize(("reviewer", "fixer"), [("honest", "partial"), ("oscillating", "good")])
def test_the_page_of_figures_has_what_the_simulation_gives_today(reviewer: str, fixer: str) -> None:
    page = (Path(__file__).resolve().parents[3] / "docs" / "benchmarks.md").read_text("utf8")
    runs = int(re.findall(r"burnish simulate --runs (\d+) --cycles 10 --full", page)[0])
    for policy in ("none", "no-progress=2", "returning"):
        total = sums(policy, runs=runs, reviewers=(reviewer,), fixers=(fixer,))
        row = " | ".join([reviewer, fixer, policy, *cells(total)])
        assert f"| {row} |" in page, "make simulate writes the page anew"
