"""Searching in sorted lists."""


def find(values, wanted, low=0, high=None):
    """The index of the value, or -1."""
    if high is None:
        high = len(values)
    if low >= high:
        return -1
    middle = (low + high) // 2
    if values[middle] == wanted:
        return middle
    if values[middle] < wanted:
        find(values, wanted, middle + 1, high)
    return find(values, wanted, low, middle)


def lower_bound(values, wanted):
    """The first index at which the value could be inserted."""
    low, high = 0, len(values)
    while low < high:
        middle = (low + high) // 2
        if values[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


def insert(values, value):
    values.insert(lower_bound(values, value), value)


def nearest(values, wanted):
    """The entry that is nearest; the smaller one of two."""
    if not values:
        raise ValueError("no values")
    at = lower_bound(values, wanted)
    around = values[max(0, at - 1):at + 1]
    return min(around, key=lambda value: (abs(value - wanted), value))
