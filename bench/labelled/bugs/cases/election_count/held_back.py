from program import instant_runoff


def test_rounds_of_a_half():
    ballots = [["a"], ["a"], ["b"], ["c", "b"]]
    assert instant_runoff(ballots)[1] == [{"a": 2, "b": 1, "c": 1}, {"a": 2, "b": 2}, {"a": 2}]


def test_tie_of_two():
    winner, rounds = instant_runoff([["x"], ["y"]])
    assert winner == "x"
    assert len(rounds) == 2


def test_come_from_behind():
    ballots = [["a"]] * 4 + [["b"]] * 2 + [["c", "b"]] * 2 + [["d", "b"]]
    assert instant_runoff(ballots)[0] == "b"


def test_half_overtaken():
    ballots = [["m"]] * 3 + [["n"]] * 2 + [["o", "n"], ["o", "n"]] + [[]]
    winner, rounds = instant_runoff(ballots)
    assert winner == "n"
    assert len(rounds) == 2
