"""Collect events and ask about them."""


class Event:
    def __init__(self, at, level, text):
        self.at = at
        self.level = level
        self.text = text

    def __repr__(self):
        return f"<{self.level} {self.text!r} at {self.at}>"


LEVELS = ["debug", "info", "warning", "error"]


class EventLog:
    def __init__(self, events=None, minimum="debug"):
        self.events = list(events) if events is not None else []
        self.minimum = minimum

    def record(self, at, level, text):
        if level not in LEVELS:
            raise ValueError(f"unknown level: {level}")
        if LEVELS.index(level) < LEVELS.index(self.minimum):
            return None
        event = Event(at, level, text)
        self.events.append(event)
        return event

    def between(self, start, end):
        return [event for event in self.events if start <= event.at < end]

    def count(self):
        counts = dict.fromkeys(LEVELS, 0)
        for event in self.events:
            counts[event.level] += 1
        return counts

    def worst(self):
        if not self.events:
            return None
        return max(self.events, key=lambda event: LEVELS.index(event.level)).level
