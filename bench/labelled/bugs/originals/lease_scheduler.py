"""Book rooms for meetings; times are minutes since midnight."""


class Conflict(Exception):
    pass


def minutes(text):
    hours, _, rest = text.partition(":")
    value = int(hours) * 60 + int(rest)
    if not 0 <= value <= 24 * 60:
        raise ValueError(f"no time of the day: {text}")
    return value


def overlap(first, second):
    return first[0] < second[1] and second[0] < first[1]


class Room:
    def __init__(self, name):
        self.name = name
        self.bookings = []

    def is_free(self, slot):
        return not any(overlap(slot, other) for other in self.bookings)

    def book(self, start, end):
        slot = (minutes(start), minutes(end))
        if slot[0] >= slot[1]:
            raise ValueError("a meeting needs some time")
        if not self.is_free(slot):
            raise Conflict(f"{self.name} is taken")
        self.bookings.append(slot)
        self.bookings.sort()


def book_any(rooms, start, end):
    """The name of the first room that has room."""
    for room in rooms:
        try:
            room.book(start, end)
        except Conflict:
            continue
        return room.name
    raise Conflict("all rooms are taken")
