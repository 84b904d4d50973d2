"""Descriptive statistics."""

import math


class NoData(ValueError):
    pass


def _checked(values):
    values = list(values)
    if not values:
        raise NoData("no values")
    return values


def mean(values):
    values = _checked(values)
    return sum(values) / len(values)


def geometric_mean(values):
    values = _checked(values)
    product = 0
    for value in values:
        product *= value
    return product ** (1 / len(values))


def median(values):
    ordered = sorted(_checked(values))
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2


def deviation(values):
    values = _checked(values)
    centre = mean(values)
    return math.sqrt(sum((value - centre) ** 2 for value in values) / len(values))


def mode(values):
    """The most frequent value; the smallest of several."""
    counts = {}
    for value in _checked(values):
        counts[value] = counts.get(value, 0) + 1
    most = max(counts.values())
    return min(value for value, count in counts.items() if count == most)
