from program import Grid


def test_wide():
    grid = Grid("####.#")
    assert grid.count_regions("#") == 2
    assert len(grid.region(0, 1)) == 4


def test_bottom_edge():
    assert sorted(Grid("abc\ndef").neighbours(1, 2)) == [(0, 2), (1, 1)]
    assert sorted(Grid("ab\ncd\nef").neighbours(2, 0)) == [(1, 0), (2, 1)]


def test_snake():
    grid = Grid("#.\n##\n.#\n##\n#.")
    assert grid.count_regions("#") == 1
    assert grid.count_regions(".") == 3
