"""SQL with values in it to SQL with placeholders: which values can be bound, and what then is passed."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from burnish.fixers._pieces import Part, Piece, Slot, joined
from burnish.fixers._python import NotRepaired
from burnish.fixers._written import literal, one_line


class Mark(StrEnum):
    """How a driver writes a place for a value."""

    QUESTION = "?"
    PERCENT = "%s"
    COLON = ":name"
    DOLLAR = "$1"


@dataclass(frozen=True)
class Dialect:
    """`loose` is a database that takes "x" for a text; `server_binds` one that wants the very type."""

    mark: Mark
    opening: str = "("
    loose: bool = False
    limit_binds: bool = True
    server_binds: bool = False


# What can stand before a value: elsewhere it is a name, a list or a piece of a statement.
_COMPARED = re.compile(
    r"(?i)(?:^|[\s(,])(?P<left>[\w.\"`]+)\s*(?:=|<>|!=|<=|>=|<|>|\blike|\bilike|\bbetween)$"
)
_WORDS_NO_COLUMN = frozenset({"and", "or", "not", "where", "on", "when", "then", "else", "in"})
_BETWEEN = re.compile(r"(?i)\bbetween\s+\S+\s+and$")
_VALUES = re.compile(r"(?i)\bvalues\s*\((?:[^()]*,)?$")
_LISTED = re.compile(r"(?i)\bin\s*\(\s*$")
_LIMITED = re.compile(r"(?i)\b(?:limit|offset)$")
# A literal that is more than a text: its word belongs to it, or it is a name.
_TYPED = re.compile(r"(?i)(?:\w|\b(?:interval|date|time|timestamp|as|identified\s+by|zone)\s+)$")
_STATEMENT = re.compile(
    r"(?i)^[\s(]*(?:select|insert|update|delete|replace|with|merge|values|explain|upsert)\b"
)
_NAMED = {Mark.PERCENT: re.compile(r"%\((\w+)\)s"), Mark.QUESTION: re.compile(r"(?<![:\w]):([A-Za-z_]\w*)")}
_NUMBERED = re.compile(r"\$(\d+)")


@dataclass
class Bound:
    """The parts of each piece, and the values in the order of their places; None is one that was there."""

    parts: list[tuple[Part, ...]]
    values: list[str | None]
    names: list[str] = field(default_factory=list)
    slots: list[Slot] = field(default_factory=list)

    @property
    def fresh(self) -> list[str]:
        return [value for value in self.values if value is not None]


@dataclass
class Binding:
    """Reads the parts once, from left to right.

    `keeps` tells a value that is part of the statement (the name of a table that is a constant), `refuses`
    one that is quoted already, `lists` the list that one is joined from, and `gathers` the list with the
    values of conditions that one is joined from. `had_values` tells whether the call passes parameters
    already (`none_yet`: an empty list of them), `fragment` that it is not the beginning of a statement.
    """

    dialect: Dialect
    keeps: Callable[[Slot], bool]
    refuses: Callable[[Slot], bool]
    lists: Callable[[Slot], str] = lambda slot: ""
    gathers: Callable[[Slot], str | None] = lambda slot: None
    had_values: bool = False
    none_yet: bool = False
    fragment: bool = False
    named: bool = False
    taken: set[str] = field(default_factory=set)
    before: str = ""
    number: int = 0

    def bind(self, pieces: Sequence[Piece]) -> Bound:
        flat = [(at, part) for at, piece in enumerate(pieces) for part in piece.parts]
        whole = "".join(part for _, part in flat if isinstance(part, str))
        if not self.fragment and not _STATEMENT.match(whole):
            raise NotRepaired("no value can be bound in such a statement")
        self.named = self.named or self._has_names(whole)
        self.number = max([self.number, *(int(one) for one in _NUMBERED.findall(whole))])
        self.out: list[list[Part]] = [[] for _ in pieces]
        self.bound = Bound([], [])
        self.open: list[Part] | None = None
        self.quote, self.at = "", 0
        for index, (piece, part) in enumerate(flat):
            after = flat[index + 1][1] if index + 1 < len(flat) else ""
            self.at = piece if self.open is None else self.at
            if isinstance(part, Slot):
                self._slot(part, after)
            else:
                self._text(part, piece, after)
        if self.open is not None:
            raise NotRepaired("a text of the statement is not closed here")
        self.bound.parts = [joined(parts) for parts in self.out]
        return self.bound

    def _has_names(self, whole: str) -> bool:
        if self.dialect.mark is Mark.COLON:
            return True
        pattern = _NAMED.get(self.dialect.mark)
        return self.had_values and pattern is not None and bool(pattern.search(re.sub(r"'[^']*'", "", whole)))

    def _text(self, text: str, piece: int, after: Part) -> None:
        at = 0
        while at < len(text):
            letter, pair = text[at], text[at : at + 2]
            if self.open is not None:
                if letter == self.quote and pair != self.quote * 2:
                    self._close(piece)
                else:
                    self.open.append(letter)
                    at += pair == self.quote * 2
            elif letter == "'" or (letter == '"' and self.dialect.loose):
                self.open, self.quote, self.at = [], letter, piece
            elif pair in ("--", "/*"):
                raise NotRepaired("a comment stands in the statement")
            else:
                at += self._plain(letter, pair, piece)
            at += 1

    def _plain(self, letter: str, pair: str, piece: int) -> int:
        """One letter outside of texts; tells how many more were taken."""
        mark = self.dialect.mark
        if mark is Mark.PERCENT and letter == "%":
            if not self.had_values:
                self._say("%%", piece)
                return 0
            if pair == "%s":
                self.bound.values.append(None)
            self._say(pair if pair in ("%s", "%%") else letter, piece)
            return int(pair in ("%s", "%%"))
        if mark is Mark.QUESTION and letter == "?" and not self.named:
            if not self.had_values:
                raise NotRepaired("the statement has a place without a value")
            self.bound.values.append(None)
        self._say(letter, piece)
        return 0

    def _say(self, text: str, piece: int) -> None:
        self.out[piece].append(text)
        self.before += text

    def _close(self, piece: int) -> None:
        assert self.open is not None
        parts, quote, self.open = joined(self.open), self.quote, None
        if not any(isinstance(part, Slot) for part in parts):
            text = "".join(map(str, parts)).replace(quote, quote * 2)
            doubled = self.dialect.mark is Mark.PERCENT and not self.had_values
            self._say(quote + (text.replace("%", "%%") if doubled else text) + quote, self.at)
            return
        if _TYPED.search(self.before) or (
            quote == '"'
            and not _COMPARED.search(self.before.rstrip())
            and not _VALUES.search(self.before.rstrip())
        ):
            raise NotRepaired("a name or a typed text cannot be bound")
        if self.dialect.mark is Mark.PERCENT and self.had_values:
            parts = tuple(part.replace("%%", "%") if isinstance(part, str) else part for part in parts)
        if any("\\" in part for part in parts if isinstance(part, str)):
            raise NotRepaired("the text has escapes")
        self._place(parts)

    def _slot(self, slot: Slot, after: Part) -> None:
        if self.open is not None:
            if slot.conversion in ("r", "a"):
                raise NotRepaired("a value is quoted twice")
            self.open.append(slot)
            return
        if self.keeps(slot):
            self.out[self.at].append(slot)
            self.before += "kept"
            return
        if _LISTED.search(self.before) and isinstance(after, str) and (several := self.lists(slot)):
            self._several(slot, several)
            return
        gathered = self._gathered(slot)
        if gathered is not None:
            self.out[self.at].append(slot)
            self.bound.values += [f"*{gathered}"] if gathered else []
            self.before += "?"
            return
        if isinstance(after, Slot) or (after and re.match(r"[^\s,);]", after)) or slot.spec not in ("", "d"):
            raise NotRepaired("a value is only a part of what it stands in")
        if slot.conversion not in ("", "s", "r") or not self._may_be_bound(slot):
            raise NotRepaired("a name, a list or a piece of a statement cannot be bound")
        self._place((Slot(slot.node, slot.code),))

    def _gathered(self, slot: Slot) -> str | None:
        """Where the values of conditions are, empty where they have none.

        Only for marks that count by themselves, and where nobody passes values of such conditions already.
        """
        counted = not self.named and self.dialect.mark in (Mark.QUESTION, Mark.PERCENT)
        passed = self.had_values and not self.none_yet
        if not counted or self.fragment or passed or slot.conversion + slot.spec:
            return None
        return self.gathers(slot)

    def _several(self, slot: Slot, several: str) -> None:
        """As many places as there are values in a list."""
        if self.named or self.dialect.mark not in (Mark.QUESTION, Mark.PERCENT):
            raise NotRepaired("a list cannot be bound by name")
        made = Slot(slot.node, f"', '.join('{self.dialect.mark.value}' for _ in {several})")
        self.out[self.at].append(made)
        self.bound.values.append(f"*{several}")
        self.bound.slots.append(Slot(ast.parse(several, mode="eval").body, several))
        self.before += "?"

    def _may_be_bound(self, slot: Slot) -> bool:
        before = self.before.rstrip()
        if isinstance(slot.node, ast.Call) and not _is_plain_call(slot.node):
            return False
        whole = slot.spec == "d" or (
            isinstance(slot.node, ast.Call) and slot.code.startswith(("int(", "float("))
        )
        if self.dialect.server_binds and not whole and slot.conversion != "r":
            return False
        if _LIMITED.search(before):
            return self.dialect.limit_binds or whole
        compared = _COMPARED.search(before)
        if (
            compared
            and compared["left"].lower() not in _WORDS_NO_COLUMN
            and not compared["left"][0].isdigit()
        ):
            return True
        return bool(_BETWEEN.search(before) or _VALUES.search(before))

    def _place(self, parts: tuple[Part, ...]) -> None:
        """Write the place of a value, and remember the value."""
        first = parts[0]
        slots = [part for part in parts if isinstance(part, Slot)]
        if any(self.refuses(slot) for slot in slots):
            raise NotRepaired("a value is quoted already")
        alone = (
            len(parts) == 1 and isinstance(first, Slot) and not first.spec and first.conversion in ("", "s")
        )
        value = one_line(str(first.code) if alone and isinstance(first, Slot) else literal(parts))
        self.bound.slots += slots
        if self.named:
            value = self._name(slots[0], value)
        self.bound.values.append(value)
        self.number += 1
        self._say(self._mark(), self.at)

    def _name(self, slot: Slot, value: str) -> str:
        """Choose a name for the place; the value becomes an entry of a dictionary."""
        plain = re.sub(r"\W+", "_", slot.code.split("(")[0]).strip("_")[:30] or "value"
        plain = plain.rsplit("_", 1)[-1] if plain[0].isdigit() else plain
        name = next(
            one for one in (plain, *(f"{plain}_{at}" for at in range(2, 999))) if one not in self.taken
        )
        self.taken.add(name)
        self.bound.names.append(name)
        return f'"{name}": {value}'

    def _mark(self) -> str:
        if self.named:
            name = self.bound.names[-1]
            return f"%({name})s" if self.dialect.mark is Mark.PERCENT else f":{name}"
        return f"${self.number}" if self.dialect.mark is Mark.DOLLAR else self.dialect.mark.value


def _is_plain_call(call: ast.Call) -> bool:
    """A call that only fetches or converts a value; another one may write a piece of a statement."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    return name in ("str", "int", "float", "get", "strip", "lower", "upper", "replace", "pop", "isoformat")
