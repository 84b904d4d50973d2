import pytest
from program import Inventory, OutOfStock


def filled():
    stock = Inventory()
    stock.receive("bolt", 10)
    stock.receive("nut", 3)
    return stock


def test_receive():
    stock = filled()
    stock.receive("nut", 2)
    assert stock.available("nut") == 5
    assert stock.available("screw") == 0


def test_reserve_lowers_available():
    stock = filled()
    stock.reserve("bolt", 4)
    assert stock.available("bolt") == 6


def test_too_many():
    with pytest.raises(OutOfStock):
        filled().reserve("nut", 4)


def test_ship():
    stock = filled()
    stock.reserve("bolt", 4)
    stock.ship("bolt", 4)
    assert stock.available("bolt") == 6
    assert stock.on_hand["bolt"] == 6


def test_reorder():
    assert filled().to_reorder(5) == ["nut"]
