import pytest
from program import Hall, SeatTaken


def test_together():
    hall = Hall(2, 4)
    hall.book("A2")
    assert hall.find_together(2) == ["A3", "A4"]
    assert hall.find_together(3) == ["B1", "B2", "B3"]
    hall.book(*hall.find_together(3))
    assert hall.free_in_row(1) == ["B4"]


def test_round_trip():
    hall = Hall(26, 12)
    for seat in [(0, 0), (25, 11), (3, 9)]:
        assert hall.locate(hall.name(*seat)) == seat


def test_message():
    hall = Hall(1, 5)
    hall.book("A3", "A5")
    with pytest.raises(SeatTaken) as caught:
        hall.book("A5", "A3", "A1")
    assert str(caught.value) == "A3, A5"


def test_halls_that_cannot_be():
    for rows, columns in [(0, 5), (27, 5), (3, 0), (0, 0)]:
        with pytest.raises(ValueError):
            Hall(rows, columns)
    assert Hall(26, 1).locate("Z1") == (25, 0)
