import pytest
from program import Elevator


def test_single_call():
    lift = Elevator(10)
    lift.call(4)
    assert lift.run() == [4]


def test_picks_up_on_the_way():
    lift = Elevator(10)
    lift.call(7)
    lift.call(3)
    assert lift.run() == [3, 7]


def test_down():
    lift = Elevator(10, start=9)
    lift.call(2)
    lift.call(5)
    assert lift.run() == [5, 2]


def test_own_floor_is_no_request():
    lift = Elevator(10, start=2)
    lift.call(2)
    assert lift.step() is None


def test_no_such_floor():
    with pytest.raises(ValueError):
        Elevator(3).call(3)
