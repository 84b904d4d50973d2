import pytest
from program import Conflict, Room, book_any, overlap


def test_before_and_after():
    room = Room("blue")
    room.book("10:00", "11:00")
    room.book("09:00", "10:00")
    room.book("11:00", "11:01")
    assert len(room.bookings) == 3
    with pytest.raises(Conflict):
        room.book("10:59", "11:00")
    with pytest.raises(Conflict):
        room.book("10:00", "11:00")


def test_any_prefers_the_first():
    rooms = [Room("blue"), Room("red")]
    book_any(rooms, "09:00", "10:00")
    assert book_any(rooms, "10:00", "10:30") == "blue"


def test_overlap_both_ways():
    assert overlap((0, 5), (4, 6)) and overlap((4, 6), (0, 5))
    assert not overlap((0, 5), (5, 6)) and not overlap((5, 6), (0, 5))


def test_whole_day_and_no_time():
    room = Room("blue")
    for start, end in [("10:00", "10:00"), ("11:00", "10:00")]:
        with pytest.raises(ValueError):
            room.book(start, end)
    room.book("00:00", "24:00")
    assert room.bookings == [(0, 1440)]
