"""A short walk of the model machine; `python -m chaos model` takes the long one."""

from __future__ import annotations

from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.model.machine import BurnishMachine

SHORT = settings(
    max_examples=6,
    stateful_step_count=8,
    derandomize=True,
    database=None,
    deadline=None,
    # Every step is real processes: making a failure smaller would take longer than reading it.
    phases=(Phase.generate,),
    report_multiple_bugs=False,
    suppress_health_check=list(HealthCheck),
)


def test_any_order_of_runs_kills_resumes_and_edits_ends_as_the_model_says() -> None:
    run_state_machine_as_test(BurnishMachine, settings=SHORT)
