import pytest
from program import Board, IllegalMove


def play(*moves, size=3):
    board = Board(size)
    for move in moves:
        board.play(*move)
    return board


def test_bigger_board():
    moves = [(0, 3), (0, 0), (1, 2), (0, 1), (2, 1), (0, 2)]
    board = play(*moves, size=4)
    assert board.winner() is None
    assert board.play(3, 0) == "X"
    with pytest.raises(IllegalMove):
        board.play(3, 3)


def test_draw():
    board = play((0, 0), (0, 1), (0, 2), (1, 1), (1, 0), (1, 2), (2, 1), (2, 0), (2, 2))
    assert board.is_draw()
    assert board.winner() is None


def test_column_of_o():
    assert play((0, 0), (0, 2), (1, 0), (1, 2), (2, 1), (2, 2)).winner() == "O"


def test_lines_in_the_middle():
    assert play((1, 0), (0, 0), (1, 1), (0, 1), (1, 2)).winner() == "X"
    assert play((0, 0), (0, 1), (0, 2), (1, 1), (1, 0), (2, 1)).winner() == "O"
    assert play((0, 0), (0, 1), (1, 0), (1, 1)).winner() is None
