import pytest
from program import Graph


def test_long_way_is_not_taken():
    graph = Graph()
    for start, end in ["ab", "bc", "cd", "de"]:
        graph.connect(start, end, 3)
    graph.connect("a", "e", 10)
    assert graph.path("a", "e") == (10, ["a", "e"])
    assert graph.path("a", "d") == (9, ["a", "b", "c", "d"])


def test_distances():
    graph = Graph()
    graph.connect(1, 2, 7)
    graph.connect(2, 3, 7)
    graph.connect(1, 3, 20)
    assert graph.distances(1)[0] == {1: 0, 2: 7, 3: 14}


def test_negative():
    with pytest.raises(ValueError):
        Graph().connect("a", "b", -1)
