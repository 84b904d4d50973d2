"""Names and values of spreadsheet cells."""

import re

CELL = re.compile(r"^([A-Z]+)([1-9]\d*)$")


class CellError(ValueError):
    pass


def column_number(letters):
    """A is 1, Z is 26, AA is 27."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def column_name(number):
    letters = ""
    while number > 0:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def parse(name):
    match = CELL.match(name.upper())
    if match is None:
        raise CellError(name)
    return column_number(match.group(1)), int(match.group(2))


def expand(area):
    """'A1:B2' as all names, row by row."""
    start, _, end = area.partition(":")
    (left, top), (right, bottom) = parse(start), parse(end or start)
    return [column_name(c) + str(r) for r in range(top, bottom + 1) for c in range(left, right + 1)]


def total(cells, area):
    return sum(cells.get(name, 0) for name in expand(area))
