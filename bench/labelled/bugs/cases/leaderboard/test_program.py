import pytest
from program import Leaderboard


def board():
    result = Leaderboard()
    for player, points in [("ada", 5), ("bob", 9), ("cy", 2), ("ada", 1)]:
        result.report(player, points)
    return result


def test_ranking():
    assert board().ranking() == ["bob", "ada", "cy"]


def test_rank():
    assert board().rank("bob") == 1
    assert board().rank("cy") == 3
    with pytest.raises(KeyError):
        board().rank("dan")


def test_average():
    assert board().average("ada") == 3


def test_equal_by_name():
    result = Leaderboard()
    result.report("zoe", 1)
    result.report("amy", 1)
    assert result.ranking() == ["amy", "zoe"]


def test_negative():
    with pytest.raises(ValueError):
        board().report("ada", -1)
