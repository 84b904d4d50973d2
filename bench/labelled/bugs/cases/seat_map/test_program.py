import pytest
from program import Hall, SeatTaken


def test_locate():
    hall = Hall(3, 4)
    assert hall.locate("A1") == (0, 0)
    assert hall.locate("c4") == (2, 3)


def test_no_such_seat():
    for name in ["D1", "A5", "A0", "?1"]:
        with pytest.raises(ValueError):
            Hall(3, 4).locate(name)


def test_taken():
    hall = Hall(2, 2)
    hall.book("A1", "A2")
    with pytest.raises(SeatTaken):
        hall.book("A2", "B1")
    assert (1, 0) not in hall.taken


def test_free():
    hall = Hall(1, 3)
    hall.book("A2")
    assert hall.free_in_row(0) == ["A1", "A3"]


def test_nothing_together():
    assert Hall(2, 2).find_together(3) == []
