from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.suite_output import Layout, Place, failures

LAYOUT = Layout(
    "/work/tree",
    frozenset({"src/calc.py", "tests/test_calc.py", "pkg/calc.go", "pkg/calc_test.go", "src/lib.rs", "lib/sum.js",
               "test/sum.test.js", "src/a.test.ts", "node_modules/dep/index.js"}),
)  # fmt: skip

PYTEST = """\
=================================== FAILURES ===================================
__________________________________ test_zero ___________________________________
    def test_zero():
>       assert div(1, 0) == 0
tests/test_calc.py:6:
_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _
>       return a / b
E       ZeroDivisionError: division by zero
src/calc.py:2: ZeroDivisionError
----------------------------- Captured stdout call -----------------------------
/work/tree/tests/test_calc.py:99: printed by the program
=========================== short test summary info ============================
FAILED tests/test_calc.py::test_zero - ZeroDivisionError: division by zero
1 failed in 0.01s
"""
UNITTEST = """\
======================================================================
ERROR: test_zero (tests.test_calc.Calc.test_zero)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/work/tree/tests/test_calc.py", line 6, in test_zero
    self.assertEqual(div(1, 0), 0)
  File "/work/tree/src/calc.py", line 2, in div
    return a / b
ZeroDivisionError: division by zero

----------------------------------------------------------------------
Ran 3 tests in 0.001s
"""
GO = """\
--- FAIL: TestSum (0.00s)
    calc_test.go:8: Sum(1, 2) = 4, want 3
FAIL
FAIL\texample.com/x/pkg\t0.002s
"""
GO_JSON = """\
{"Time":"2026-01-01T00:00:00Z","Action":"output","Test":"TestSum","Output":"--- FAIL: TestSum (0.00s)\\n"}
{"Time":"2026-01-01T00:00:00Z","Action":"output","Test":"TestSum","Output":"    calc_test.go:8: wrong\\n"}
{"Time":"2026-01-01T00:00:00Z","Action":"fail","Test":"TestSum","Elapsed":0}
"""
CARGO = """\
failures:

---- tests::adds stdout ----

thread 'tests::adds' (12) panicked at src/lib.rs:5:21:
assertion `left == right` failed
  left: 1

failures:
    tests::adds
"""
JEST = """\
FAIL test/sum.test.js
  ● sum › adds

    expect(received).toBe(expected)

      at add (/work/tree/lib/sum.js:3:9)
      at Object.toBe (test/sum.test.js:4:20)
      at processTicks (node_modules/jest/x.js:9:1)

Tests:       1 failed, 1 total
"""
VITEST = """\
 FAIL  src/a.test.ts > sum > adds
AssertionError: expected 4 to be 3
 ❯ src/a.test.ts:5:20
"""
MOCHA = """\
  1 failing

  1) sum
       adds:
     AssertionError [ERR_ASSERTION]: 4 == 3
      at Context.<anonymous> (test/sum.test.js:4:14)
"""
TAP = """\
TAP version 13
ok 1 - fine
not ok 2 - adds
  ---
  location: '/work/tree/test/sum.test.js:4:1'
  error: 'boom'
  stack: |-
    add (/work/tree/lib/sum.js:3:9)
  ...
not ok 3 - later # TODO not yet
"""
RUNNERS = [
    pytest.param(PYTEST, "tests/test_calc.py::test_zero", Place("src/calc.py", 2), "division", id="pytest"),
    pytest.param(
        UNITTEST,
        "test_zero (tests.test_calc.Calc.test_zero)",
        Place("src/calc.py", 2),
        "division",
        id="unittest",
    ),
    pytest.param(GO, "TestSum", Place("pkg/calc_test.go", 8), "want 3", id="go"),
    pytest.param(GO_JSON, "TestSum", Place("pkg/calc_test.go", 8), "wrong", id="go-json"),
    pytest.param(CARGO, "tests::adds", Place("src/lib.rs", 5), "left == right", id="cargo"),
    pytest.param(JEST, "sum › adds", Place("lib/sum.js", 3), "toBe", id="jest"),
    pytest.param(
        VITEST,
        "src/a.test.ts > sum > adds",
        Place("src/a.test.ts", 5),
        "4 to be 3",
        id="vitest",
    ),
    pytest.param(MOCHA, "sum adds", Place("test/sum.test.js", 4), "4 == 3", id="mocha"),
    pytest.param(TAP, "adds", Place("lib/sum.js", 3), "boom", id="tap"),
]


@pytest.mark.parametrize(("output", "name", "place", "said"), RUNNERS)
def test_a_failing_test_is_read_with_its_name_its_reason_and_its_innermost_own_line(
    output: str, name: str, place: Place, said: str
) -> None:
    (failure,) = failures(output)
    assert failure.name == name
    assert said in failure.said
    assert LAYOUT.innermost(failure.block, last=failure.innermost_last) == place


def test_colours_do_not_hide_a_failure() -> None:
    assert [
        failure.name for failure in failures("\x1b[31mFAILED\x1b[0m a/test_b.py::\x1b[1mtest_c\x1b[0m - x\n")
    ] == ["a/test_b.py::test_c"]


def test_a_file_of_tests_that_cannot_be_loaded_is_told_apart() -> None:
    (failure,) = failures("ERROR tests/test_calc.py - ModuleNotFoundError: No module named 'x'\n")
    assert failure.collecting


def test_what_no_runner_wrote_names_no_test() -> None:
    assert failures("make: *** [test] Error 1\n") == ()


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("/work/tree/src/calc.py", "src/calc.py"),
        ("./src/calc.py", "src/calc.py"),
        ("calc_test.go", "pkg/calc_test.go"),
        ("file:///work/tree/lib/sum.js", "lib/sum.js"),
        ("/usr/lib/python3/src/calc.py", ""),
        ("../calc.py", ""),
        ("node_modules/dep/index.js", ""),
        ("nowhere.py", ""),
    ],
)
def test_only_files_of_the_repository_are_places(name: str, path: str) -> None:
    assert LAYOUT.known(name) == path


@pytest.mark.parametrize(
    "line",
    ["FAIL  a.js > x" + " " * 200_000 + "y", "● " + " " * 200_000 + "y", "not ok 1 " + " " * 200_000 + "y",
     "__ " + "a __" * 50_000, "FAILED " + "a.b::" * 50_000, "--- FAIL: x\n" + "a.a" * 100_000 + ":1"],
)  # fmt: skip
def test_a_hostile_output_costs_little_time(line: str) -> None:
    began = time.process_time()
    for failure in failures(f"{line}\n" * 20):
        LAYOUT.innermost(failure.block, last=failure.innermost_last)
    assert time.process_time() - began < 2


@given(st.text(max_size=300))
def test_any_output_is_survived(text: str) -> None:
    for failure in failures(text):
        LAYOUT.innermost(failure.block, last=failure.innermost_last)
