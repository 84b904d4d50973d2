import pytest
from program import GaveUp, delay_before, retry, schedule


def failing(times, value="ok"):
    state = {"left": times}

    def action():
        if state["left"]:
            state["left"] -= 1
            raise OSError("down")
        return value

    return action


def test_first_attempt_is_immediate():
    assert delay_before(1) == 0


def test_schedule_doubles():
    assert schedule(4) == [0, 1, 2, 4]


def test_succeeds_after_failures():
    assert retry(failing(2)) == "ok"


def test_gives_up():
    with pytest.raises(GaveUp) as caught:
        retry(failing(5), attempts=3)
    assert caught.value.attempts == 3


def test_cap():
    assert delay_before(30, cap=10) == 10


def test_other_errors_pass_through():
    with pytest.raises(OSError):
        retry(failing(1), only=KeyError)
