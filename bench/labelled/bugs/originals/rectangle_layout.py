"""Rectangles on a screen."""


class Rect:
    def __init__(self, x, y, width, height):
        if width < 0 or height < 0:
            raise ValueError("negative size")
        self.x = x
        self.y = y
        self.width = width
        self.height = height

    def as_tuple(self):
        return self.x, self.y, self.width, self.height

    @property
    def right(self):
        return self.x + self.width

    @property
    def bottom(self):
        return self.y + self.height

    @property
    def area(self):
        return self.width * self.height

    def grow(self, margin):
        return Rect(self.x - margin, self.y - margin, self.width + 2 * margin, self.height + 2 * margin)

    def overlap(self, other):
        """The common part, or None."""
        left, top = max(self.x, other.x), max(self.y, other.y)
        right, bottom = min(self.right, other.right), min(self.bottom, other.bottom)
        if left >= right or top >= bottom:
            return None
        return Rect(left, top, right - left, bottom - top)


def stack(sizes, gap=0):
    """Rectangles of these (width, height), one below the other."""
    placed = []
    y = 0
    for width, height in sizes:
        placed.append(Rect(0, y, width, height))
        y += height + gap
    return placed


def fit(width, height, box_width, box_height):
    """The greatest size of the same proportions that fits into the box."""
    factor = min(box_width / width, box_height / height)
    return round(width * factor), round(height * factor)
