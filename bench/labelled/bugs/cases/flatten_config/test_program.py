import pytest
from program import MissingSetting, flatten, lookup, merge


def test_replace():
    assert merge({"a": 1, "b": 2}, {"b": 3}) == {"a": 1, "b": 3}


def test_nested():
    assert merge({"db": {"host": "x"}}, {"db": {"port": 1}}) == {"db": {"host": "x", "port": 1}}


def test_lists_are_joined():
    assert merge({"paths": ["a"]}, {"paths": ["b", "c"]}) == {"paths": ["a", "b", "c"]}


def test_flatten():
    assert flatten({"a": {"b": {"c": 1}}, "d": 2}) == {"a.b.c": 1, "d": 2}


def test_lookup():
    assert lookup({"a": {"b": 5}}, "a.b") == 5
    with pytest.raises(MissingSetting):
        lookup({"a": 1}, "a.b")
