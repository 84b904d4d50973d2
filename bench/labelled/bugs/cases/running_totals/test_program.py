from program import Booking, balances, by_text, closing, lowest, overdrawn_days

MONTH = [Booking(3, -40, "rent"), Booking(1, 100, "pay"), Booking(5, -70, "food"), Booking(9, 30, "pay")]


def test_balances():
    assert balances(0, MONTH) == [(1, 100), (3, 60), (5, -10), (9, 20)]


def test_closing():
    assert closing(50, MONTH) == 70


def test_lowest_below_zero():
    assert lowest(0, MONTH) == (5, -10)


def test_lowest_above_zero():
    assert lowest(500, MONTH) == (5, 490)


def test_overdrawn():
    assert overdrawn_days(0, MONTH) == [5]


def test_by_text():
    assert by_text(MONTH) == {"rent": -40, "pay": 130, "food": -70}
