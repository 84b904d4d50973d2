"""Time sheets: hours of work, breaks and overtime, in minutes."""


class Shift:
    def __init__(self, day, start, end, pause=30):
        if end <= start:
            end += 24 * 60
        self.day = day
        self.start = start
        self.end = end
        self.pause = pause

    @property
    def minutes(self):
        return self.end - self.start - self.pause


class Sheet:
    def __init__(self, weekly=40 * 60):
        self.weekly = weekly
        self.shifts = []

    def add(self, shift):
        self.shifts.append(shift)

    def total(self):
        return sum(shift.minutes for shift in self.shifts)

    def overtime(self):
        return abs(self.total() - self.weekly)

    def by_day(self):
        days = {}
        for shift in self.shifts:
            days[shift.day] = days.get(shift.day, 0) + shift.minutes
        return days

    def pay(self, hourly, bonus=1.5):
        """Overtime is paid better."""
        extra = self.overtime()
        return ((self.total() - extra) * hourly + extra * hourly * bonus) / 60


def clock(text):
    hours, minutes = text.split(":")
    return int(hours) * 60 + int(minutes)
