import pytest
from program import Grid


def test_square():
    grid = Grid("##.\n#..\n..#")
    assert grid.count_regions("#") == 2
    assert len(grid.region(0, 0)) == 3


def test_corner_neighbours():
    assert sorted(Grid("ab\ncd").neighbours(0, 0)) == [(0, 1), (1, 0)]


def test_tall():
    grid = Grid("#\n#\n#\n.")
    assert grid.count_regions("#") == 1
    assert len(grid.region(0, 0)) == 3


def test_single_cell():
    assert Grid("x").region(0, 0) == {(0, 0)}


def test_ragged():
    with pytest.raises(ValueError):
        Grid("ab\nc")
