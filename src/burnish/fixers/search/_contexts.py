"""Which lines belong to which test, where the command was run as a whole. Pure."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from burnish.fixers.search._code import tree_of
from burnish.suite_output import Failure

FEW_FILES = 20
Ran = Mapping[str, frozenset[int]]


def named(contexts: Mapping[str, Ran], tests: Iterable[str]) -> dict[str, dict[str, frozenset[int]]]:
    """The lines by the names that the runner prints; "" is what ran outside of any test.

    Whatever fits none of `tests` keeps the name of its function: it is a test that nobody spoke of.
    """
    words = {test: frozenset(re.findall(r"\w+", test)) for test in tests}
    found: dict[str, dict[str, frozenset[int]]] = {}
    for context, lines in contexts.items():
        for name in _fitting(context, words) or (context,):
            _join(found.setdefault(name, {}), lines)
    return found


def _fitting(context: str, words: Mapping[str, frozenset[str]]) -> tuple[str, ...]:
    """The tests whose printed name has most of a function's: its own, its class and its module."""
    if context in words:
        return (context,)
    parts = context.split(".")
    fit = {
        test: sum(part in said for part in set(parts)) for test, said in words.items() if parts[-1] in said
    }
    most = max(fit.values(), default=0)
    return tuple(test for test, count in fit.items() if count == most)


def _join(into: dict[str, frozenset[int]], lines: Ran) -> None:
    for file, some in lines.items():
        into[file] = into.get(file, frozenset()) | some


def shared(lines: Mapping[str, Ran], failing: Iterable[str], others: Iterable[str]) -> dict[str, Ran]:
    """The same, where nothing tells what a failing test ran: then each of them ran all of it."""
    bad = tuple(failing)
    if any(lines.get(name) for name in bad):
        return dict(lines)
    every: dict[str, frozenset[int]] = {}
    for some in lines.values():
        _join(every, some)
    return dict.fromkeys((*bad, *others), every) if every else {}


def guessed(failure: Failure, frames: Iterable[tuple[str, int]], texts: Mapping[str, str]) -> Ran:
    """The lines that a test may have run, without having watched it: the functions that its traceback goes
    through, else every file whose name or whose functions it speaks of, else all of a small project."""
    found: dict[str, frozenset[int]] = {}
    for file, line in frames:
        if file in texts:
            _join(found, {file: _around(texts[file], line)})
    if found:
        return found
    said = frozenset(re.findall(r"\w+", " ".join((failure.name, *failure.block))))
    for file, text in texts.items():
        if PurePosixPath(file).stem in said or _functions(text) & said:
            found[file] = _all_of(text)
    return found or ({file: _all_of(text) for file, text in texts.items()} if len(texts) <= FEW_FILES else {})


def _all_of(text: str) -> frozenset[int]:
    return frozenset(range(1, text.count("\n") + 2))


def _around(text: str, line: int) -> frozenset[int]:
    """The function of a line; the line alone where it is in none."""
    spans = [
        (node.lineno, node.end_lineno or node.lineno)
        for node in ast.walk(tree_of(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    around = [(start, end) for start, end in spans if start <= line <= end]
    start, end = max(around, default=(line, line))
    return frozenset(range(start, end + 1))


def _functions(text: str) -> frozenset[str]:
    return frozenset(
        node.name
        for node in ast.walk(tree_of(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    )
