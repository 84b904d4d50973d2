"""A stable priority queue of tasks."""

import heapq


class EmptyQueue(Exception):
    pass


class TaskQueue:
    def __init__(self):
        self._heap = []
        self._counter = 0
        self._removed = set()
        self._live = {}

    def __len__(self):
        return len(self._live)

    def push(self, name, priority=0):
        """Add a task; pushing a known name changes its priority."""
        if name in self._live:
            self.remove(name)
        ticket = self._counter
        self._live[name] = ticket
        heapq.heappush(self._heap, (-priority, ticket, name))

    def remove(self, name):
        if name not in self._live:
            raise KeyError(name)
        self._removed.add((self._live.pop(name), name))

    def pop(self):
        while self._heap:
            _, ticket, name = heapq.heappop(self._heap)
            if (ticket, name) in self._removed:
                self._removed.discard((ticket, name))
                continue
            del self._live[name]
            return name
        raise EmptyQueue

    def drain(self):
        order = []
        while len(self):
            order.append(self.pop())
        return order
