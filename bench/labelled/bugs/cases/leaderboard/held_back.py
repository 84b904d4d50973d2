from program import Leaderboard


def test_ties_among_others():
    board = Leaderboard()
    for player, points in [("d", 3), ("c", 7), ("b", 3), ("a", 1), ("e", 7)]:
        board.report(player, points)
    assert board.ranking() == ["c", "e", "b", "d", "a"]
    assert board.top(2) == ["c", "e"]
    assert board.rank("d") == 3


def test_table():
    board = Leaderboard()
    board.report("al", 1)
    board.report("barbara", 20)
    assert board.table() == ["1. barbara    20", "2. al          1"]


def test_empty():
    assert Leaderboard().top(3) == []
    assert Leaderboard().table() == []


def test_no_points_is_a_report():
    board = Leaderboard()
    board.report("a", 0)
    board.report("a", 5)
    assert board.average("a") == 2.5
