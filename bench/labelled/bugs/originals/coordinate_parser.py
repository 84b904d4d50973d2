"""Coordinates such as '48.137 N, 11.575 E' or '(48.1, -11.5)'."""

import math


class BadCoordinate(ValueError):
    pass


def parse_one(text, positive, negative, limit):
    text = text.strip().upper()
    sign = 1
    if text.endswith(negative):
        sign = -1
    text = text.rstrip(positive + negative).strip()
    try:
        value = sign * float(text)
    except ValueError:
        raise BadCoordinate(text) from None
    if abs(value) > limit:
        raise BadCoordinate(f"{value} is beyond {limit}")
    return value


def parse(text):
    """Latitude and longitude."""
    text = text.strip().strip("()")
    parts = text.split(",")
    if len(parts) != 2:
        raise BadCoordinate(text)
    return parse_one(parts[0], "N", "S", 90), parse_one(parts[1], "E", "W", 180)


def format_one(value, positive, negative):
    letter = positive if value >= 0 else negative
    return f"{abs(value):.3f} {letter}"


def format_pair(latitude, longitude):
    return f"{format_one(latitude, 'N', 'S')}, {format_one(longitude, 'E', 'W')}"


def distance_km(first, second):
    lat1, lon1, lat2, lon2 = map(math.radians, (*first, *second))
    half = math.sin((lat2 - lat1) / 2) ** 2 + math.cos(lat1) * math.cos(lat2) * math.sin((lon2 - lon1) / 2) ** 2
    return 2 * 6371 * math.asin(math.sqrt(half))
