"""Seats of a theatre, such as 'C7'."""

import string


class SeatTaken(Exception):
    pass


class Hall:
    def __init__(self, rows, columns):
        if not 1 <= rows <= 26 or columns < 1:
            raise ValueError("no such hall")
        self.rows = rows
        self.columns = columns
        self.taken = set()

    def locate(self, name):
        """Row and column, counted from zero."""
        row = string.ascii_uppercase.find(name[:1].upper())
        column = int(name[1:]) - 1
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            raise ValueError(f"no seat {name}")
        return row, column

    def name(self, row, column):
        return f"{string.ascii_uppercase[row]}{column}"

    def book(self, *names):
        seats = {self.locate(name) for name in names}
        if seats & self.taken:
            raise SeatTaken(", ".join(sorted(self.name(*seat) for seat in seats & self.taken)))
        self.taken |= seats

    def free_in_row(self, row):
        return [self.name(row, column) for column in range(self.columns) if (row, column) not in self.taken]

    def find_together(self, count):
        """The first so many neighbours in the front-most row, or nothing."""
        for row in range(self.rows):
            for start in range(self.columns - count + 1):
                block = [(row, start + offset) for offset in range(count)]
                if not self.taken.intersection(block):
                    return [self.name(*seat) for seat in block]
        return []
