import pytest
from program import moving_average, moving_max, windows


def test_whole_is_one_window():
    assert windows("abc", 3) == ["abc"]
    assert windows([], 1) == []
    assert windows([7], 1) == [[7]]


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 6])
def test_max_agrees(size):
    values = [4, 1, 4, 2, 9, 3]
    assert moving_max(values, size) == [max(window) for window in windows(values, size)]
    assert len(moving_average(values, size)) == 7 - size
