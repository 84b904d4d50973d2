import pytest
from program import day_of_year, days_between, days_in_month, is_leap, weekday


def test_leap_years():
    assert is_leap(2024)
    assert is_leap(2000)
    assert not is_leap(2023)


def test_century_is_not_leap():
    assert not is_leap(1900)
    assert days_in_month(1900, 2) == 28


def test_months():
    assert days_in_month(2024, 2) == 29
    assert days_in_month(2024, 4) == 30
    with pytest.raises(ValueError):
        days_in_month(2024, 13)


def test_day_of_year():
    assert day_of_year(2024, 12, 31) == 366


def test_between_and_weekday():
    assert days_between((2023, 12, 31), (2024, 3, 1)) == 61
    assert weekday(2026, 11, 15) == "Sun"
