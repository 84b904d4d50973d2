from program import TTLCache


class FakeClock:
    now = 0

    def __call__(self):
        return self.now


def test_purge_at_the_end():
    clock = FakeClock()
    cache = TTLCache(5, clock)
    cache.set("a", 1)
    cache.set("b", 2, ttl=6)
    cache.set("c", 3, ttl=4)
    clock.now = 5
    assert cache.purge() == 2
    assert cache.get("b") == 2


def test_no_lifetime_at_all():
    cache = TTLCache(5, FakeClock())
    cache.set("a", 1, ttl=0)
    assert cache.get("a") is None


def test_none_is_a_value():
    cache = TTLCache(5, FakeClock())
    cache.set("a", None)
    assert cache.get_or_make("a", lambda: 1) is None


def test_short_lifetime():
    clock = FakeClock()
    cache = TTLCache(1, clock)
    cache.set("a", 1)
    assert cache.get("a") == 1
    clock.now = 1
    assert cache.get("a") is None
