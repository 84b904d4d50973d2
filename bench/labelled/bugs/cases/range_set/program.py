"""Selections of numbers such as '1-3,7,10-'."""


class BadRange(ValueError):
    pass


def _number(text):
    text = text.strip()
    if not text.isdigit():
        raise BadRange(f"not a number: {text!r}")
    return int(text)


def parse_part(part, last):
    """All numbers of one part; an open end goes up to the last number there is."""
    start, dash, end = part.partition("-")
    if not dash:
        return [_number(start)]
    low = _number(start)
    high = _number(end) if end.strip() else last
    if low > high:
        raise BadRange(f"runs backwards: {part}")
    return list(range(low, high))


def parse(text, last=100):
    numbers = []
    for part in text.split(","):
        if part.strip():
            numbers += parse_part(part, last)
    return sorted(set(numbers))


def format_ranges(numbers):
    groups = []
    for number in sorted(set(numbers)):
        if groups and number == groups[-1][1] + 1:
            groups[-1][1] = number
        else:
            groups.append([number, number])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in groups)
