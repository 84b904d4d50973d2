import pytest
from program import LockedError, Store


def test_load_and_dump():
    store = Store()
    store.load("b = 2\n\na=1")
    assert store.dump() == "a=1\nb=2"


def test_bad_lines():
    store = Store()
    store.load("a=1\nnonsense\nb=x\nc=1=2")
    assert store.bad_lines == [2, 3, 4]


def test_increase_known():
    store = Store()
    store.set("n", 4)
    assert store.increase("n", 2) == 6


def test_increase_unknown():
    assert Store().increase("n") == 1


def test_locked():
    store = Store()
    store.locked.add("n")
    with pytest.raises(LockedError):
        store.set("n", 1)
    assert store.update({"n": 1, "m": 2}) == ["n"]
