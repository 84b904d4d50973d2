import pytest
from program import Table, rounds


def test_everybody_meets():
    played = [frozenset(pair) for games in rounds("abcd") for pair in games]
    assert len(played) == len(set(played)) == 6


def test_odd():
    games = rounds("abc")
    assert [len(pairs) for pairs in games] == [1, 1, 1]


def test_twice():
    with pytest.raises(ValueError):
        rounds("aa")


def test_points():
    table = Table("ab")
    table.result("a", "b", 1, 1)
    table.result("a", "b", 0, 2)
    assert table.points == {"a": 1, "b": 4}
    assert table.standing() == ["b", "a"]


def test_goal_difference():
    table = Table("abc")
    table.result("a", "b", 3, 1)
    assert table.goals == {"a": 2, "b": -2, "c": 0}


def test_standing_by_goals():
    table = Table("abc")
    table.result("a", "b", 3, 1)
    assert table.standing() == ["a", "c", "b"]
