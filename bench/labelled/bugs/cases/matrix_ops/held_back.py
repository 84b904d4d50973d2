import pytest
from program import multiply, power


def test_fibonacci():
    assert power([[1, 1], [1, 0]], 10)[0][1] == 55


def test_not_square():
    assert multiply([[1, 2, 3]], [[4], [5], [6]]) == [[32]]
    assert multiply([[1], [2]], [[3, 4]]) == [[3, 4], [6, 8]]


def test_upper_triangle():
    assert power([[1, 1], [0, 1]], 5) == [[1, 5], [0, 1]]


def test_does_not_fit():
    with pytest.raises(ValueError):
        multiply([[1, 2]], [[1, 2]])
