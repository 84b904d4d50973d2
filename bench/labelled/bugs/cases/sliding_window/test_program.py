import pytest
from program import longest_below, moving_average, moving_max, windows


def test_windows():
    assert windows([1, 2, 3, 4], 2) == [[1, 2], [2, 3], [3, 4]]


def test_too_short():
    assert windows([1, 2], 3) == []
    with pytest.raises(ValueError):
        windows([1], 0)


def test_average():
    assert moving_average([2, 4, 6], 2) == [3, 5]


def test_max():
    assert moving_max([1, 3, 2, 5, 4], 3) == [3, 5, 5]


def test_longest():
    assert longest_below([2, 1, 1, 5, 1], 4) == 3
    assert longest_below([9], 4) == 0
