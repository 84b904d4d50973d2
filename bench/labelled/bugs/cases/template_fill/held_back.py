import pytest
from program import MissingField, fill, fill_all


def test_rows_with_holes():
    assert fill_all("{a}-{b}", [{"a": 1}, {"a": 1, "b": 2}, {}]) == ["1-2"]


def test_missing_names_the_field():
    with pytest.raises(MissingField) as caught:
        fill("{a} {colour}", {"a": 1})
    assert caught.value.args == ("colour",)


def test_empty_default():
    assert fill("[{x|}]", {}) == "[]"
