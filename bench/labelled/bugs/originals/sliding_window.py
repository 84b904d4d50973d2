"""Statistics over windows of a series."""

from collections import deque


def windows(values, size):
    """All runs of this many neighbours."""
    if size < 1:
        raise ValueError("size must be positive")
    return [values[start:start + size] for start in range(len(values) - size + 1)]


def moving_average(values, size):
    return [sum(window) / size for window in windows(values, size)]


def moving_max(values, size):
    """The greatest of each window, in linear time."""
    result = []
    candidates = deque()
    for index, value in enumerate(values):
        while candidates and values[candidates[-1]] <= value:
            candidates.pop()
        candidates.append(index)
        if candidates[0] <= index - size:
            candidates.popleft()
        if index >= size - 1:
            result.append(values[candidates[0]])
    return result


def longest_below(values, limit):
    """The length of the longest run whose sum is at most the limit; values are not negative."""
    best = start = total = 0
    for end, value in enumerate(values):
        total += value
        while total > limit:
            total -= values[start]
            start += 1
        best = max(best, end - start + 1)
    return best
