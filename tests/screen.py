"""A terminal's screen, as far as our rows need one: what stands where after so many bytes."""

from __future__ import annotations

import re
import unicodedata

_SEQUENCE = re.compile(r"\x1b\[(\??[0-9;]*)([A-Za-z])")


class Screen:
    """Wide characters take two cells; the second is an empty string. Colours are not kept."""

    def __init__(self, columns: int, lines: int) -> None:
        self.columns, self.lines = columns, lines
        self.cells: list[list[str]] = [[] for _ in range(lines)]
        self.row = self.column = 0
        self.wraps = True
        self.coloured = False
        self.history: list[str] = []
        self._rest = ""

    def resize(self, columns: int, lines: int) -> None:
        """As terminals do that do not move lines about: what does not fit is cut."""
        self.cells = [row[:columns] for row in self.cells[-lines:]]
        self.cells += [[] for _ in range(lines - len(self.cells))]
        self.row, self.column = min(self.row, lines - 1), min(self.column, columns - 1)
        self.columns, self.lines = columns, lines

    def feed(self, text: str) -> None:
        text, self._rest = self._rest + text, ""
        while text:
            if text[0] == "\x1b":
                found = _SEQUENCE.match(text)
                if found is None:
                    assert len(text) < 12, f"a sequence that nobody knows: {text[:12]!r}"
                    self._rest = text
                    return
                self._steer(found[1], found[2])
                text = text[found.end() :]
            else:
                self._put(text[0])
                text = text[1:]

    @property
    def shown(self) -> list[str]:
        """The lines that say something."""
        found = ["".join(row).rstrip() for row in self.cells]
        return [line for line in found if line]

    @property
    def text(self) -> str:
        return "\n".join(self.shown)

    def _steer(self, given: str, what: str) -> None:
        match what:
            case "A":
                self.row = max(self.row - int(given or 1), 0)
            case "H":
                self.row = self.column = 0
            case "K":
                del self.cells[self.row][self.column :]
            case "J" if given == "2":
                self.cells = [[] for _ in range(self.lines)]
            case "J":
                del self.cells[self.row][self.column :]
                for row in self.cells[self.row + 1 :]:
                    row.clear()
            case "m":
                self.coloured = True
            case "h" | "l":
                self.wraps = (what == "h") if given == "?7" else self.wraps
            case _:
                raise AssertionError(f"a sequence that nobody knows: {given}{what}")

    def _put(self, character: str) -> None:
        if character == "\r":
            self.column = 0
        elif character == "\n":
            self._next_line()
        else:
            assert character.isprintable(), f"{character!r} reached the terminal"
            wide = 2 if unicodedata.east_asian_width(character) in "WF" else 1
            if self.column + wide > self.columns:
                if not self.wraps:
                    return
                self.column = 0
                self._next_line()
            row = self.cells[self.row]
            row += [" "] * (self.column - len(row))
            row[self.column : self.column + wide] = [character] + [""] * (wide - 1)
            self.column += wide

    def _next_line(self) -> None:
        if self.row + 1 < self.lines:
            self.row += 1
            return
        self.history.append("".join(self.cells.pop(0)).rstrip())
        self.cells.append([])
