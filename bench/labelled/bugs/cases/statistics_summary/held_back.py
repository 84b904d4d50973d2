import pytest
import program
from program import NoData, geometric_mean


@pytest.mark.parametrize(("values", "expected"), [([7], 7), ([1, 1, 1], 1), ([1, 3, 9], 3), ([4, 9], 6), ([0, 5], 0), ([0.25, 4], 1)])
def test_geometric(values, expected):
    assert geometric_mean(values) == pytest.approx(expected)


def test_geometric_of_nothing():
    with pytest.raises(NoData):
        geometric_mean(iter([]))


def test_mean_and_median_between():
    assert program.mean([1, 2]) == 1.5
    assert program.median([1, 2, 3, 10]) == 2.5
    assert program.deviation([1, 2]) == 0.5
