import pytest
from program import factors, primes_up_to


def slow(limit):
    return [n for n in range(2, limit + 1) if all(n % d for d in range(2, n))]


@pytest.mark.parametrize("limit", [3, 4, 5, 8, 9, 10, 24, 26, 48, 49, 50, 120, 121, 200])
def test_against_slow(limit):
    assert primes_up_to(limit) == slow(limit)


def test_factors_multiply():
    for number in range(1, 200):
        product = 1
        for prime, exponent in factors(number):
            product *= prime ** exponent
        assert product == number
