import pytest
from program import NoData, deviation, geometric_mean, mean, median, mode


def test_mean():
    assert mean([1, 2, 6]) == 3
    with pytest.raises(NoData):
        mean([])


def test_geometric():
    assert geometric_mean([2, 8]) == pytest.approx(4)


def test_median():
    assert median([5, 1, 3]) == 3
    assert median([4, 1, 3, 2]) == 2.5


def test_deviation():
    assert deviation([2, 4, 4, 4, 5, 5, 7, 9]) == 2


def test_mode():
    assert mode([3, 1, 3, 1, 2]) == 1
