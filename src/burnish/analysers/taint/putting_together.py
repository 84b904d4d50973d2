"""Lines on which what arrives at a clean place was put together, where it goes nowhere else.

Linters stand where a text is built, the pass stands where it is used. A line is told only if the names it
fills are read by nothing but clean calls, questions, and calls that only make a text or a path of them.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from burnish.analysers.taint.finding.sinks import last_word

# Calls that make text or paths, or answer questions about them, or tell people; none of them uses it.
FORMING = frozenset({
    "join", "realpath", "abspath", "normpath", "normcase", "basename", "dirname", "splitext", "expanduser",
    "commonpath", "commonprefix", "relpath", "Path", "PurePath", "PurePosixPath", "resolve", "absolute",
    "joinpath", "with_suffix", "with_name", "relative_to", "is_relative_to", "exists", "is_file", "is_dir",
    "isfile", "isdir", "islink", "is_symlink", "str", "fspath", "repr", "len", "isinstance", "any", "all",
    "int", "format", "strip", "lstrip", "rstrip", "lower", "upper", "startswith", "endswith", "replace",
    "removeprefix", "removesuffix", "isdigit", "isalnum", "isalpha", "isidentifier", "encode", "decode",
    "fullmatch", "match", "search", "dedent", "secure_filename", "quote", "escape", "print", "debug", "info",
    "warning",
})  # fmt: skip
NOWHERE = ""
MOST_LINES = 100
MOST_READINGS = 3000
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class _Reading:
    """A name that is read: inside of calls that begin on these lines, one of which may do anything with it;
    what comes of it goes into other names, or is only asked about (`into` is None)."""

    name: str
    calls: tuple[int, ...] = ()
    used: bool = False
    into: str | None = NOWHERE


@dataclass
class _Scope:
    readings: list[_Reading] = field(default_factory=list)
    filled: dict[str, list[range]] = field(default_factory=lambda: defaultdict(list))
    elsewhere: set[str] = field(default_factory=set)


def lines_before(tree: ast.Module, clean: set[int]) -> dict[int, tuple[int, ...]]:
    """For clean lines of one class, the lines before them that say no more than they do."""
    found = {line: set(lines) for line, lines in _spans(tree, clean).items()}
    for function in _functions(tree):
        inside = {line for line in clean if function.lineno < line <= (function.end_lineno or 0)}
        if inside:
            scope = _read(function)
            fine = _only_used_in(scope, inside) if len(scope.readings) <= MOST_READINGS else set()
            for line in inside:
                found.setdefault(line, set()).update(_lines_of(scope, fine, line))
    return {line: tuple(sorted(lines - {line})) for line, lines in found.items()}


def _spans(tree: ast.Module, clean: set[int]) -> dict[int, set[int]]:
    """The further lines of a call, except those of calls inside that may do something themselves."""
    found: dict[int, set[int]] = defaultdict(set)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    for node in calls:
        if node.lineno in clean and len(_lines(node)) > 1:
            found[node.lineno] |= set(_lines(node))
    for lines in found.values():
        first = min(lines)
        for node in calls:
            if first < node.lineno and node.lineno in lines and last_word(node.func) not in FORMING:
                lines -= set(_lines(node))
    return found


def _lines(node: ast.Call) -> range:
    return range(node.lineno, min(node.end_lineno or node.lineno, node.lineno + MOST_LINES) + 1)


def _functions(tree: ast.Module) -> Iterator[_Function]:
    """The outermost ones: what lies inside of them shares their names."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, _Function):
            yield node
        else:
            waiting += ast.iter_child_nodes(node)


def _read(function: _Function) -> _Scope:
    scope = _Scope()
    waiting: list[tuple[ast.AST, _Reading]] = [(one, _Reading("")) for one in function.body]
    while waiting:
        node, around = waiting.pop()
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Load):
                scope.readings.append(_Reading(node.id, around.calls, around.used, around.into))
        elif isinstance(node, ast.Global | ast.Nonlocal):
            scope.elsewhere |= set(node.names)
        else:
            waiting += _inside(scope, node, around)
    return scope


def _inside(scope: _Scope, node: ast.AST, around: _Reading) -> Iterator[tuple[ast.AST, _Reading]]:
    into: str | None = around.into
    tests: tuple[ast.expr, ...] = ()
    if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.NamedExpr):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        name = targets[0].id if len(targets) == 1 and isinstance(targets[0], ast.Name) else NOWHERE
        into = name if not isinstance(node, ast.NamedExpr) else NOWHERE
        if into and _only_forms(node):
            scope.filled[into].append(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    elif isinstance(node, ast.If | ast.While | ast.IfExp | ast.Assert):
        tests = (node.test,)
    elif isinstance(node, ast.Expr):
        into = None
    elif isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
        # What an error says of it.
        yield from ((one, _Reading("", around.calls, around.used, None)) for one in node.exc.args)
        return
    used, calls = around.used, around.calls
    if isinstance(node, ast.Call):
        calls, used = (*calls, node.lineno), used or last_word(node.func) not in FORMING
    elif isinstance(node, ast.Yield | ast.YieldFrom | ast.Await | ast.Lambda | _Function):
        into = NOWHERE
    for child in ast.iter_child_nodes(node):
        yield child, _Reading("", calls, used, None if child in tests else into)


def _only_forms(statement: ast.AST) -> bool:
    """Nothing on these lines can use what is put together there."""
    return all(
        last_word(node.func) in FORMING or all(isinstance(one, ast.Constant) for one in _given(node))
        for node in ast.walk(statement)
        if isinstance(node, ast.Call)
    )


def _given(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def _only_used_in(scope: _Scope, clean: set[int]) -> set[str]:
    """Names that come to nothing but these lines."""
    fine = set(scope.filled) - scope.elsewhere
    while True:
        left = {
            one.name
            for one in scope.readings
            if one.name in fine
            and not clean.intersection(one.calls)
            and (one.used or (one.into is not None and one.into not in fine))
        }
        if not left:
            return fine
        fine -= left


def _lines_of(scope: _Scope, fine: set[str], line: int) -> Iterator[int]:
    """Of the names that are read there, and of those these were made of."""
    names = {one.name for one in scope.readings if line in one.calls and one.name in fine}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        for lines in scope.filled[name]:
            yield from lines
        new = {one.name for one in scope.readings if one.into == name and one.name in fine} - names
        names |= new
        waiting += new
