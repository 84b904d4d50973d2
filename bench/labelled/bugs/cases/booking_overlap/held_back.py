import pytest
from program import Hotel, NoRoom


def test_before_and_between():
    hotel = Hotel([1])
    hotel.book("ada", 10, 12)
    hotel.book("bob", 20, 22)
    hotel.book("cy", 5, 10)
    hotel.book("dan", 12, 20)
    assert [hotel.guests_on(night) for night in (9, 10, 12, 21)] == [["cy"], ["ada"], ["dan"], ["bob"]]
    for arrival, departure in [(11, 13), (4, 6), (1, 30), (20, 21)]:
        with pytest.raises(NoRoom):
            hotel.book("eve", arrival, departure)
