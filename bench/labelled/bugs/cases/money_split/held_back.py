import pytest
from program import split, split_by_weight


@pytest.mark.parametrize(("cents", "people"), [(101, 3), (1, 4), (999, 7), (-10, 3), (0, 5), (17, 5), (23, 6)])
def test_adds_up(cents, people):
    shares = split(cents, people)
    assert sum(shares) == cents
    assert max(shares) - min(shares) <= 1
    assert shares == sorted(shares, reverse=True)


def test_two_cents_left():
    assert split(11, 3) == [4, 4, 3]


def test_weights_add_up():
    assert sum(split_by_weight(1001, [3, 5, 9])) == 1001


def test_one_pays_all():
    assert split(7, 1) == [7]
    for people in (0, -1):
        with pytest.raises(ValueError):
            split(5, people)
