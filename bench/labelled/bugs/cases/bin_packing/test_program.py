import pytest
from program import TooLarge, names, pack, waste


def test_one_bin():
    assert names(pack({"a": 3}, 10)) == [["a"]]


def test_large_first():
    bins = pack({"a": 2, "b": 5, "c": 8, "d": 5}, 10)
    assert names(bins) == [["c", "a"], ["b", "d"]]


def test_too_large():
    with pytest.raises(TooLarge):
        pack({"a": 11}, 10)


def test_waste():
    assert waste(pack({"a": 4, "b": 4}, 10)) == 2


def test_ties_by_name():
    assert names(pack({"z": 5, "a": 5, "m": 5}, 10)) == [["a", "m"], ["z"]]


def test_nothing():
    assert pack({}, 10) == []
