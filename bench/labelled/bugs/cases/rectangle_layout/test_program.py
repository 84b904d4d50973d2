import pytest
from program import Rect, fit, stack


def test_edges():
    rect = Rect(1, 2, 3, 4)
    assert (rect.right, rect.bottom, rect.area) == (4, 6, 12)
    with pytest.raises(ValueError):
        Rect(0, 0, -1, 1)


def test_grow():
    assert Rect(5, 5, 2, 3).grow(1).as_tuple() == (4, 4, 4, 5)


def test_overlap():
    assert Rect(0, 0, 10, 4).overlap(Rect(2, 1, 20, 20)).as_tuple() == (2, 1, 8, 3)


def test_square_overlap():
    assert Rect(0, 0, 4, 4).overlap(Rect(2, 2, 4, 4)).as_tuple() == (2, 2, 2, 2)


def test_no_overlap():
    assert Rect(0, 0, 2, 2).overlap(Rect(2, 0, 2, 2)) is None


def test_stack_and_fit():
    assert [rect.y for rect in stack([(5, 2), (3, 4), (1, 1)], gap=1)] == [0, 3, 8]
    assert fit(400, 200, 100, 100) == (100, 50)
