"""Call something again until it works."""


class GaveUp(Exception):
    def __init__(self, attempts, last):
        super().__init__(f"gave up after {attempts} attempts: {last}")
        self.attempts = attempts
        self.last = last


def delay_before(attempt, base=1.0, cap=60.0):
    """Seconds to wait before the attempt of this number; the first attempt does not wait."""
    if attempt <= 1:
        return 0.0
    return min(cap, base * 2 ** (attempt - 2))


def retry(action, attempts=3, base=1.0, cap=60.0, sleep=None, only=Exception):
    if attempts < 1:
        raise ValueError("attempts must be positive")
    last = None
    for attempt in range(1, attempts + 1):
        wait = delay_before(attempt, base, cap)
        if wait and sleep is not None:
            sleep(wait)
        try:
            return action()
        except only as error:
            last = error
    raise GaveUp(attempts, last)


def schedule(attempts, base=1.0, cap=60.0):
    return [delay_before(number, base, cap) for number in range(1, attempts + 1)]
