import pytest
from program import NoVotes, instant_runoff, plurality


def test_plurality():
    assert plurality([["a"], ["b"], ["b"]]) == "b"
    assert plurality([["b"], ["a"]]) == "a"
    with pytest.raises(NoVotes):
        plurality([[]])


def test_majority_at_once():
    winner, rounds = instant_runoff([["a"], ["a"], ["b"]])
    assert winner == "a"
    assert rounds == [{"a": 2, "b": 1}]


def test_half_is_no_majority():
    ballots = [["a"], ["a"], ["b"], ["c", "b"]]
    winner, rounds = instant_runoff(ballots)
    assert len(rounds) == 3
    assert winner == "a"


def test_runoff():
    ballots = [["a"], ["a"], ["b"], ["b"], ["c", "b"]]
    assert instant_runoff(ballots)[0] == "b"


def test_nobody():
    with pytest.raises(NoVotes):
        instant_runoff([])
