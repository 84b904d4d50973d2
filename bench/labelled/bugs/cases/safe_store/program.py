"""A store of numbers kept as lines of text."""


class StoreError(Exception):
    pass


class LockedError(StoreError):
    pass


class Store:
    def __init__(self):
        self.data = {}
        self.locked = set()
        self.bad_lines = []

    def load(self, text):
        """Read 'key=number' lines; what cannot be read is remembered by its line number."""
        for number, line in enumerate(text.splitlines(), start=1):
            if not line.strip():
                continue
            try:
                key, value = line.split("=")
                self.data[key.strip()] = int(value)
            except ValueError:
                self.bad_lines.append(number)

    def dump(self):
        return "\n".join(f"{key}={value}" for key, value in sorted(self.data.items()))

    def set(self, key, value):
        if key in self.locked:
            raise LockedError(key)
        self.data[key] = value

    def increase(self, key, by=1):
        try:
            self.set(key, self.data[key] + by)
        except IndexError:
            self.set(key, by)
        return self.data[key]

    def update(self, values):
        """Set many; keys that are locked are given back."""
        refused = []
        for key, value in values.items():
            try:
                self.set(key, value)
            except LockedError:
                refused.append(key)
        return refused
