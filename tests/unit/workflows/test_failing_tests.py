"""Failing tests in the fix pipeline: they are repaired one after another, and some are gone by then."""

from __future__ import annotations

import pytest

from burnish.model.fixing import Batch
from burnish.model.gate import GateResult
from burnish.model.review import Finding
from burnish.workflows.batching import make_batches
from burnish.workflows.embedded_plan import plan_from_code
from burnish.workflows.fix_checks import passes_now
from burnish.workflows.plan_joining import join_plans


def failing(name: str, file: str = "test_a.py") -> Finding:
    title = f"Test fails: {name}"
    return Finding(
        title, file=file, detail=f"{title}\nassert 1 == 2", rule="tests:failing", id=f"f-{name[-1]}"
    )


def gate(*names: str) -> GateResult:
    return GateResult(command="pytest", tree="t", exit=1 if names else 0, failing=names)


def test_failing_tests_are_one_batch_wherever_each_of_them_stopped() -> None:
    found = [failing("t.py::a", "a.py"), Finding("x", file="b.py", id="x"), failing("t.py::b", "b.py")]
    batches = make_batches(found)
    assert [[finding.id for finding in batch.findings] for batch in batches] == [["f-a", "f-b"], ["x"]]


def test_groups_of_failing_tests_do_not_work_side_by_side() -> None:
    batches = [
        Batch(number, (failing(f"t.py::{number}", f"{number}.py"),), f"{number}.py", "d") for number in (1, 2)
    ]
    plan = join_plans(plan_from_code(batch) for batch in batches)
    assert [stage.groups for stage in plan.stages] == [("G1",), ("G2",)]


@pytest.mark.parametrize(
    ("result", "gone"),
    [(gate(), True), (gate("t.py::b"), True), (gate("t.py::a", "t.py::b"), False), (None, False)],
)
def test_a_test_that_the_gate_does_not_name_any_more_passes_now(
    result: GateResult | None, gone: bool
) -> None:
    assert passes_now(failing("t.py::a"), result) is gone


def test_a_gate_without_names_and_a_finding_that_is_no_test_prove_nothing() -> None:
    assert not passes_now(failing("t.py::a"), GateResult(command="make test", tree="t", exit=2))
    assert not passes_now(Finding("x", rule="ruff:F401"), gate())
