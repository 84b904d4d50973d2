import pytest
from program import BadCoordinate, distance_km, format_pair, parse


def test_letters():
    assert parse("48.137 N, 11.575 E") == (48.137, 11.575)
    assert parse("10 s, 20w") == (-10, -20)


def test_signs():
    assert parse("1.5, -2.5") == (1.5, -2.5)


def test_brackets():
    assert parse(" (48.1, -11.5) ") == (48.1, -11.5)


def test_bad():
    for text in ["1", "91, 0", "0, 181", "x, y"]:
        with pytest.raises(BadCoordinate):
            parse(text)


def test_format():
    assert format_pair(1, -2.5) == "1.000 N, 2.500 W"


def test_distance():
    assert distance_km((0, 0), (0, 90)) == pytest.approx(10007.5, abs=0.1)
