import pytest
import program
from program import BadCoordinate, format_pair, parse


def test_brackets_with_letters():
    assert parse("(1 S, 2 W)") == (-1, -2)
    assert parse("(1 S,2)") == (-1, 2)


def test_round_trip():
    assert parse(f"({format_pair(-12.5, 33.25)})") == (-12.5, 33.25)


def test_too_many():
    with pytest.raises(BadCoordinate):
        parse("(1, 2, 3)")


def test_limits_and_distance():
    assert program.parse("90 S, 180 E") == (-90, 180)
    assert program.distance_km((0, 0), (90, 0)) == pytest.approx(10007.5, abs=0.1)
    assert program.distance_km((52.52, 13.405), (48.137, 11.575)) == pytest.approx(504, abs=2)
