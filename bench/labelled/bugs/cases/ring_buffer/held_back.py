import pytest
from program import RingBuffer


@pytest.mark.parametrize("size", [1, 2, 3, 4, 7])
def test_like_a_list(size):
    buffer, plain = RingBuffer(size), []
    for number in range(20):
        buffer.push(number)
        plain = (plain + [number])[-size:]
        assert buffer.to_list() == plain
        assert buffer[0] == plain[0]
        assert buffer[-1] == number
        assert buffer.average() == sum(plain) / len(plain)


def test_negative_bounds():
    buffer = RingBuffer(3)
    for index in (0, -1):
        with pytest.raises(IndexError):
            buffer[index]
    buffer.push("a")
    with pytest.raises(IndexError):
        buffer[-2]
