import pytest
from program import Ticket, fee


@pytest.mark.parametrize(("minutes", "amount"), [(1, 0), (14, 0), (15, 0), (16, 250), (60, 250), (1440, 2000), (1441, 2250), (1455, 2250)])
def test_around_the_limit(minutes, amount):
    assert fee("car", minutes) == amount


def test_free_for_all():
    assert fee("bus", 15, member=True) == 0
    assert Ticket("bus", 100).pay(112) == 0
