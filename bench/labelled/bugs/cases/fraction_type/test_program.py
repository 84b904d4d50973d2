import pytest
from program import Fraction, gcd


def test_gcd():
    assert gcd(12, 18) == 6
    assert gcd(-4, 6) == 2


def test_reduces():
    assert str(Fraction(6, 8)) == "3/4"
    assert str(Fraction(8, 4)) == "2"


def test_sign_is_above():
    assert str(Fraction(1, -2)) == "-1/2"


def test_arithmetic():
    assert Fraction(1, 2) + Fraction(1, 3) == Fraction(5, 6)
    assert Fraction(1, 2) - Fraction(1, 2) == Fraction(0)
    assert Fraction(2, 3) * Fraction(3, 4) == Fraction(1, 2)


def test_zero_below():
    with pytest.raises(ZeroDivisionError):
        Fraction(1, 0)
