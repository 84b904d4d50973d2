import pytest
from program import BadRange, format_ranges, parse


def test_single():
    assert parse("3, 1,3") == [1, 3]


def test_range():
    assert parse("2-4,9") == [2, 3, 4, 9]


def test_bad():
    for text in ["a", "4-2", "-3", "1-x"]:
        with pytest.raises(BadRange):
            parse(text)


def test_format():
    assert format_ranges([1, 2, 3, 7, 9, 10]) == "1-3,7,9-10"
    assert format_ranges([]) == ""


def test_nothing():
    assert parse(" , ") == []
