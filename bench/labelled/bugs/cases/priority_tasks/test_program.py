import pytest
from program import EmptyQueue, TaskQueue


def test_high_priority_first():
    queue = TaskQueue()
    queue.push("low", 1)
    queue.push("high", 9)
    assert queue.pop() == "high"


def test_equal_in_order():
    queue = TaskQueue()
    for name in ["write", "read", "think"]:
        queue.push(name)
    assert queue.drain() == ["write", "read", "think"]


def test_remove():
    queue = TaskQueue()
    queue.push("a")
    queue.push("b")
    queue.remove("a")
    assert queue.drain() == ["b"]
    with pytest.raises(KeyError):
        queue.remove("a")


def test_empty():
    with pytest.raises(EmptyQueue):
        TaskQueue().pop()


def test_length():
    queue = TaskQueue()
    queue.push("a")
    assert len(queue) == 1
