import pytest
from program import UnitError, convert, parse


def test_km_to_m():
    assert convert(2, "km", "m") == pytest.approx(2000)


def test_same_unit():
    assert convert(5, "kg", "kg") == pytest.approx(5)


def test_temperature():
    assert convert(100, "C", "F") == 212
    assert convert(32, "F", "C") == 0


def test_different_dimensions():
    with pytest.raises(UnitError):
        convert(1, "kg", "m")
    with pytest.raises(UnitError):
        convert(1, "parsec", "m")


def test_parse():
    assert parse(" 12.5 km ") == (12.5, "km")
