import datetime

import pytest
import program
from program import day_of_year, is_leap, weekday


@pytest.mark.parametrize("year", [1700, 1800, 2100, 2200, 2019])
def test_no_leap(year):
    assert not is_leap(year)


@pytest.mark.parametrize("year", [1600, 2400, 1996, 2020])
def test_leap(year):
    assert is_leap(year)


@pytest.mark.parametrize("date", [(2100, 3, 1), (1900, 12, 31), (2000, 2, 29), (1970, 1, 1)])
def test_agrees_with_the_library(date):
    real = datetime.date(*date)
    assert day_of_year(*date) == real.timetuple().tm_yday
    assert weekday(*date) == real.strftime("%a")


def test_every_month_of_two_years():
    import calendar

    for year in (2023, 2024):
        for month in range(1, 13):
            assert program.days_in_month(year, month) == calendar.monthrange(year, month)[1]
    for month in (0, 13):
        with pytest.raises(ValueError):
            program.days_in_month(2024, month)
    for day in (0, 32):
        with pytest.raises(ValueError):
            program.day_of_year(2024, 1, day)
