"""Which lines are to blame: those that failing tests run and passing ones do not (Ochiai). Pure."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from burnish.fixers.search._code import Code, expressions, header_lines
from burnish.fixers.search._jobs import Told

# How much a line is worth that only prepares what a suspicious one reads.
AT_SECOND_HAND = 0.85
# What every test has loaded says little by itself.
ONLY_LOADED = 0.3
# A line on the way to the exception is more likely at fault than one beside it.
IN_TRACEBACK, LAST_IN_TRACEBACK = 1.15, 1.35


@dataclass(frozen=True)
class Suspect:
    """A line of the project; `score` is 1 where all failing tests and no passing one ran it."""

    file: str
    line: int
    score: float
    text: str = ""


def suspicious(
    told: Told, failing: Iterable[str], passing: Iterable[str], texts: Mapping[str, str]
) -> tuple[Suspect, ...]:
    """The lines of `texts` (by file) from the most suspicious one on; needs lines by test in `told`."""
    bad, good = tuple(failing), tuple(passing)
    loaded = told.lines.get("", {})
    ran_bad, ran_good = _counted(told, bad), _counted(told, good)
    found = []
    for file, text in texts.items():
        lines = text.splitlines()
        places = ran_bad.get(file, {}).keys() | loaded.get(file, frozenset())
        scores = {}
        for line in places:
            if line in loaded.get(file, ()) and line not in ran_bad.get(file, {}):
                scores[line] = ONLY_LOADED * ochiai(len(bad), len(bad), len(good))
            else:
                scores[line] = ochiai(ran_bad[file][line], len(bad), ran_good.get(file, {}).get(line, 0))
        for (name, line), more in _traced(told, bad).items():
            if name == file and line in scores:
                scores[line] = min(1.0, scores[line] * more)
        found += [
            Suspect(file, line, round(score, 4), lines[line - 1].strip())
            for line, score in scores.items()
            if 0 < line <= len(lines)
        ]
    return tuple(sorted(found, key=lambda one: (-one.score, one.file, one.line)))


def ochiai(failed_here: int, failed: int, passed_here: int) -> float:
    if not failed_here:
        return 0.0
    return failed_here / math.sqrt(failed * (failed_here + passed_here))


def _counted(told: Told, tests: tuple[str, ...]) -> dict[str, dict[int, int]]:
    """How many of these tests ran each line."""
    count: dict[str, dict[int, int]] = {}
    for test in tests:
        for file, lines in told.lines.get(test, {}).items():
            into = count.setdefault(file, {})
            for line in lines:
                into[line] = into.get(line, 0) + 1
    return count


def _traced(told: Told, failing: tuple[str, ...]) -> dict[tuple[str, int], float]:
    more: dict[tuple[str, int], float] = {}
    for test in failing:
        frames = told.ran[test].frames if test in told.ran else ()
        for place in frames:
            more[place] = max(more.get(place, 0.0), IN_TRACEBACK)
        if frames:
            more[frames[-1]] = LAST_IN_TRACEBACK
    return more


def blamed(code: Code, suspects: Iterable[Suspect]) -> dict[ast.stmt, float]:
    """The statements of a file with what their lines are worth, and second hand what those read."""
    by_line = {one.line: one.score for one in suspects if one.file == code.file}
    found: dict[ast.stmt, float] = {}
    for node in ast.walk(code.tree):
        if isinstance(node, ast.stmt):
            score = max((by_line.get(line, 0.0) for line in header_lines(node)), default=0.0)
            if score > 0:
                found[node] = score
    return _with_origins(code, found)


def _with_origins(code: Code, found: dict[ast.stmt, float]) -> dict[ast.stmt, float]:
    """What only loading ran (constants, defaults, class attributes) is as suspicious as what uses it."""
    used: dict[str, float] = {}
    for statement, score in found.items():
        if code.function(statement) is None:
            continue
        for node in expressions(statement):
            name = (
                node.id
                if isinstance(node, ast.Name)
                else node.attr
                if isinstance(node, ast.Attribute)
                else ""
            )
            if name:
                used[name] = max(used.get(name, 0.0), score)
    better = dict(found)
    for statement in found:
        if code.function(statement) is not None and not isinstance(statement, ast.FunctionDef):
            continue
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            inside = [found.get(one, 0.0) for one in ast.walk(statement) if isinstance(one, ast.stmt)]
            better[statement] = AT_SECOND_HAND * max((one for one in inside[1:]), default=0.0)
        else:
            bound = [node.id for node in ast.walk(statement) if isinstance(node, ast.Name)]
            better[statement] = AT_SECOND_HAND * max((used.get(name, 0.0) for name in bound), default=0.0)
    return {statement: score for statement, score in better.items() if score > 0}
