import pytest
from program import Conflict, Room, book_any, minutes


def test_minutes():
    assert minutes("09:30") == 570
    with pytest.raises(ValueError):
        minutes("25:00")


def test_conflict():
    room = Room("blue")
    room.book("09:00", "10:00")
    with pytest.raises(Conflict):
        room.book("09:30", "10:30")


def test_back_to_back():
    room = Room("blue")
    room.book("09:00", "10:00")
    room.book("10:00", "11:00")
    assert room.bookings == [(540, 600), (600, 660)]


def test_inside():
    room = Room("blue")
    room.book("09:00", "12:00")
    with pytest.raises(Conflict):
        room.book("10:00", "11:00")


def test_any_room():
    rooms = [Room("blue"), Room("red")]
    assert book_any(rooms, "09:00", "10:00") == "blue"
    assert book_any(rooms, "09:15", "09:30") == "red"
    with pytest.raises(Conflict):
        book_any(rooms, "09:15", "09:30")
