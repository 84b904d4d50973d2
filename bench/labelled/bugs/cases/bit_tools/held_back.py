import pytest
import program
from program import Permissions, clear_bit, rotate_left


@pytest.mark.parametrize("number", [0, 1, 5, 8, 170, 255])
def test_clear_is_clear(number):
    for position in range(8):
        assert clear_bit(number, position) >> position & 1 == 0
        assert clear_bit(number, position) | (1 << position) == number | (1 << position)


def test_revoke_what_was_never_granted():
    permissions = Permissions(0b001)
    permissions.revoke("execute")
    assert permissions.names() == ["read"]


def test_rotate_whole():
    assert rotate_left(0b1001, 8) == 0b1001


def test_powers():
    assert [n for n in range(-2, 20) if program.is_power_of_two(n)] == [1, 2, 4, 8, 16]
    assert program.get_bits(0xABCD, 4, 8) == 0xBC
