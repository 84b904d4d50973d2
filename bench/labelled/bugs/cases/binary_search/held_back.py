import pytest
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
