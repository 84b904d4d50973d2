import pytest
from program import find, insert, lower_bound, nearest


def test_middle_and_left():
    assert find([1, 3, 5], 3) == 1
    assert find([1, 3, 5], 1) == 0


def test_right():
    assert find([1, 3, 5], 5) == 2


def test_missing():
    assert find([], 1) == -1
    assert find([4], 1) == -1


def test_lower_bound():
    assert lower_bound([1, 3, 3, 5], 3) == 1
    assert lower_bound([1, 3], 9) == 2


def test_insert():
    values = [1, 4]
    insert(values, 2)
    assert values == [1, 2, 4]


def test_nearest():
    assert nearest([1, 5, 9], 6) == 5
    with pytest.raises(ValueError):
        nearest([], 1)
