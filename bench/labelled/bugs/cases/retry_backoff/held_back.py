import pytest
from program import GaveUp, delay_before, retry, schedule


def test_base_scales():
    assert schedule(5, base=0.5) == [0, 0.5, 1, 2, 4]


def test_cap_reached_in_order():
    assert schedule(6, base=3, cap=10) == [0, 3, 6, 10, 10, 10]


def test_sleeps_are_those_of_the_schedule():
    slept = []

    def action():
        raise OSError("no")

    with pytest.raises(GaveUp):
        retry(action, attempts=4, base=2, sleep=slept.append)
    assert slept == [2, 4, 8]


def test_zero_attempt():
    assert delay_before(0) == 0
    with pytest.raises(ValueError):
        retry(lambda: 1, attempts=0)


def test_single_attempt():
    calls = []
    assert retry(lambda: calls.append(1) or "x", attempts=1) == "x"

    def fail():
        calls.append(2)
        raise OSError("no")

    with pytest.raises(GaveUp):
        retry(fail, attempts=2)
    assert calls == [1, 2, 2]
