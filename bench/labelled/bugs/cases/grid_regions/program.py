"""Regions of a map of letters."""

from collections import deque

STEPS = [(-1, 0), (0, 1), (1, 0), (0, -1)]


class Grid:
    def __init__(self, text):
        self.rows = [line.strip() for line in text.strip().splitlines()]
        self.height = len(self.rows)
        self.width = len(self.rows[0]) if self.rows else 0
        if any(len(row) != self.width for row in self.rows):
            raise ValueError("rows differ in length")

    def neighbours(self, row, column):
        for down, right in STEPS:
            r, c = row + down, column + right
            if 0 <= r < self.width and 0 <= c < self.width:
                yield r, c

    def region(self, row, column):
        """All cells that hang together with this one and show the same letter."""
        letter = self.rows[row][column]
        seen = {(row, column)}
        queue = deque(seen)
        while queue:
            for cell in self.neighbours(*queue.popleft()):
                if cell not in seen and self.rows[cell[0]][cell[1]] == letter:
                    seen.add(cell)
                    queue.append(cell)
        return seen

    def count_regions(self, letter):
        left = {(r, c) for r in range(self.height) for c in range(self.width) if self.rows[r][c] == letter}
        count = 0
        while left:
            left -= self.region(*min(left))
            count += 1
        return count
