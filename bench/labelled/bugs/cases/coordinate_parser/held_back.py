import pytest
from program import BadCoordinate, format_pair, parse


def test_brackets_with_letters():
    assert parse("(1 S, 2 W)") == (-1, -2)
    assert parse("(1 S,2)") == (-1, 2)


def test_round_trip():
    assert parse(f"({format_pair(-12.5, 33.25)})") == (-12.5, 33.25)


def test_too_many():
    with pytest.raises(BadCoordinate):
        parse("(1, 2, 3)")
