import pytest
from program import Graph, NoPath


def city():
    graph = Graph()
    graph.connect("a", "b", 4)
    graph.connect("a", "c", 1)
    graph.connect("c", "b", 2)
    return graph


def test_direct():
    assert city().path("a", "c") == (1, ["a", "c"])


def test_detour_is_shorter():
    assert city().path("a", "b") == (3, ["a", "c", "b"])


def test_to_itself():
    assert city().path("a", "a") == (0, ["a"])


def test_no_path():
    graph = city()
    graph.connect("x", "y", 1)
    with pytest.raises(NoPath):
        graph.path("a", "x")


def test_one_way():
    graph = Graph()
    graph.connect("a", "b", 5, both=False)
    assert graph.path("a", "b")[0] == 5
    with pytest.raises(NoPath):
        graph.path("b", "a")
