import pytest
from program import Hotel, NoRoom, Stay


def test_stay():
    assert Stay("ada", 3, 7).nights == 4
    with pytest.raises(ValueError):
        Stay("ada", 3, 3)


def test_full():
    hotel = Hotel([1])
    hotel.book("ada", 1, 4)
    with pytest.raises(NoRoom):
        hotel.book("bob", 2, 3)


def test_second_room():
    hotel = Hotel([2, 1])
    assert hotel.book("ada", 1, 4) == 1
    assert hotel.book("bob", 3, 5) == 2


def test_same_room_later():
    hotel = Hotel([1])
    hotel.book("ada", 1, 4)
    assert hotel.book("bob", 4, 6) == 1


def test_guests():
    hotel = Hotel([1, 2])
    hotel.book("ada", 1, 4)
    assert hotel.guests_on(3) == ["ada"]
    assert hotel.guests_on(4) == []
    assert hotel.occupancy(1) == 0.5
