import program
from program import merge


def test_nested_lists():
    assert merge({"x": {"y": [1]}}, {"x": {"y": [2, 3]}}) == {"x": {"y": [1, 2, 3]}}


def test_inputs_are_left_alone():
    base = {"l": [1]}
    merge(base, {"l": [2]})
    assert base == {"l": [1]}


def test_empty_lists():
    assert merge({"l": []}, {"l": ["a"]}) == {"l": ["a"]}
    assert merge({"l": ["a"]}, {"l": []}) == {"l": ["a"]}


def test_lists_of_lists():
    assert merge({"l": [[1]]}, {"l": [[2]]}) == {"l": [[1], [2]]}


def test_kinds_that_differ_are_replaced():
    assert program.merge({"a": {"b": 1}}, {"a": 2}) == {"a": 2}
    assert program.merge({"a": 2}, {"a": {"b": 1}}) == {"a": {"b": 1}}
    assert program.merge({"a": [1]}, {"a": 2}) == {"a": 2}
    assert program.merge({"a": 2}, {"a": [1]}) == {"a": [1]}
    for path in ("x", "a.x", "a.b.x"):
        try:
            program.lookup({"a": {"b": 1}}, path)
        except program.MissingSetting:
            continue
        raise AssertionError(path)
