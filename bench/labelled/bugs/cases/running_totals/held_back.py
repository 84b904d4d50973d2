import program
from program import Booking, lowest


def test_only_income():
    assert lowest(200, [Booking(1, 5), Booking(2, 5)]) == (0, 200)


def test_no_bookings():
    assert lowest(80, []) == (0, 80)
    assert lowest(-80, []) == (0, -80)


def test_opening_overdrawn():
    assert lowest(-50, [Booking(1, 20), Booking(2, 10)]) == (0, -50)


def test_first_of_equal():
    assert lowest(10, [Booking(1, -5), Booking(2, 5), Booking(3, -5)]) == (1, 5)


def test_zero_is_not_overdrawn():
    bookings = [Booking(1, -10), Booking(2, -1), Booking(3, 1)]
    assert program.overdrawn_days(10, bookings) == [2]
    assert program.closing(10, bookings) == 0
