"""A shell's command line with values in it: as words where it is only words, else with each value quoted."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from burnish.fixers._pieces import Part, Slot, joined
from burnish.fixers._python import NotRepaired
from burnish.fixers._written import literal, one_line

# What only a shell understands, or does differently.
_SHELL = re.compile(r"[|&;<>()$`\\*?\[\]~#!{}\n^]")
_ASSIGNMENT = re.compile(r"^\s*\w+=")
_BUILTINS = frozenset(
    "cd export source . set unset exit eval exec alias umask ulimit wait trap read type history".split()  # noqa: SIM905
)


def words(parts: Sequence[Part]) -> list[tuple[Part, ...]]:
    """The words that a shell would make of it; raises NotRepaired where it does more than that."""
    found: list[list[Part]] = []
    word: list[Part] | None = None
    quote = ""
    for part in parts:
        if isinstance(part, Slot):
            word = [*(word or []), part]
            continue
        if _SHELL.search(part):
            raise NotRepaired("the command needs a shell")
        for letter in part:
            if quote:
                word = [*(word or [""]), "" if letter == quote else letter]
                quote = "" if letter == quote else quote
            elif letter in "'\"":
                quote, word = letter, word or [""]
            elif letter in " \t":
                found, word = ([*found, word] if word is not None else found), None
            else:
                word = [*(word or []), letter]
    found += [word] if word is not None else []
    if quote or not found:
        raise NotRepaired("the command needs a shell")
    told = [joined(one) for one in found]
    _refuse_unknown_program(told)
    return told


def _refuse_unknown_program(told: list[tuple[Part, ...]]) -> None:
    first = told[0]
    if not first or not all(isinstance(part, str) for part in first):
        raise NotRepaired("a value decides which program runs")
    if first[0] in _BUILTINS or _ASSIGNMENT.match(str(first[0])):
        raise NotRepaired("the command needs a shell")


def as_list(told: list[tuple[Part, ...]]) -> str:
    return "[" + ", ".join(_word(one) for one in told) + "]"


def _word(parts: tuple[Part, ...]) -> str:
    """A value alone stays as it is, if it is a text; else it is shown as the command line showed it."""
    first = parts[0] if parts else ""
    if len(parts) == 1 and isinstance(first, Slot) and not first.spec and not first.conversion:
        return one_line(first.told)
    return one_line(literal(parts))


def quoted(
    pieces: Sequence[Sequence[Part]], quote: str, keeps: Callable[[Slot], bool]
) -> list[tuple[Part, ...]]:
    """Each value in `shlex.quote()`, and without the quotes that stood around it."""
    flat = [(at, part) for at, piece in enumerate(pieces) for part in piece]
    found: list[list[Part]] = [[] for _ in pieces]
    inside, owed, changed = "", "", 0
    for at, part in flat:
        if isinstance(part, str):
            # Behind a value the quotes that stood around it go on, or end at once.
            text = (part[1:] if part.startswith(owed) else owed + part) if owed else part
            inside, owed = _after(part, inside), ""
            found[at].append(text)
        elif keeps(part) or part.spec == "d":
            found[at].append(part)
        else:
            if not any(part for piece in found for part in piece):
                raise NotRepaired("a value decides which program runs")
            last = found[at][-1] if found[at] else ""
            if inside and not owed:
                at_once = isinstance(last, str) and last.endswith(inside)
                found[at][-1:] = [last[:-1] if at_once and isinstance(last, str) else f"{last}{inside}"]
                owed = inside
            found[at].append(_wrapped(part, quote))
            changed += 1
    if not changed or owed:
        raise NotRepaired("there is nothing to quote, or the quotes around it are not closed")
    return [joined(one) for one in found]


def _wrapped(slot: Slot, quote: str) -> Slot:
    if slot.conversion not in ("", "s") or slot.spec or "quote(" in slot.code:
        raise NotRepaired("a value is quoted already, or shown in another way")
    code = f"{quote}({one_line(slot.told)})"
    return Slot(slot.node, code, is_text=True)


def _after(text: str, inside: str) -> str:
    """Which quote is open behind a text."""
    at = 0
    while at < len(text):
        letter = text[at]
        if letter == "\\" and inside != "'":
            at += 1
        elif inside:
            inside = "" if letter == inside else inside
        elif letter in "'\"":
            inside = letter
        at += 1
    return inside
