import pytest
from program import format_ranges, parse


def test_open_end():
    assert parse("97-") == [97, 98, 99, 100]
    assert parse("3-", last=3) == [3]


def test_one_long():
    assert parse("5-5") == [5]


@pytest.mark.parametrize("text", ["1-3", "1,3,5", "1-2,4-9,11", "7"])
def test_round_trip(text):
    assert format_ranges(parse(text)) == text
