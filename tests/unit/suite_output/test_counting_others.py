"""Counts of runners whose tests cannot be edited: what they print is all there is to see."""

from __future__ import annotations

import pytest

from burnish.suite_output.counting import Counted, count_tests


@pytest.mark.parametrize(
    ("output", "counted"),
    [
        ("1..3\nok 1 - a\nnot ok 2 - b\nok 3 # SKIP none\n", Counted(1, 1, 1)),
        ("1..3\nok 1 - a\n", Counted(1, 2, 0)),
        ("ok 1 - a\nnot ok 2 # TODO later\n1..2\n", Counted(1, 0, 1)),
        ("    ok 1 - inner\nok 1 - a\n1..1\n", Counted(1, 0, 0)),
        ("1..2\nok 1\nok 2\n# pass 2\n# fail 0\n", Counted(2, 0, 0)),
        ("All tests successful.\nFiles=1, Tests=3,  0 wallclock secs\nResult: PASS\n", Counted(3, 0, 0)),
        ("Failed 2/3 subtests\nFiles=1, Tests=3,  0 wallclock secs\nResult: FAIL\n", Counted(1, 2, 0)),
        ("4 runs, 4 assertions, 1 failures, 1 errors, 1 skips\n", Counted(1, 2, 1)),
        ("OK (3 tests, 5 assertions)\n", Counted(3, 0, 0)),
        ("3 tests, 1 failure\n", Counted(2, 1, 0)),
        ("\t Executed 3 tests, with 1 failure (0 unexpected) in 0.1 seconds\n", Counted(2, 1, 0)),
        ("67% tests passed, 1 tests failed out of 3\n", Counted(2, 1, 0)),
        ("ok\nall is well, ok 1\n", None),
    ],
)
def test_what_they_count_is_read(output: str, counted: Counted | None) -> None:
    assert count_tests(output) == counted
