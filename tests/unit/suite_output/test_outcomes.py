"""Runners beside pytest: which tests they say failed and passed, from what they really print."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.suite_output import Layout, Place, count_of, failures, passes

LAYOUT = Layout("/work/tree", frozenset({"calc.py", "test_calc.py", "features/a.feature"}))
NOSE2 = """\
  Applying auth.0001_initial... OK
test_add (test_calc.T.test_add)
Adds two. ... FAIL
test_double (test_calc.T.test_double) ... ok
test_zero (test_calc.T.test_zero)
Adds nothing. ... ok

======================================================================
FAIL: test_add (test_calc.T.test_add)
Adds two.
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/work/tree/test_calc.py", line 7, in test_add
    self.assertEqual(add(1, 2), 3)
AssertionError: -1 != 3

----------------------------------------------------------------------
Ran 3 tests in 0.000s

FAILED (failures=1)
"""
TRIAL = """\
test_calc
  T
    test_add ...                                                         [FAIL]
    test_double ...                                                        [OK]

===============================================================================
[FAIL]
Traceback (most recent call last):
  File "/usr/lib/python3.11/unittest/case.py", line 57, in testPartExecutor
    yield
  File "/work/tree/test_calc.py", line 7, in test_add
    self.assertEqual(add(1, 2), 3)
builtins.AssertionError: -1 != 3

test_calc.T.test_add
-------------------------------------------------------------------------------
Ran 2 tests in 0.032s

FAILED (failures=1, successes=1)
"""
ZOPE = """\
  Running:
 test_add (test_calc.T.test_add)

Failure in test test_add (test_calc.T.test_add)
Traceback (most recent call last):
  File "/work/tree/test_calc.py", line 7, in test_add
    self.assertEqual(add(1, 2), 3)
AssertionError: -1 != 3


 test_double (test_calc.T.test_double)
  Ran 3 tests with 1 failures, 0 errors and 0 skipped in 0.001 seconds.
"""
DOCTEST = """\
Trying:
    double(2)
Expecting:
    4
ok
**********************************************************************
File "/work/tree/calc.py", line 11, in calc.add
Failed example:
    add(2, 2)
Expected:
    4
Got:
    0
1 items passed all tests:
   1 tests in calc.double
**********************************************************************
1 items had failures:
   1 of   2 in calc.add
3 tests in 2 items.
2 passed and 1 failed.
***Test Failed*** 1 failures.
"""
BEHAVE = """\
Feature: sums # features/a.feature:1

  Scenario: adding    # features/a.feature:2
    Given 1 and 2     # features/steps/s.py:5
    Then the sum is 3 # features/steps/s.py:7
      ASSERT FAILED: -1

  Scenario: zero      # features/a.feature:5

Failing scenarios:
  features/a.feature:2  adding

0 features passed, 1 failed, 0 skipped
1 scenario passed, 1 failed, 0 skipped
"""
TAP = """\
1..3
not ok 1 adds one and two
# (in test file a.bats, line 1)
ok 2 zero
ok 3 later # SKIP not yet
"""
SCRIPT = """\
[ OK ] adds nothing ✓ (2 ms)
[ FAIL ] adds one and two ✗
  expected 3, found -1
zero ... ok
[4/4] PASS twice (0.000012s)
FAILED (1 of 2)
"""
PYTEST = """\
test_calc.py::test_zero PASSED                                           [ 50%]
test_calc.py::test_add FAILED                                            [100%]
FAILED test_calc.py::test_add - assert -1 == 3
========================= 1 failed, 1 passed in 0.04s =========================
"""
UNIT = "test_add (test_calc.T.test_add)"


@pytest.mark.parametrize(
    ("output", "failed", "passed", "count"),
    [
        (NOSE2, UNIT, ("test_double (test_calc.T.test_double)", "test_zero (test_calc.T.test_zero)"), 3),
        (TRIAL, "test_calc.T.test_add", ("test_double",), 2),
        (ZOPE, UNIT, (), 3),
        (DOCTEST, "calc.add", ("calc.double",), 3),
        (BEHAVE, "adding", (), 2),
        (TAP, "adds one and two", ("zero",), 3),
        (SCRIPT, "adds one and two", ("adds nothing", "zero", "twice"), 0),
        (PYTEST, "test_calc.py::test_add", ("test_calc.py::test_zero",), 2),
        ("checking\nFAIL: adds\n", "adds", (), 0),
    ],
    ids=[
        "nose2 -v, django -v 2",
        "trial",
        "zope",
        "doctest -v",
        "behave",
        "tap",
        "a script",
        "pytest -v",
        "only what fails",
    ],
)
def test_each_runner_is_read(output: str, failed: str, passed: tuple[str, ...], count: int) -> None:
    assert [failure.name for failure in failures(output)] == [failed]
    assert sorted(passes(output)) == sorted(passed)
    assert count_of(output) == count


@pytest.mark.parametrize(
    ("output", "line", "said"),
    [(NOSE2, 7, "AssertionError: -1 != 3"), (TRIAL, 7, "builtins.AssertionError: -1 != 3"),
     (ZOPE, 7, "AssertionError: -1 != 3")],
    ids=["nose2", "trial", "zope"],
)  # fmt: skip
def test_a_traceback_leads_into_the_repository(output: str, line: int, said: str) -> None:
    (failure,) = failures(output)
    assert LAYOUT.innermost(failure.block, last=failure.innermost_last) == Place("test_calc.py", line)
    assert failure.said == said


def test_the_place_of_a_docstring_is_known() -> None:
    (failure,) = failures(DOCTEST)
    assert LAYOUT.innermost(failure.block, last=True) == Place("calc.py", 11)
    assert failure.said == "add(2, 2) Expected: 4 Got: 0"


def test_an_error_line_of_a_log_is_no_test() -> None:
    assert failures("ERROR: the server is gone\nFAIL example.com/x [build failed]\n") == ()


@pytest.mark.parametrize(
    "line", ["a.py::" * 40_000, "ok 1 " + "# " * 100_000, "x ... " * 50_000, "[ " * 100_000, "1 " * 100_000]
)
def test_a_hostile_output_costs_little_time(line: str) -> None:
    began = time.process_time()
    for read in (passes, count_of, failures):
        read(f"{line}\n" * 20)
    assert time.process_time() - began < 4


@given(st.text(max_size=300))
def test_any_output_is_survived(text: str) -> None:
    assert count_of(text) >= 0
    assert all(passes(text))
