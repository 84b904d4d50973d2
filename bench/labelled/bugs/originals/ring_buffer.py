"""A buffer of fixed size that forgets the oldest entries."""


class RingBuffer:
    def __init__(self, size):
        if size < 1:
            raise ValueError("size must be positive")
        self._slots = [None] * size
        self._next = 0
        self._count = 0

    @property
    def size(self):
        return len(self._slots)

    def __len__(self):
        return self._count

    def push(self, value):
        self._slots[self._next] = value
        self._next = (self._next + 1) % self.size
        self._count = min(self._count + 1, self.size)

    def __getitem__(self, index):
        """The entry by age: 0 is the oldest, -1 the newest."""
        if index < 0:
            index += self._count
        if not 0 <= index < self._count:
            raise IndexError(index)
        first = (self._next - self._count) % self.size
        return self._slots[(first + index) % self.size]

    def to_list(self):
        return [self[index] for index in range(self._count)]

    def average(self):
        if not self._count:
            return None
        return sum(self.to_list()) / self._count
