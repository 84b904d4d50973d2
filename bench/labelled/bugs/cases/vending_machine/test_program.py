import pytest
from program import Machine, NotEnough, SoldOut, change


def machine(*coins):
    result = Machine()
    result.stock("A1", 120, 2)
    for coin in coins:
        result.insert(coin)
    return result


def test_change():
    assert change(385) == [200, 100, 50, 20, 10, 5]
    assert change(0) == []


def test_buy():
    assert machine(200).buy("A1") == [50, 20, 10]


def test_exact():
    bought = machine(100, 20)
    assert bought.buy("A1") == []
    assert bought.takings == 120


def test_paid_far_too_much():
    assert machine(200, 200).buy("A1") == [200, 50, 20, 10]


def test_not_enough():
    with pytest.raises(NotEnough):
        machine(100).buy("A1")
    assert machine(100, 3).cancel() == [100]


def test_sold_out():
    empty = Machine()
    empty.stock("B", 50, 0)
    with pytest.raises(SoldOut):
        empty.buy("B")
