"""A short walk of the model machine, and walks it must never miss; `python -m chaos model` takes the long one."""

from __future__ import annotations

import signal
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.model.machine import BurnishMachine
from tests.model.plans import Ailment, Place, Plan, Touch

SHORT = settings(
    max_examples=2,
    stateful_step_count=6,
    derandomize=True,
    database=None,
    deadline=None,
    # Every step is real processes: making a failure smaller would take longer than reading it.
    phases=(Phase.generate,),
    report_multiple_bugs=False,
    suppress_health_check=list(HealthCheck),
)

APPLIED, BRANCH = Plan(land="apply"), Plan()
HELD = {"hold": Place.REVIEW}
LAST = {"pick": 0}

Walk = list[tuple[str, dict[str, Any]]]
WALKS: dict[str, Walk] = {
    "the file that a result is for is edited meanwhile": [
        ("begin", {"plan": APPLIED, **HELD}),
        ("let_it_end", {**LAST, "meanwhile": "edit a tracked file"}),
    ],
    "a file is added meanwhile": [
        ("edit", {"what": "edit another tracked file"}),
        ("begin", {"plan": Plan(land="apply", touch=Touch.ADD), **HELD}),
        ("let_it_end", {**LAST, "meanwhile": "add an untracked file"}),
    ],
    "the wanted branch is taken meanwhile, then moved": [
        ("begin", {"plan": BRANCH, **HELD}),
        ("disturb", {**LAST, "what": "take its name"}),
        ("let_it_end", {**LAST, "meanwhile": "commit all"}),
        ("disturb", {**LAST, "what": "work on in a reviewed file"}),
    ],
    "a killed writer is resumed, edited after its pass, and resumed once more": [
        ("begin", {"plan": Plan(land="apply", green=2), "hold": Place.IMPLEMENT}),
        ("cut_short", {**LAST, "how": signal.SIGKILL}),
        ("resume", {**LAST, "deadly": 0, "hold": None}),
        ("edit", {"what": "edit a tracked file"}),
        ("resume", {**LAST, "deadly": 0, "hold": None}),
    ],
    "a killed writer is cancelled": [
        ("begin", {"plan": BRANCH, "hold": Place.IMPLEMENT}),
        ("cut_short", {**LAST, "how": signal.SIGKILL}),
        ("cancel", LAST),
    ],
    "cancelled after its landing was recorded: the branch is named": [
        ("run", {"plan": BRANCH, "deadly": ("lander.branch:after", "step_finished:committed")}),
        ("cancel", LAST),
    ],
    "two want the same run, and it is cancelled twice": [
        ("begin", {"plan": BRANCH, "hold": Place.IMPLEMENT}),
        ("resume", {**LAST, "deadly": 0, "hold": None}),
        ("cancel", LAST),
        ("cancel", LAST),
    ],
    "killed between a commit and its record, then between landing and its record": [
        ("run", {"plan": BRANCH, "deadly": ("workspaces.advance:after",)}),
        ("resume", {**LAST, "deadly": ("lander.branch:after",), "hold": None}),
        ("resume", {**LAST, "deadly": 0, "hold": None}),
    ],
    "killed after its landing was recorded, and edited before it is resumed": [
        ("run", {"plan": APPLIED, "deadly": ("lander.apply:after", "step_finished:committed")}),
        ("edit", {"what": "edit a tracked file"}),
        ("resume", {**LAST, "deadly": 0, "hold": None}),
    ],
    "what did not pass, and what changed nothing": [
        ("run", {"plan": Plan(land="apply", approves=3), "deadly": 0}),
        ("run", {"plan": Plan(ailment=Ailment.FAILS, ill=Place.FIX, approves=2), "deadly": 0}),
        ("run", {"plan": Plan(ailment=Ailment.IDLE), "deadly": 0}),
    ],
}


@pytest.mark.parametrize("walk", WALKS.values(), ids=WALKS)
def test_a_known_walk_ends_as_the_model_says(walk: Walk) -> None:
    machine = BurnishMachine()
    try:
        for rule, arguments in walk:
            getattr(machine, rule)(**arguments)
            machine.everything_is_as_the_model_says()
    finally:
        machine.teardown()


def test_any_order_of_runs_kills_resumes_and_edits_ends_as_the_model_says() -> None:
    run_state_machine_as_test(BurnishMachine, settings=SHORT)
