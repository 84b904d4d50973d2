from program import LRUCache


def test_long_run():
    cache = LRUCache(3)
    for number in range(10):
        cache.put(number, number)
    assert cache.keys() == [7, 8, 9]
    assert len(cache) == 3


def test_overwrite_refreshes():
    cache = LRUCache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.put("a", 3)
    cache.put("c", 4)
    assert cache.keys() == ["a", "c"]
    assert cache.get("a") == 3


def test_evict_names_the_key():
    cache = LRUCache(3)
    for key in "xyz":
        cache.put(key, key)
    assert cache.evict() == "x"


def test_capacity_one():
    cache = LRUCache(1)
    cache.put("a", 1)
    cache.put("b", 2)
    assert cache.keys() == ["b"]
