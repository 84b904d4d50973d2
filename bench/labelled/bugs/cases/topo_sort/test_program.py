import pytest
from program import CycleError, has_cycle, order


def test_chain():
    assert order({"c": ["b"], "b": ["a"]}) == ["a", "b", "c"]


def test_independent():
    assert order({"b": [], "a": []}) == ["a", "b"]


def test_diamond():
    assert order({"d": ["b", "c"], "b": ["a"], "c": ["a"]}) == ["a", "b", "c", "d"]


def test_cycle():
    with pytest.raises(CycleError):
        order({"a": ["b"], "b": ["a"]})


def test_has_no_cycle():
    assert not has_cycle({"a": ["b"]})
