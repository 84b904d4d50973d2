import pytest
import program
from program import find, nearest


@pytest.mark.parametrize("size", [1, 2, 3, 7, 10, 33])
def test_every_value_and_every_gap(size):
    values = [2 * number for number in range(size)]
    for index, value in enumerate(values):
        assert find(values, value) == index
        assert find(values, value + 1) == -1
    assert find(values, -1) == -1


def test_nearest_ends():
    assert nearest([1, 5, 9], 100) == 9
    assert nearest([1, 5, 9], -100) == 1
    assert nearest([1, 5, 9], 3) == 1


def test_nearest_of_negative():
    assert program.nearest([-9, -5, 2, 7], 3) == 2
    assert program.nearest([-9, -5, 2, 7], -6) == -5
    assert program.nearest([10, 20], 14) == 10


def test_lower_bound_everywhere():
    values = [1, 1, 4, 4, 9]
    assert [program.lower_bound(values, wanted) for wanted in (0, 1, 2, 4, 9, 10)] == [0, 0, 2, 2, 4, 5]
