import pytest
from program import LockedError, Store


def test_count_from_nothing():
    store = Store()
    for word in "a b a c a b".split():
        store.increase(word)
    assert store.data == {"a": 3, "b": 2, "c": 1}


def test_first_step():
    assert Store().increase("x", 7) == 7


def test_locked_is_not_increased():
    store = Store()
    store.locked.add("n")
    with pytest.raises(LockedError):
        store.increase("n")
    assert store.data == {}
