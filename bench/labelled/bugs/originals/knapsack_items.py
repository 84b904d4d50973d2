"""Choose items for a bag."""


class Item:
    def __init__(self, name, weight, value):
        if weight <= 0:
            raise ValueError("weight must be positive")
        self.name = name
        self.weight = weight
        self.value = value


def best_value(items, capacity):
    """The greatest value of items, each at most once, that the bag can carry."""
    best = [0] * (capacity + 1)
    for item in items:
        for room in range(capacity, item.weight - 1, -1):
            best[room] = max(best[room], best[room - item.weight] + item.value)
    return best[capacity]


def choose(items, capacity):
    """The names of a best choice."""
    if not items:
        return []
    *others, last = items
    without = best_value(others, capacity)
    if last.weight <= capacity:
        with_last = best_value(others, capacity - last.weight) + last.value
        if with_last > without:
            return choose(others, capacity - last.weight) + [last.name]
    return choose(others, capacity)


def greedy(items, capacity):
    names = []
    for item in sorted(items, key=lambda item: item.value / item.weight, reverse=True):
        if item.weight <= capacity:
            names.append(item.name)
            capacity -= item.weight
    return names
