"""Bits and flags."""


def popcount(number):
    if number < 0:
        raise ValueError("negative")
    count = 0
    while number:
        number &= number - 1
        count += 1
    return count


def set_bit(number, position):
    return number | (1 << position)


def clear_bit(number, position):
    return number ^ (1 << position)


def get_bits(number, low, width):
    return (number >> low) & ((1 << width) - 1)


def rotate_left(number, amount, width=8):
    amount %= width
    mask = (1 << width) - 1
    return ((number << amount) | (number >> (width - amount))) & mask


def is_power_of_two(number):
    return number > 0 and number & (number - 1) == 0


class Permissions:
    NAMES = ["read", "write", "execute"]

    def __init__(self, value=0):
        self.value = value

    def grant(self, name):
        self.value = set_bit(self.value, self.NAMES.index(name))

    def revoke(self, name):
        self.value = clear_bit(self.value, self.NAMES.index(name))

    def names(self):
        return [name for index, name in enumerate(self.NAMES) if self.value >> index & 1]
