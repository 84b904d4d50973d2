import pytest
from program import RingBuffer


def filled(size, count):
    buffer = RingBuffer(size)
    for number in range(count):
        buffer.push(number)
    return buffer


def test_full():
    assert filled(3, 5).to_list() == [2, 3, 4]


def test_partly_filled():
    assert filled(5, 2).to_list() == [0, 1]


def test_empty():
    assert filled(2, 0).to_list() == []
    assert filled(2, 0).average() is None


def test_bounds():
    with pytest.raises(IndexError):
        filled(3, 2)[2]
    with pytest.raises(ValueError):
        RingBuffer(0)


def test_newest():
    assert filled(3, 7)[-1] == 6
    assert len(filled(3, 7)) == 3
