import pytest
from program import area, bounding_box, contains, perimeter, signed_area

SQUARE = [(0, 0), (4, 0), (4, 4), (0, 4)]


def test_area():
    assert area(SQUARE) == 16
    assert signed_area(SQUARE[::-1]) == -16


def test_perimeter():
    assert perimeter(SQUARE) == pytest.approx(16)


def test_box():
    assert bounding_box([(1, 5), (-2, 3), (4, 4)]) == (-2, 3, 4, 5)


def test_contains():
    assert contains(SQUARE, (1, 1))
    assert not contains(SQUARE, (5, 1))
