import pytest
from program import CycleError, has_cycle, order


def test_self_cycle():
    assert has_cycle({"a": ["a"]})


def test_cycle_behind_a_good_part():
    graph = {"b": ["a"], "c": ["b", "e"], "d": ["c"], "e": ["d"]}
    with pytest.raises(CycleError):
        order(graph)


def test_empty_and_single():
    assert order({}) == []
    assert order({"x": []}) == ["x"]
    assert not has_cycle({})
