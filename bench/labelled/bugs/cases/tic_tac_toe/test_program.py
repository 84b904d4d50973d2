import pytest
from program import Board, IllegalMove


def play(*moves, size=3):
    board = Board(size)
    for move in moves:
        board.play(*move)
    return board


def test_row():
    assert play((0, 0), (1, 0), (0, 1), (1, 1), (0, 2)).winner() == "X"


def test_first_diagonal():
    assert play((0, 0), (0, 1), (1, 1), (0, 2), (2, 2)).winner() == "X"


def test_second_diagonal():
    assert play((0, 2), (0, 1), (1, 1), (0, 0), (2, 0)).winner() == "X"


def test_two_in_a_diagonal_are_not_enough():
    assert play((1, 2), (0, 0), (2, 1)).winner() is None


def test_taken():
    with pytest.raises(IllegalMove):
        play((0, 0), (0, 0))
    with pytest.raises(IllegalMove):
        play((3, 0))


def test_turns():
    assert play((0, 0)).turn == "O"
    assert play((0, 0), (1, 1)).turn == "X"
