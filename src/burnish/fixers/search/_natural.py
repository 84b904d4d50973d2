"""Whether an edit reads like the rest of its file: code repeats itself, and so do its repairs. Pure."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from burnish.fixers._python import Edit
from burnish.fixers.search._code import Code

_TOKEN = re.compile(r"\w+|==|!=|<=|>=|//|\*\*|[+\-*/%&|^]=|[^\w\s]")
_STRING = re.compile(r"#.*$", re.M)
PAIRS, TRIPLES = 0.5, 1.0
AROUND = 60


def natural(code: Code, edits: tuple[Edit, ...]) -> float:
    """The share of new neighbours (two or three tokens in a row) that the file has elsewhere."""
    found = total = 0.0
    known = _known(code)
    for edit in edits:
        for run in _fresh_runs(code, edit):
            worth = TRIPLES if len(run) == 3 else PAIRS
            total += worth
            found += worth if known[run] else 0.0
    return found / total if total else 0.0


def _fresh_runs(code: Code, edit: Edit) -> list[tuple[str, ...]]:
    """Neighbours of which at least one is new."""
    before = tokens(
        code.text[max(code.text.rfind("\n", 0, edit.start) + 1, edit.start - AROUND) : edit.start]
    )
    end = code.text.find("\n", edit.end)
    after = tokens(code.text[edit.end : min(len(code.text) if end < 0 else end, edit.end + AROUND)])
    old, new = tokens(code.text[edit.start : edit.end]), tokens(edit.text)
    same = 0
    while same < min(len(old), len(new)) and old[same] == new[same]:
        same += 1
    tail = 0
    while tail < min(len(old), len(new)) - same and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    left = (*before, *new[:same])[-2:]
    middle = new[same : len(new) - tail]
    right = (*new[len(new) - tail :], *after)[:2]
    line = (*left, *middle, *right)
    first, last = len(left), len(left) + len(middle)
    return [
        line[at : at + size]
        for size in (2, 3)
        for at in range(len(line) - size + 1)
        if at < max(last, first + 1) and at + size > first and (middle or at < first)
    ]


def tokens(text: str) -> tuple[str, ...]:
    return tuple(_TOKEN.findall(_STRING.sub("", text)))


def _runs(some: tuple[str, ...]) -> list[tuple[str, ...]]:
    return [some[at : at + size] for size in (2, 3) for at in range(len(some) - size + 1)]


@lru_cache(maxsize=64)
def _known(code: Code) -> Counter[tuple[str, ...]]:
    count: Counter[tuple[str, ...]] = Counter()
    for line in code.text.split("\n"):
        count.update(_runs(tokens(line)))
    return count
