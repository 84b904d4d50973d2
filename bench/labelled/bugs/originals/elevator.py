"""An elevator that goes on in its direction as long as somebody waits there."""


class Elevator:
    def __init__(self, floors, start=0):
        self.floors = floors
        self.floor = start
        self.direction = 0
        self.requests = set()

    def call(self, floor):
        if not 0 <= floor < self.floors:
            raise ValueError(f"no floor {floor}")
        if floor != self.floor:
            self.requests.add(floor)

    def _above(self):
        return [floor for floor in self.requests if floor > self.floor]

    def _below(self):
        return [floor for floor in self.requests if floor < self.floor]

    def next_stop(self):
        above, below = self._above(), self._below()
        if self.direction >= 0 and above:
            return min(above)
        if below:
            return max(below)
        if above:
            return min(above)
        return None

    def step(self):
        """Go to the next stop and say which floor that is."""
        target = self.next_stop()
        if target is None:
            self.direction = 0
            return None
        self.direction = 1 if target > self.floor else -1
        self.floor = target
        self.requests.discard(target)
        return target

    def run(self):
        stops = []
        while self.requests:
            stops.append(self.step())
        return stops
