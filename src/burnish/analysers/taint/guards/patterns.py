"""Regular expressions of the tree, read and never run: which special characters a match can have."""

from __future__ import annotations

import re
from collections.abc import Callable
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

from burnish.analysers.taint.memory.marks import CHECKED, SPECIAL, only

MAX_PATTERN = 300
CATEGORIES: dict[Any, Callable[[str], bool]] = {
    codes.CATEGORY_DIGIT: str.isdigit,
    codes.CATEGORY_NOT_DIGIT: lambda c: not c.isdigit(),
    codes.CATEGORY_SPACE: str.isspace,
    codes.CATEGORY_NOT_SPACE: lambda c: not c.isspace(),
    codes.CATEGORY_WORD: lambda c: c.isalnum() or c == "_",
    codes.CATEGORY_NOT_WORD: lambda c: not (c.isalnum() or c == "_"),
}
_STARTS = (codes.AT_BEGINNING, codes.AT_BEGINNING_STRING)
_ENDS = (codes.AT_END, codes.AT_END_STRING)
_UNREADABLE = (re.error, RecursionError, OverflowError, ValueError, TypeError, IndexError)


def whole_match(pattern: str, how: str) -> frozenset[str] | None:
    """The marks of a text that this matched with `how` (match, fullmatch, search); None: it says nothing."""
    tree = parsed(pattern)
    if tree is None or (tree.state.flags & re.MULTILINE and how != "fullmatch"):
        return None
    items = list(tree)
    starts, ends = anchored(items) if how != "fullmatch" else (True, True)
    if not ends or not (starts or how == "match"):
        return None
    found = _characters(items, tree.state.flags)
    return only(found) | {CHECKED}


def beginning(pattern: str, how: str) -> frozenset[str]:
    """The marks for how a text begins that this matched: `/` and then neither of `/` and `\\`."""
    tree = parsed(pattern)
    if tree is None or (tree.state.flags & re.MULTILINE and how == "search"):
        return frozenset()
    items = list(tree)
    starts, ends = anchored(items)
    if how == "search" and not starts:
        return frozenset()
    states = _begun(items, {("", "")})
    if not (ends or how == "fullmatch"):
        states = _longer(_longer(states, "/\\x"), "/\\x")
    found = {begun for begun, _ in states}
    if not found or not all(begun[:1] == "/" for begun in found):
        return frozenset()
    two = not found.isdisjoint({"//", "/\\"})
    return frozenset({"begins:/"}) if two else frozenset({"begins:/", "not:begins://"})


def _begun(items: list[Any], before: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """The first two characters a match can have (`x` for all but slashes), and those that may not follow."""
    for op, argument in items:
        if all(len(begun) == 2 for begun, _ in before):
            break
        if op in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            low, high, inner = argument
            found: set[tuple[str, str]] = before if not low else set()
            for number in range(1, min(high, max(low, 2)) + 1):
                before = _begun(list(inner), before)
                found = found | before if number >= low else found
            before = found
        elif op is codes.BRANCH:
            before = set().union(*(_begun(list(side), before) for side in argument[1]))
        elif op is codes.ASSERT_NOT and argument[0] > 0:
            before = {(begun, not_next + _ruled_out(list(argument[1]))) for begun, not_next in before}
        elif inside := _inside(op, argument):
            before = _begun([one for part in inside for one in part], before)
        elif op in (codes.LITERAL, codes.NOT_LITERAL, codes.ANY, codes.IN):
            before = _longer(before, _slashes(op, argument))
    return before


def _ruled_out(items: list[Any]) -> str:
    """The slashes that `(?!...)` does not let follow."""
    if len(items) != 1 or items[0][0] not in (codes.LITERAL, codes.IN):
        return ""
    return _slashes(*items[0]).replace("x", "")


def _longer(before: set[tuple[str, str]], characters: str) -> set[tuple[str, str]]:
    done = {one for one in before if len(one[0]) == 2}
    return done | {
        (begun + character, "")
        for begun, not_next in before - done
        for character in characters
        if character not in not_next
    }


def _slashes(op: Any, argument: Any) -> str:
    if op is codes.LITERAL:
        return chr(argument) if chr(argument) in "/\\" else "x"
    if op is codes.NOT_LITERAL:
        return "/\\x".replace(chr(argument), "")
    return "/\\x" if op is codes.ANY else "".join(sorted(_class(argument) & set("/\\"))) + "x"


def group_match(pattern: str, number: int | str) -> frozenset[str]:
    """The marks of one group of a match, however little the whole says."""
    tree = parsed(pattern)
    if tree is None:
        return frozenset()
    wanted = tree.state.groupdict.get(number) if isinstance(number, str) else number
    if wanted == 0:
        return only(_characters(list(tree), tree.state.flags))
    inner = group_of(list(tree), wanted) if wanted else None
    return only(_characters(inner, tree.state.flags)) if inner is not None else frozenset()


def each_match(pattern: str) -> frozenset[str]:
    """The marks of what `findall` gives: the only group, else the whole match."""
    tree = parsed(pattern)
    if tree is None or tree.state.groups > 2:
        return frozenset()
    return group_match(pattern, tree.state.groups - 1)


def taken_out(pattern: str, put_in: str) -> frozenset[str]:
    """The marks of what `re.sub(pattern, put_in, ...)` leaves: characters that match by themselves go."""
    tree = parsed(pattern)
    if tree is None:
        return frozenset()
    items = list(tree)
    if len(items) == 1 and items[0][0] in (codes.MAX_REPEAT, codes.MIN_REPEAT) and items[0][1][0] <= 1:
        items = list(items[0][1][2])
    if len(items) != 1 or items[0][0] not in (codes.IN, codes.LITERAL, codes.NOT_LITERAL):
        return frozenset()
    gone = _characters(items, tree.state.flags) - set(put_in)
    return only(set(SPECIAL) - gone)


def parsed(pattern: str) -> Any:
    if len(pattern) >= MAX_PATTERN:
        return None
    try:
        return parser.parse(pattern)
    except _UNREADABLE:
        return None


def anchored(items: list[Any]) -> tuple[bool, bool]:
    """Whether it holds from the first to the last character, in each of its alternatives."""
    if len(items) == 1 and items[0][0] is codes.BRANCH:
        sides = [anchored(list(side)) for side in items[0][1][1]]
        return all(side[0] for side in sides), all(side[1] for side in sides)
    if len(items) == 1 and items[0][0] is codes.SUBPATTERN:
        return anchored(list(items[0][1][-1]))
    starts = bool(items) and items[0][0] is codes.AT and items[0][1] in _STARTS
    ends = bool(items) and items[-1][0] is codes.AT and items[-1][1] in _ENDS
    return starts, ends


def group_of(items: list[Any], wanted: int) -> list[Any] | None:
    for op, argument in items:
        for inner in _inside(op, argument):
            if op is codes.SUBPATTERN and argument[0] == wanted:
                return list(inner)
            found = group_of(list(inner), wanted)
            if found is not None:
                return found
    return None


def _inside(op: Any, argument: Any) -> list[Any]:
    """The patterns inside of one."""
    if op in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
        return [argument[2]]
    if op is codes.SUBPATTERN:
        return [argument[-1]]
    if op is codes.BRANCH:
        return list(argument[1])
    if op is codes.ATOMIC_GROUP:
        return [argument]
    if op is codes.GROUPREF_EXISTS:
        return [part for part in argument[1:] if part is not None]
    return []


def _characters(items: list[Any], flags: int) -> set[str]:
    """Those of the special characters that can be in a match of these."""
    found: set[str] = set()
    waiting = list(items)
    while waiting:
        op, argument = waiting.pop()
        if op is codes.LITERAL:
            found |= {chr(argument)} & set(SPECIAL)
        elif op is codes.NOT_LITERAL:
            found |= set(SPECIAL) - {chr(argument)}
        elif op is codes.ANY:
            found |= set(SPECIAL) if flags & re.DOTALL else set(SPECIAL) - {"\n"}
        elif op is codes.IN:
            found |= _class(argument)
        else:
            waiting += [one for inner in _inside(op, argument) for one in inner]
    return found


def _class(items: list[Any]) -> set[str]:
    negated = bool(items) and items[0][0] is codes.NEGATE
    found: set[str] = {c for c in SPECIAL if any(_in_class(c, op, argument) for op, argument in items)}
    return set(SPECIAL) - found if negated else found


def _in_class(character: str, op: Any, argument: Any) -> bool:
    if op is codes.LITERAL:
        return bool(ord(character) == argument)
    if op is codes.RANGE:
        low, high = argument
        return bool(low <= ord(character) <= high)
    if op is codes.CATEGORY:
        test = CATEGORIES.get(argument)
        return test is None or test(character)
    return False
