"""First-fit-decreasing packing."""


class TooLarge(ValueError):
    pass


class Bin:
    def __init__(self, capacity):
        self.capacity = capacity
        self.items = []

    @property
    def used(self):
        return sum(size for _, size in self.items)

    @property
    def free(self):
        return self.capacity - self.used

    def add(self, name, size):
        self.items.append((name, size))


def pack(items, capacity):
    """Bins for a mapping from name to size; big items first, equal ones by name."""
    bins = []
    for name, size in sorted(items.items(), key=lambda item: (item[1], item[0])):
        if size > capacity:
            raise TooLarge(name)
        for candidate in bins:
            if candidate.free >= size:
                candidate.add(name, size)
                break
        else:
            fresh = Bin(capacity)
            fresh.add(name, size)
            bins.append(fresh)
    return bins


def names(bins):
    return [[name for name, _ in each.items] for each in bins]


def waste(bins):
    return sum(each.free for each in bins)
