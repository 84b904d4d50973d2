"""Tasks from a markdown file: one for each checklist item, else one for each heading."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from burnish.errors import UsageError

MOST_TASKS = 10_000
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_ITEM = re.compile(r"( {0,3})(?:[-*+]|[0-9]{1,9}[.)]) +\[( |x|X)\] +(\S.*)")
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(\S.*?)[ \t#]*")
_AFTER = re.compile(r"[ \t(\[]*\bafter:[ \t]*((?:#?[0-9]{1,9}[ \t,]*(?:and[ \t]+)?)+)[)\]]*[ \t]*$", re.I)
_NUMBER = re.compile(r"(#?)([0-9]{1,9})")


@dataclass
class Item:
    """`after` are places in this file (from 1); `waits_for` are numbers of tasks of the queue."""

    text: str
    after: tuple[int, ...] = ()
    waits_for: tuple[int, ...] = ()
    done: bool = False
    _more: list[str] = field(default_factory=list)


def read_items(text: str, name: str) -> tuple[Item, ...]:
    """What is to be done, in the order of the file; ticked items are kept in the count and marked done.

    `after: #3` is the third task of this file, `after: 3` is task 3 of the queue.
    """
    lines = text.lstrip("\ufeff").splitlines()
    items = _checklist(lines) or _headings(lines)
    if not items:
        raise UsageError(
            f"expected a checklist (`- [ ] Add login`) or headings in {name}, found neither.",
            hint="each item becomes one task",
        )
    if len(items) > MOST_TASKS:
        raise UsageError(f"{name} has {len(items)} tasks; at most {MOST_TASKS} are taken at once.")
    found = tuple(_finished(item) for item in items)
    for number, item in enumerate(found, 1):
        for other in item.after:
            if not 1 <= other <= len(found):
                raise UsageError(
                    f"{name}: task {number} is to come after #{other}, and the file has {len(found)} tasks.",
                    hint="`after: #3` is the third task of the file, `after: 3` is task 3 of the queue",
                )
    return found


def _checklist(lines: list[str]) -> list[Item]:
    items: list[Item] = []
    depth = 0
    for line, fenced in _unfenced(lines):
        found = None if fenced else _ITEM.fullmatch(line)
        if found:
            depth = len(found[1])
            items.append(Item(found[3], done=found[2] != " "))
        elif not fenced and _HEADING.fullmatch(line):
            depth = 10**6
        elif items and (not line.strip() or _indent(line) > depth):
            items[-1]._more.append(line)
        elif line.strip():
            depth = 10**6
    return items


def _headings(lines: list[str]) -> list[Item]:
    """The headings below the title; what stands under each belongs to it."""
    found = [
        (number, match)
        for number, (line, fenced) in enumerate(_unfenced(lines))
        if not fenced and (match := _HEADING.fullmatch(line))
    ]
    if not found:
        return []
    levels = [len(match[1]) for _, match in found]
    if len(levels) > 1 and levels.count(min(levels)) == 1:
        # A single heading on top is the title of the document.
        top = min(level for level in levels if level != min(levels))
    else:
        top = min(levels)
    chosen = [(number, match[2]) for number, match in found if len(match[1]) == top]
    ends = [*(number for number, _ in chosen[1:]), len(lines)]
    return [
        Item(title, _more=lines[number + 1 : end]) for (number, title), end in zip(chosen, ends, strict=True)
    ]


def _finished(item: Item) -> Item:
    in_file: list[int] = []
    queued: list[int] = []
    kept = []
    for line in (item.text, *item._more):
        found = _AFTER.search(line)
        for mark, number in _NUMBER.findall(found[1]) if found else ():
            (in_file if mark else queued).append(int(number))
        words = line[: found.start()] if found else line
        # A line that held nothing else is gone; the others stay as they are.
        if words.strip() or not found:
            kept.append(words)
    words = "\n".join(kept).strip()
    return Item(words or item.text, tuple(in_file), tuple(queued), item.done)


def _unfenced(lines: list[str]) -> Iterator[tuple[str, bool]]:
    """Each line, and whether it stands in a fenced block, where nothing is a heading or an item."""
    fence = ""
    for line in lines:
        found = _FENCE.match(line)
        if fence:
            yield line, True
            if found and found[1][0] == fence[0] and len(found[1]) >= len(fence) and not line.strip(" `~"):
                fence = ""
        else:
            fence = found[1] if found else ""
            yield line, bool(found)


def _indent(line: str) -> int:
    line = line.expandtabs(4)
    return len(line) - len(line.lstrip())
