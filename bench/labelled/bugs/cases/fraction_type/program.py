"""Exact fractions."""


def gcd(a, b):
    while b:
        a, b = b, a % b
    return abs(a)


class Fraction:
    def __init__(self, top, bottom=1):
        if bottom == 0:
            raise ZeroDivisionError("no fraction has zero below")
        divisor = gcd(top, bottom)
        self.top = top // divisor
        self.bottom = bottom // divisor

    def __eq__(self, other):
        return (self.top, self.bottom) == (other.top, other.bottom)

    def __hash__(self):
        return hash((self.top, self.bottom))

    def __lt__(self, other):
        return self.top * other.bottom < other.top * self.bottom

    def __add__(self, other):
        return Fraction(self.top * other.bottom + other.top * self.bottom, self.bottom * other.bottom)

    def __sub__(self, other):
        return self + Fraction(-other.top, other.bottom)

    def __mul__(self, other):
        return Fraction(self.top * other.top, self.bottom * other.bottom)

    def __truediv__(self, other):
        return Fraction(self.top * other.bottom, self.bottom * other.top)

    def __str__(self):
        return str(self.top) if self.bottom == 1 else f"{self.top}/{self.bottom}"
