"""A cache whose entries grow stale."""


class TTLCache:
    def __init__(self, ttl, clock):
        if ttl <= 0:
            raise ValueError("ttl must be positive")
        self.ttl = ttl
        self.clock = clock
        self._entries = {}

    def set(self, key, value, ttl=None):
        lifetime = self.ttl if ttl is None else ttl
        self._entries[key] = (value, self.clock() + lifetime)

    def _expired(self, key):
        """From the end of its lifetime on, an entry is gone."""
        return self.clock() > self._entries[key][1]

    def get(self, key, default=None):
        if key not in self._entries:
            return default
        if self._expired(key):
            del self._entries[key]
            return default
        return self._entries[key][0]

    def get_or_make(self, key, make):
        missing = object()
        value = self.get(key, missing)
        if value is missing:
            value = make()
            self.set(key, value)
        return value

    def purge(self):
        stale = [key for key in self._entries if self._expired(key)]
        for key in stale:
            del self._entries[key]
        return len(stale)

    def __len__(self):
        return len(self._entries)
