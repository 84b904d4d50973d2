"""Runs as a process of its own, knowing nothing of Burnish: measures the files named on stdin with lizard.

A line of output, parted by tabs: kind, path, name, first, last, complexity, lines; or unread, path, why.
"""

from __future__ import annotations

import ast
import re
import resource
import signal
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

MEMORY_BYTES = 4 * 1024**3
FILE_S = 20.0
# What lizard was seen to raise, or could, on text that is not what its name promises.
TROUBLE = (
    ArithmeticError, AssertionError, AttributeError, LookupError, MemoryError, OSError, RuntimeError,
    StopIteration, SyntaxError, TypeError, ValueError, re.error,
)  # fmt: skip
_PLAIN = re.compile(r"[\x00-\x1f\x7f]+")
_CLASS = re.compile(
    r"^[ \t]*(?:[\w@]+[ \t]+){0,6}?(?:class|struct|trait|interface|impl|object)[ \t]+(\w+)", re.M
)
# Comments and texts, which may hold braces: // # /* */ and quotes; the rest is looked at brace by brace.
_PIECES = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|[{};]", re.S
)
BRACED = frozenset(
    ".java .cs .js .mjs .cjs .ts .tsx .jsx .php .swift .scala .kt .cpp .cc .cxx .hpp .hh .h .rs .sol".split()  # noqa: SIM905
)


def main() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    signal.signal(signal.SIGALRM, _too_long)
    for path in sys.stdin.read().splitlines():
        signal.setitimer(signal.ITIMER_REAL, FILE_S)
        try:
            lines = list(_measured(path))
        except TROUBLE as error:
            lines = [("unread", path, f"{type(error).__name__}: {error}")]
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        for line in lines:
            sys.stdout.write("\t".join(_PLAIN.sub(" ", field)[:300] for field in line) + "\n")


def _too_long(_signal: int, _frame: FrameType | None) -> None:
    raise TimeoutError(f"took longer than {FILE_S:g} s")


def _measured(path: str) -> Iterator[tuple[str, ...]]:
    text = Path(path).read_bytes().decode("utf8")
    classes = list(_classes(path, text))
    for function in _functions(path, text):
        measures = (function.start_line, function.end_line, function.cyclomatic_complexity, function.nloc)
        yield "function", path, _qualified(function.name, function.start_line, classes), *map(str, measures)
    for name, first, last in classes:
        yield "class", path, name, str(first), str(last), "0", str(last - first + 1)


def _qualified(name: str, line: int, classes: list[tuple[str, int, int]]) -> str:
    """With the innermost class around it, where the language's reader does not say so itself."""
    around = [(first, own) for own, first, last in classes if first <= line <= last]
    return name if not around or ":" in name or "." in name else f"{max(around)[1]}.{name}"


def _functions(path: str, text: str) -> Iterable[Any]:
    from lizard_core import file_analyzer as lizard  # type: ignore[import-untyped]

    processors = (
        lizard.preprocessing,
        _without_comments,
        lizard.line_counter,
        lizard.token_counter,
        lizard.condition_counter,
    )
    found: Iterable[Any] = lizard.FileAnalyzer(processors).analyze_source_code(path, text).function_list
    return found


def _without_comments(tokens: Iterable[str], reader: Any) -> Iterator[str]:
    """Unlike lizard's own this does not obey "lizard forgives" and "GENERATED CODE"."""
    for token in tokens:
        comment = reader.get_comment_from_token(token)
        if comment is None:
            yield token
        else:
            yield from ("\n" for _ in comment.splitlines()[1:])


def _classes(path: str, text: str) -> Iterator[tuple[str, int, int]]:
    suffix = Path(path).suffix.lower()
    if suffix == ".py":
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ClassDef):
                yield node.name, node.lineno, node.end_lineno or node.lineno
    elif suffix in BRACED:
        for found in _CLASS.finditer(text):
            last = _closing(text, found.end())
            if last:
                yield found[1], _line(text, found.start(1)), _line(text, last)


def _closing(text: str, start: int) -> int:
    """Where the brace that opens after `start` closes; 0 when none opens before the statement ends."""
    depth = 0
    for piece in _PIECES.finditer(text, start):
        if piece[0] == "{":
            depth += 1
        elif piece[0] == "}":
            depth -= 1
            if depth <= 0:
                return piece.start()
        elif piece[0] == ";" and not depth:
            return 0
    return 0


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


if __name__ == "__main__":
    main()
