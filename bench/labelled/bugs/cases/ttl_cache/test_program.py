import pytest
from program import TTLCache


class FakeClock:
    now = 0

    def __call__(self):
        return self.now


def make(ttl=10):
    clock = FakeClock()
    return TTLCache(ttl, clock), clock


def test_fresh():
    cache, clock = make()
    cache.set("a", 1)
    clock.now = 9
    assert cache.get("a") == 1


def test_at_the_end():
    cache, clock = make()
    cache.set("a", 1)
    clock.now = 10
    assert cache.get("a") is None


def test_long_after():
    cache, clock = make()
    cache.set("a", 1)
    clock.now = 50
    assert cache.get("a", "gone") == "gone"
    assert len(cache) == 0


def test_get_or_make():
    cache, clock = make()
    assert cache.get_or_make("k", lambda: 1) == 1
    assert cache.get_or_make("k", lambda: 2) == 1
    clock.now = 11
    assert cache.get_or_make("k", lambda: 3) == 3


def test_bad_ttl():
    with pytest.raises(ValueError):
        TTLCache(0, FakeClock())
