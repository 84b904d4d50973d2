import pytest
from program import add, identity, multiply, power, shape, trace, transpose


def test_shape():
    assert shape([[1, 2, 3]]) == (1, 3)
    with pytest.raises(ValueError):
        shape([[1], [1, 2]])


def test_transpose():
    assert transpose([[1, 2], [3, 4], [5, 6]]) == [[1, 3, 5], [2, 4, 6]]


def test_add():
    assert add([[1, 2]], [[3, 4]]) == [[4, 6]]


def test_multiply():
    assert multiply([[1, 2], [3, 4]], [[5, 6], [7, 8]]) == [[19, 22], [43, 50]]


def test_multiply_identity():
    assert multiply([[1, 2], [3, 4]], identity(2)) == [[1, 2], [3, 4]]


def test_trace_and_zero_power():
    assert trace([[1, 2], [3, 4]]) == 5
    assert power([[2, 1], [1, 2]], 0) == identity(2)
