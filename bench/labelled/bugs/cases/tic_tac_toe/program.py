"""Noughts and crosses on a board of any size."""


class IllegalMove(Exception):
    pass


class Board:
    def __init__(self, size=3):
        self.size = size
        self.cells = [[None] * size for _ in range(size)]
        self.turn = "X"
        self.moves = 0

    def lines(self):
        rows = [list(row) for row in self.cells]
        columns = [[row[column] for row in self.cells] for column in range(self.size)]
        down = [self.cells[i][i] for i in range(self.size)]
        up = [self.cells[self.size - 1 - i][self.size - 1 - i] for i in range(self.size)]
        return rows + columns + [down, up]

    def winner(self):
        for line in self.lines():
            if line[0] is not None and all(cell == line[0] for cell in line):
                return line[0]
        return None

    def play(self, row, column):
        if self.winner() is not None:
            raise IllegalMove("the game is over")
        if not (0 <= row < self.size and 0 <= column < self.size):
            raise IllegalMove("outside of the board")
        if self.cells[row][column] is not None:
            raise IllegalMove("the cell is taken")
        self.cells[row][column] = self.turn
        self.turn = "O" if self.turn == "X" else "X"
        self.moves += 1
        return self.winner()

    def is_draw(self):
        return self.winner() is None and self.moves == self.size ** 2
