import pytest
from program import EmptyQueue, TaskQueue


def test_change_of_priority():
    queue = TaskQueue()
    queue.push("a", 5)
    queue.push("b", 3)
    queue.push("a", 1)
    assert queue.drain() == ["b", "a"]
    with pytest.raises(EmptyQueue):
        queue.pop()


def test_same_priority_again_goes_to_the_back():
    queue = TaskQueue()
    queue.push("a")
    queue.push("b")
    queue.push("a")
    assert queue.drain() == ["b", "a"]


def test_many_equal():
    queue = TaskQueue()
    names = [f"t{number}" for number in (5, 3, 9, 1, 12, 7)]
    for name in names:
        queue.push(name, 2)
    assert queue.drain() == names


def test_default_priority():
    queue = TaskQueue()
    queue.push("one", 1)
    queue.push("none")
    queue.push("minus", -1)
    queue.push("zero", 0)
    assert queue.drain() == ["one", "none", "zero", "minus"]
