import pytest
from program import MissingField, UnknownFilter, fields, fill, fill_all


def test_fill():
    assert fill("Hi {name}, {n}!", {"name": "Ada", "n": 3}) == "Hi Ada, 3!"


def test_default_and_filter():
    assert fill("{name|you}", {}) == "you"
    assert fill("{name.upper}", {"name": "ada"}) == "ADA"


def test_missing():
    with pytest.raises(MissingField):
        fill("{name}", {})


def test_unknown_filter():
    with pytest.raises(UnknownFilter):
        fill("{name.loud}", {"name": "x"})


def test_fields():
    assert fields("{a} {b.upper|x}") == ["a", "b"]


def test_rows():
    assert fill_all("{a}", [{"a": 1}, {"a": 2}]) == ["1", "2"]
