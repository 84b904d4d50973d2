import pytest
from program import Inventory, OutOfStock


def test_second_reservation_is_refused():
    stock = Inventory()
    stock.receive("bolt", 5)
    stock.reserve("bolt", 3)
    with pytest.raises(OutOfStock):
        stock.reserve("bolt", 3)
    stock.reserve("bolt", 2)
    assert stock.available("bolt") == 0


def test_release_gives_back():
    stock = Inventory()
    stock.receive("bolt", 5)
    stock.reserve("bolt", 5)
    stock.release("bolt", 1)
    assert stock.available("bolt") == 1
    assert stock.to_reorder(2) == ["bolt"]
    with pytest.raises(ValueError):
        stock.release("bolt", 9)


def test_nothing_from_nothing():
    stock = Inventory()
    for quantity in (0, -1):
        with pytest.raises(ValueError):
            stock.receive("x", quantity)
    stock.receive("x", 1)
    assert stock.on_hand == {"x": 1}
    with pytest.raises(ValueError):
        stock.release("x", 1)
    assert stock.to_reorder(1) == []
