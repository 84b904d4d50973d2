import pytest
from program import Item, best_value, choose, greedy

ITEMS = [Item("map", 1, 2), Item("tent", 5, 9), Item("stove", 4, 7)]


def test_plenty_of_room():
    assert best_value(ITEMS, 20) == 18


def test_nothing():
    assert best_value([], 5) == 0
    assert best_value(ITEMS, 0) == 0
    assert choose([], 3) == []


def test_exactly_full():
    assert best_value([Item("a", 3, 5)], 3) == 5


def test_choose():
    assert choose(ITEMS, 9) == ["tent", "stove"]


def test_greedy():
    assert greedy(ITEMS, 5) == ["map", "stove"]


def test_weight():
    with pytest.raises(ValueError):
        Item("air", 0, 1)
