"""Regular expressions, read and never run: which characters of ASCII a match can have. What is not understood
proves nothing."""

from __future__ import annotations

import re
from re import _constants as codes  # type: ignore[attr-defined]
from typing import Any

from burnish.analysers.taint.guards.patterns import CATEGORIES, anchored, group_of, parsed
from burnish.analysers.taint.memory.proofs import SPECIAL, TEXT, Part

_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)
# Nothing is matched by these, or the same as by a group that was read already.
_EMPTY = (codes.AT, codes.ASSERT, codes.ASSERT_NOT, codes.GROUPREF)


class _NotUnderstood(Exception):
    pass


def whole_text(pattern: str, how: str) -> Part | None:
    """What is proved of a text that this matched with `how` (match, fullmatch, search) from end to end."""
    tree = parsed(pattern)
    if tree is None or (tree.state.flags & re.MULTILINE and how != "fullmatch"):
        return None
    items = list(tree)
    starts, ends = anchored(items) if how != "fullmatch" else (True, True)
    if not ends or not (starts or how == "match"):
        return None
    found = _part(items, tree.state.flags)
    if found is not None and how != "fullmatch" and codes.AT_END in _marks_of_ends(items):
        # `$` also matches before a last line break.
        return Part(found.free - {"\n"}, found.fit)
    return found


def group_text(pattern: str, number: int | str) -> Part | None:
    """What is proved of one group; 0 is the whole match."""
    tree = parsed(pattern)
    if tree is None:
        return None
    wanted = tree.state.groupdict.get(number) if isinstance(number, str) else number
    inner = list(tree) if wanted == 0 else group_of(list(tree), wanted) if wanted else None
    return _part(inner, tree.state.flags) if inner is not None else None


def left_by(pattern: str, put_in: str) -> Part | None:
    """What is proved of `re.sub(pattern, put_in, text)`: each character that matches by itself is gone."""
    tree = parsed(pattern)
    if tree is None or "\\" in put_in:
        return None
    items = list(tree)
    if len(items) == 1 and items[0][0] is codes.MAX_REPEAT and items[0][1][0] <= 1:
        # As many as there are: with an end, `a{1,2}`, the rest is matched next.
        items = list(items[0][1][2])
    if len(items) != 1 or items[0][0] not in (codes.IN, codes.LITERAL, codes.NOT_LITERAL):
        return None
    try:
        gone = frozenset(c for c in SPECIAL if _can_be(c, items[0][0], items[0][1], tree.state.flags))
    except _NotUnderstood:
        return None
    return Part(gone - set(put_in), frozenset({TEXT}))


def _part(items: list[Any], flags: int) -> Part | None:
    try:
        found = _characters(items, flags)
    except _NotUnderstood:
        return None
    return Part(SPECIAL - found, frozenset({TEXT}))


def _characters(items: list[Any], flags: int) -> frozenset[str]:
    found: frozenset[str] = frozenset()
    for op, argument in items:
        if op in _EMPTY:
            continue
        if op in _REPEATS:
            found |= _characters(list(argument[2]), flags)
        elif op is codes.SUBPATTERN:
            if argument[1] or argument[2]:
                raise _NotUnderstood
            found |= _characters(list(argument[3]), flags)
        elif op is codes.BRANCH:
            for side in argument[1]:
                found |= _characters(list(side), flags)
        elif op is codes.ATOMIC_GROUP:
            found |= _characters(list(argument), flags)
        else:
            found |= {character for character in SPECIAL if _can_be(character, op, argument, flags)}
    return found


def _can_be(character: str, op: Any, argument: Any, flags: int) -> bool:
    if op is codes.LITERAL:
        return bool(ord(character) == argument)
    if op is codes.NOT_LITERAL:
        return bool(ord(character) != argument)
    if op is codes.ANY:
        return character != "\n" or bool(flags & re.DOTALL)
    if op is codes.IN:
        negated = bool(argument) and argument[0][0] is codes.NEGATE
        inside = any(_in_class(character, *one) for one in (argument[1:] if negated else argument))
        return inside is not negated
    raise _NotUnderstood


def _in_class(character: str, op: Any, argument: Any) -> bool:
    if op is codes.LITERAL:
        return bool(ord(character) == argument)
    if op is codes.RANGE:
        return bool(argument[0] <= ord(character) <= argument[1])
    if op is codes.CATEGORY and argument in CATEGORIES:
        return CATEGORIES[argument](character)
    raise _NotUnderstood


def _marks_of_ends(items: list[Any]) -> set[Any]:
    """The anchors anywhere in it."""
    found: set[Any] = set()
    waiting = list(items)
    while waiting:
        op, argument = waiting.pop()
        if op is codes.AT:
            found.add(argument)
        elif op is codes.SUBPATTERN:
            waiting += list(argument[3])
        elif op is codes.BRANCH:
            waiting += [one for side in argument[1] for one in side]
        elif op in _REPEATS:
            waiting += list(argument[2])
    return found
