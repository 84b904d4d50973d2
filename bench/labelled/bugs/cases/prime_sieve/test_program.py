import pytest
from program import divisors, factors, is_perfect, primes_up_to


def test_primes():
    assert primes_up_to(20) == [2, 3, 5, 7, 11, 13, 17, 19]
    assert primes_up_to(1) == []
    assert primes_up_to(2) == [2]


def test_square_is_no_prime():
    assert primes_up_to(25)[-1] == 23


def test_factors():
    assert factors(12) == [(2, 2), (3, 1)]
    assert factors(97) == [(97, 1)]
    with pytest.raises(ValueError):
        factors(0)


def test_divisors():
    assert divisors(12) == [1, 2, 3, 4, 6, 12]
    assert divisors(1) == [1]


def test_perfect():
    assert is_perfect(6)
    assert not is_perfect(8)
