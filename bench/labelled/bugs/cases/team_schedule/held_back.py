from program import Table


def test_goals_add_up_to_nothing():
    table = Table("abcd")
    for game in [("a", "b", 4, 0), ("c", "d", 0, 1), ("a", "c", 2, 2), ("b", "d", 1, 3)]:
        table.result(*game)
        assert sum(table.goals.values()) == 0
    assert table.goals == {"a": 4, "b": -6, "c": -1, "d": 3}


def test_away_win_counts():
    table = Table("ab")
    table.result("a", "b", 0, 5)
    assert table.goals == {"a": -5, "b": 5}
