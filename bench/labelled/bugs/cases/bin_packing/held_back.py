import program
from program import names, pack, waste


def test_few_bins():
    items = {"a": 6, "b": 4, "c": 7, "d": 3, "e": 2, "f": 8}
    bins = pack(items, 10)
    assert len(bins) == 3
    assert waste(bins) == 0
    assert names(bins) == [["f", "e"], ["c", "d"], ["a", "b"]]


def test_order_within():
    assert names(pack({"s": 1, "m": 2, "l": 3}, 6)) == [["l", "m", "s"]]


def test_item_as_large_as_the_bin():
    assert program.names(program.pack({"a": 10, "b": 1}, 10)) == [["a"], ["b"]]
