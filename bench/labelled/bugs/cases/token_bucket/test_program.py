import pytest
from program import Limiter, TokenBucket


def test_burst_then_refused():
    bucket = TokenBucket(1, 3)
    assert [bucket.allow(0) for _ in range(4)] == [True, True, True, False]


def test_refills_with_time():
    bucket = TokenBucket(1, 1)
    assert bucket.allow(0)
    assert bucket.allow(1)


def test_elapsed_time_counts_once():
    bucket = TokenBucket(1, 5)
    for _ in range(5):
        bucket.allow(0)
    assert bucket.allow(1)
    assert not bucket.allow(1)


def test_wait_time():
    bucket = TokenBucket(2, 1)
    bucket.allow(0)
    assert bucket.wait_time(0) == 0.5


def test_clients_are_apart():
    limiter = Limiter(1, 1)
    assert limiter.allow("a", 0)
    assert limiter.allow("b", 0)
    assert not limiter.allow("a", 0)


def test_bad_arguments():
    with pytest.raises(ValueError):
        TokenBucket(0, 1)
