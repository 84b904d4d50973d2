"""A traffic light as a table of transitions."""

DURATIONS = {"red": 30, "red_amber": 2, "green": 25, "amber": 3, "blinking": None}

TRANSITIONS = {
    ("red", "tick"): "red_amber",
    ("red_amber", "tick"): "green",
    ("green", "tick"): "amber",
    ("amber", "tick"): "red",
    ("blinking", "resume"): "red",
}


class IllegalEvent(Exception):
    pass


class TrafficLight:
    def __init__(self, state="red"):
        self.state = state
        self.log = [state]

    def handle(self, event):
        if event == "fault":
            target = "blinking"
        else:
            target = TRANSITIONS.get((self.state, event))
        if target is None:
            raise IllegalEvent(f"{event} in {self.state}")
        self.state = target
        self.log.append(target)
        return target

    def duration(self):
        return DURATIONS[self.state]

    def run(self, seconds):
        """The state after so many seconds from the beginning of the present one."""
        left = seconds
        while self.duration() is not None and left >= self.duration():
            left -= self.duration()
            self.handle("tick")
        return self.state
