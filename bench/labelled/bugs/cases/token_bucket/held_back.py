import pytest
from program import Limiter, TokenBucket


def test_steady_rate():
    bucket = TokenBucket(1, 2)
    allowed = sum(bucket.allow(step / 4) for step in range(41))
    assert allowed == 12


def test_backwards_after_progress():
    bucket = TokenBucket(1, 2)
    bucket.allow(5)
    with pytest.raises(ValueError):
        bucket.allow(4)


def test_limiter_over_time():
    limiter = Limiter(1, 1)
    assert [limiter.allow("a", now) for now in (0, 1, 1, 2, 2.5, 3)] == [True, True, False, True, False, True]


def test_arguments():
    for rate, capacity in [(0, 1), (1, 0), (-1, 1), (1, -1)]:
        with pytest.raises(ValueError):
            TokenBucket(rate, capacity)
    bucket = TokenBucket(1, 3)
    assert bucket.allow(0, cost=3)
    assert bucket.wait_time(1, cost=3) == 2
