import pytest
from program import Ticket, UnknownVehicle, fee, started_hours


def test_hours():
    assert [started_hours(minutes) for minutes in (0, 1, 60, 61)] == [0, 1, 1, 2]


def test_fee():
    assert fee("car", 61) == 500
    assert fee("motorbike", 59) == 100


def test_short_stay_is_free():
    assert fee("car", 10) == 0
    assert fee("car", 0) == 0


def test_day():
    assert fee("car", 12 * 60) == 8 * 250
    assert fee("car", 25 * 60) == 9 * 250


def test_member():
    assert fee("bus", 60, member=True) == 450


def test_bad():
    with pytest.raises(UnknownVehicle):
        fee("boat", 5)
    with pytest.raises(ValueError):
        fee("car", -1)


def test_leave():
    ticket = Ticket("car", 0)
    assert not ticket.may_leave(5)
    ticket.pay(100)
    assert ticket.may_leave(110)
    assert not ticket.may_leave(111)
