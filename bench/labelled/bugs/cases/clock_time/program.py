"""Times of the day."""

MINUTES = 24 * 60


class Clock:
    def __init__(self, hour, minute=0):
        self.total = (hour * 60 + minute) % MINUTES

    @classmethod
    def parse(cls, text):
        """'17:05' or '5:05 pm'."""
        body, _, half = text.strip().lower().partition(" ")
        hour, _, minute = body.partition(":")
        hour, minute = int(hour), int(minute or 0)
        if half:
            if half not in ("am", "pm") or not 1 <= hour <= 12:
                raise ValueError(f"not a time: {text}")
            hour = hour % 12 + (12 if half == "pm" else 0)
        if not (0 <= hour < 24 and 0 <= minute < 60):
            raise ValueError(f"not a time: {text}")
        return cls(hour, minute)

    @property
    def hour(self):
        return self.total // 60

    @property
    def minute(self):
        return self.total % 60

    def __eq__(self, other):
        return self.total == other.total

    def __hash__(self):
        return hash(self.total)

    def __str__(self):
        return f"{self.hour:02d}:{self.minute:02d}"

    def plus(self, minutes):
        return Clock(0, self.total + minutes)

    def until(self, other):
        """Minutes until the next time that the other time is shown."""
        return other.total - self.total % MINUTES
