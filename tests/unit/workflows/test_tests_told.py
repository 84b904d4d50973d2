"""What gates say about their tests, in the words of the usual runners."""

from __future__ import annotations

import time

import pytest

from burnish.model.gate import GateResult
from burnish.suite_output.counting import Counted, count_tests
from burnish.workflows.tests_told import beside_base

GREEN = "..\n2 passed in 0.01s"


@pytest.mark.parametrize(
    ("output", "told"),
    [
        ("...\n3 passed in 0.12s", Counted(3)),
        ("==== 3 passed, 1 skipped, 2 warnings in 0.12s ====", Counted(3, 0, 1)),
        ("== 1 failed, 3 passed, 1 error in 75.01s (0:01:15) ==", Counted(3, 2)),
        ("\x1b[32m\x1b[1m3 passed\x1b[0m\x1b[32m in 0.1s\x1b[0m", Counted(3)),
        ("no tests ran in 0.01s", Counted()),
        ("----\nRan 5 tests in 0.001s\n\nOK", Counted(5)),
        ("Ran 5 tests in 0.001s\n\nFAILED (failures=1, errors=1, skipped=1)", Counted(2, 2, 1)),
        ("Tests:       1 failed, 2 skipped, 4 passed, 7 total", Counted(4, 1, 2)),
        ("      Tests  4 passed (4)", Counted(4)),
        ("test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out", Counted(12, 0, 1)),
        ("ok  \texample.com/a\t0.003s\nok  \texample.com/b\t(cached)\n?   \tc\t[no test files]", Counted(2)),
        ("  7 passing (12ms)\n  1 pending", Counted(7, 0, 1)),
        ("9 examples, 1 failure, 2 pending", Counted(6, 1, 2)),
        ("# tests 3\n# pass 2\n# fail 0\n# skipped 1", Counted(2, 0, 1)),
        ("Tests run: 4, Failures: 1, Errors: 0, Skipped: 1", Counted(2, 1, 1)),
        ("2 passed in 0.1s\nRan 3 tests in 0.1s\n\nOK", Counted(5)),
        ("All checks passed!", None),
        ("we passed 3 of them in 1 day", None),
        ("", None),
    ],
)
def test_the_usual_runners_are_understood(output: str, told: Counted | None) -> None:
    assert count_tests(output) == told


def gate(output: str, code: int | None = 0, *, protected: bool = True) -> GateResult:
    return GateResult("t", "check", code, output, protected=protected)


@pytest.mark.parametrize(
    ("output", "fault"),
    [
        ("", "without the count of tests"),
        ("1 failed, 1 passed in 0.1s", "1 of its tests failed"),
        ("no tests ran in 0.1s", "0 tests passed where 2 did on the base"),
        ("1 passed, 1 skipped in 0.1s", "1 tests passed where 2 did on the base, and 1 were skipped"),
    ],
)
def test_a_green_that_its_tests_deny_is_red(output: str, fault: str) -> None:
    result = beside_base(gate(output), gate(GREEN))
    assert (result.green, result.exit) == (False, 1)
    assert fault in result.fault


@pytest.mark.parametrize(
    "output", ["2 passed in 9s", "5 passed, 1 skipped in 1s", "2 passed, 3 skipped in 1s"]
)
def test_as_many_tests_as_before_are_fine(output: str) -> None:
    assert beside_base(gate(output), gate(GREEN)) == gate(output)


def test_fewer_tests_without_a_skip_are_told_but_not_red() -> None:
    result = beside_base(gate("1 passed in 0.1s"), gate(GREEN))
    assert (result.green, result.doubts) == (True, ("1 tests passed where 2 did on the base",))


def test_with_test_edits_allowed_tests_may_go_but_not_the_count() -> None:
    assert beside_base(gate("1 passed in 0.1s", protected=False), gate(GREEN)).doubts == ()
    assert beside_base(gate("1 skipped in 0.1s", protected=False), gate(GREEN)).green
    assert not beside_base(gate("", protected=False), gate(GREEN)).green


@pytest.mark.parametrize(
    "base", [gate(""), gate("All checks passed!"), gate(GREEN, 1), gate("no tests ran in 0.1s")]
)
def test_a_base_that_counts_nothing_proves_nothing(base: GateResult) -> None:
    assert beside_base(gate(""), base) == gate("")


@pytest.mark.parametrize(
    "text", ["1" * 64_000, "Tests: " + "1" * 64_000, "1 a, " * 12_000, " " * 64_000, "=" * 64_000]
)
def test_a_flood_is_read_in_no_time(text: str) -> None:
    began = time.process_time()
    count_tests(text)
    assert time.process_time() - began < 1
