"""Sets of half-open intervals."""


def normalise(intervals):
    """Sorted, disjoint intervals that cover the same points."""
    merged = []
    for start, end in sorted(intervals):
        if start >= end:
            continue
        if merged and start <= merged[-1][1]:
            last_start, last_end = merged[-1]
            merged[-1] = (last_start, max(last_end, end))
        else:
            merged.append((start, end))
    return merged


def total_length(intervals):
    return sum(end - start for start, end in normalise(intervals))


def contains(intervals, point):
    return any(start <= point < end for start, end in intervals)


def gaps(intervals):
    """The holes between the intervals."""
    merged = normalise(intervals)
    return [(left[1], right[0]) for left, right in zip(merged, merged[1:])]


def intersect(first, second):
    result = []
    for a_start, a_end in normalise(first):
        for b_start, b_end in normalise(second):
            start = max(a_start, b_start)
            end = min(a_end, b_end)
            if start < end:
                result.append((start, end))
    return result
