"""Primes and divisors."""

import math


def primes_up_to(limit):
    """All primes that are not greater than the limit."""
    if limit < 2:
        return []
    is_prime = [True] * (limit + 1)
    is_prime[0] = is_prime[1] = False
    for number in range(2, math.isqrt(limit) + 1):
        if is_prime[number]:
            for multiple in range(number * number, limit + 1, number):
                is_prime[multiple] = False
    return [number for number, prime in enumerate(is_prime) if prime]


def factors(number):
    """Pairs of prime and exponent."""
    if number < 1:
        raise ValueError("not a positive number")
    result = []
    for prime in primes_up_to(math.isqrt(number)):
        exponent = 0
        while number % prime == 0:
            number //= prime
            exponent += 1
        if exponent:
            result.append((prime, exponent))
    if number > 1:
        result.append((number, 1))
    return result


def divisors(number):
    found = [1]
    for prime, exponent in factors(number):
        found = [d * prime ** power for d in found for power in range(exponent + 1)]
    return sorted(found)


def is_perfect(number):
    return sum(divisors(number)) == 2 * number
