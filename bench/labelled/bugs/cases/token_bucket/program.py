"""A token bucket that limits how often something may happen."""


class TokenBucket:
    def __init__(self, rate, capacity, now=0.0):
        if rate <= 0 or capacity <= 0:
            raise ValueError("rate and capacity must be positive")
        self.rate = rate
        self.capacity = capacity
        self.tokens = capacity
        self.updated = now

    def _refill(self, now):
        elapsed = now - self.updated
        if elapsed < 0:
            raise ValueError("time runs backwards")
        self.tokens = min(self.capacity, self.tokens + elapsed * self.rate)

    def allow(self, now, cost=1):
        self._refill(now)
        if self.tokens < cost:
            return False
        self.tokens -= cost
        return True

    def wait_time(self, now, cost=1):
        """Seconds until the cost can be paid."""
        self._refill(now)
        missing = cost - self.tokens
        if missing <= 0:
            return 0.0
        return missing / self.rate


class Limiter:
    """One bucket per client."""

    def __init__(self, rate, capacity):
        self.rate = rate
        self.capacity = capacity
        self.buckets = {}

    def allow(self, client, now):
        bucket = self.buckets.get(client)
        if bucket is None:
            bucket = self.buckets[client] = TokenBucket(self.rate, self.capacity, now)
        return bucket.allow(now)
