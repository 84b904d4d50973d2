"""A red gate names its tests, so that what was red before does not hide what is newly red."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from burnish.app.fix_wiring import NamedGate
from burnish.model.gate import GateResult
from burnish.workflows.fix_checks import newly_red

RED = "FAILED tests/test_a.py::test_one - assert 1 == 2\n1 failed, 3 passed in 0.1s\n"
REDDER = "FAILED tests/test_a.py::test_one - x\nFAILED tests/test_a.py::test_two - y\n2 failed in 0.1s\n"


@dataclass(frozen=True)
class Says:
    output: str
    exit: int = 1
    command: str = "pytest -q"

    async def check(self, tree: str, base: str) -> GateResult:
        return GateResult(tree, self.command, self.exit, self.output)


def result(output: str, code: int = 1) -> GateResult:
    return asyncio.run(NamedGate(Says(output, code)).check("t", "b"))


def test_the_failing_tests_are_named() -> None:
    assert result(RED).failing == ("tests/test_a.py::test_one",)
    assert result("4 passed", 0).failing == ()


def test_a_test_that_was_red_before_does_not_block_and_a_new_one_does() -> None:
    assert not newly_red(result(RED), result(RED))
    assert newly_red(result(RED), result(REDDER))
    assert not newly_red(result(REDDER), result(RED))
