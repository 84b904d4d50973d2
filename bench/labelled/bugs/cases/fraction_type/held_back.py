import pytest
from program import Fraction


def test_equal_whatever_the_sign():
    assert Fraction(-3, -4) == Fraction(3, 4)
    assert Fraction(3, -6) == Fraction(-1, 2)
    assert hash(Fraction(1, -3)) == hash(Fraction(-1, 3))
    assert str(Fraction(5, -1)) == "-5"


def test_order():
    assert Fraction(1, -2) < Fraction(1, 3)
    assert not Fraction(1, 3) < Fraction(1, -2)


def test_divide_by_negative():
    assert str(Fraction(1, 2) / Fraction(-1, 3)) == "-3/2"
    with pytest.raises(ZeroDivisionError):
        Fraction(1) / Fraction(0)


def test_not_less_than_itself():
    assert not Fraction(1, 2) < Fraction(2, 4)
    assert str(Fraction(3, 4) - Fraction(1, 4)) == "1/2"
    assert str(Fraction(0, 5)) == "0"
