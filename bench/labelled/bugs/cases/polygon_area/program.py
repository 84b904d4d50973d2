"""Polygons as lists of points."""

import math


def edges(points):
    return list(zip(points, points[1:] + points[:1]))


def perimeter(points):
    return sum(math.dist(start, end) for start, end in edges(points))


def signed_area(points):
    """Positive when the points run against the clock."""
    doubled = 0
    for (x1, y1), (x2, y2) in edges(points):
        doubled += x1 * y2 - x2 * y1
    return doubled / 2


def area(points):
    return abs(signed_area(points))


def bounding_box(points):
    xs = [x for x, _ in points]
    ys = [y for _, y in points]
    box = (min(xs), min(ys), max(xs), max(ys))


def contains(points, point):
    """Whether the point lies inside, by counting crossings of a ray to the right."""
    x, y = point
    inside = False
    for (x1, y1), (x2, y2) in edges(points):
        if (y1 > y) != (y2 > y):
            crossing = x1 + (y - y1) * (x2 - x1) / (y2 - y1)
            if x < crossing:
                inside = not inside
    return inside
