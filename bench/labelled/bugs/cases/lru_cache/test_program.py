import pytest
from program import LRUCache


def test_get_and_put():
    cache = LRUCache(2)
    cache.put("a", 1)
    assert cache.get("a") == 1
    assert cache.get("b") is None


def test_counts():
    cache = LRUCache(2)
    cache.put("a", 1)
    cache.get("a")
    cache.get("z")
    assert (cache.hits, cache.misses) == (1, 1)


def test_evicts_least_recent():
    cache = LRUCache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.get("a")
    cache.put("c", 3)
    assert "b" not in cache
    assert cache.keys() == ["a", "c"]


def test_capacity():
    with pytest.raises(ValueError):
        LRUCache(0)
