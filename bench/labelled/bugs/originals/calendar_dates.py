"""Dates of the Gregorian calendar without the standard library."""

DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]


def is_leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def days_in_month(year, month):
    if not 1 <= month <= 12:
        raise ValueError(f"no month {month}")
    if month == 2 and is_leap(year):
        return 29
    return DAYS[month - 1]


def day_of_year(year, month, day):
    if not 1 <= day <= days_in_month(year, month):
        raise ValueError(f"no day {day}")
    return sum(days_in_month(year, m) for m in range(1, month)) + day


def ordinal(year, month, day):
    """Days since the beginning of year 1, which is day 1."""
    before = year - 1
    return before * 365 + before // 4 - before // 100 + before // 400 + day_of_year(year, month, day)


def days_between(start, end):
    return ordinal(*end) - ordinal(*start)


def weekday(year, month, day):
    return WEEKDAYS[(ordinal(year, month, day) - 1) % 7]
