import program
from program import Elevator


def test_up_first_then_down():
    lift = Elevator(20, start=5)
    for floor in (1, 8, 6, 12, 3):
        lift.call(floor)
    assert lift.run() == [6, 8, 12, 3, 1]


def test_goes_on_upwards():
    lift = Elevator(20, start=5)
    lift.call(7)
    lift.step()
    for floor in (6, 9, 8):
        lift.call(floor)
    assert lift.run() == [8, 9, 6]


def test_turns_from_down_to_up():
    lift = Elevator(20, start=5)
    lift.call(4)
    lift.step()
    for floor in (9, 7):
        lift.call(floor)
    assert lift.run() == [7, 9]


def test_direction():
    lift = program.Elevator(9, start=4)
    assert lift.direction == 0
    lift.call(6)
    lift.call(0)
    lift.step()
    assert lift.direction == 1
    lift.step()
    assert (lift.direction, lift.floor) == (-1, 0)
    assert lift.step() is None
    assert lift.direction == 0
