import pytest
from program import Permissions, clear_bit, get_bits, is_power_of_two, popcount, rotate_left, set_bit


def test_popcount():
    assert popcount(0b1011) == 3
    with pytest.raises(ValueError):
        popcount(-1)


def test_set_and_clear():
    assert set_bit(0b100, 0) == 0b101
    assert clear_bit(0b101, 0) == 0b100


def test_clear_twice():
    assert clear_bit(clear_bit(0b11, 1), 1) == 0b01


def test_get_bits():
    assert get_bits(0b110100, 2, 3) == 0b101


def test_rotate():
    assert rotate_left(0b10000001, 1) == 0b00000011


def test_power():
    assert is_power_of_two(64)
    assert not is_power_of_two(0)
    assert not is_power_of_two(6)


def test_grant():
    permissions = Permissions()
    permissions.grant("write")
    assert permissions.names() == ["write"]
