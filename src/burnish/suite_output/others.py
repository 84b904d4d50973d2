"""Failing tests as runners of other languages name them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from burnish.suite_output.text import Failure, Lines, cut, first_words

_GO = re.compile(r"^\s*--- FAIL: (\S+)")
_CARGO = re.compile(r"^---- (\S+) stdout ----$")
_JEST = re.compile(r"^\s*● (.+)$")
_VITEST = re.compile(r"^\s*(?:×|FAIL)\s+(\S+\.[cm]?[jt]sx? > .+)$")
_MOCHA = re.compile(r"^\s+\d+\) (.+)$")
_TAP = re.compile(r"^\s*not ok \d+(?: -)? ?(.*)$")
_NODE = re.compile(r"^✖ (.+?) \([\d.]+ms\)$")


def go(lines: Lines) -> Iterator[Failure]:
    for name, block in cut(lines, _GO, lambda line: line.startswith(("FAIL", "ok  ", "=== "))).named:
        yield Failure(name, first_words(block), block=tuple(block))


def cargo(lines: Lines) -> Iterator[Failure]:
    for name, block in cut(lines, _CARGO, lambda line: line == "failures:").named:
        yield Failure(name, first_words(block), block=tuple(block))


def javascript(lines: Lines) -> Iterator[Failure]:
    for header in (_JEST, _VITEST, _NODE):
        for name, block in cut(lines, header, lambda line: line.startswith(("Tests:", "Test Suites:"))).named:
            if name != "Console":
                yield Failure(name, first_words(block), block=tuple(block))


def mocha(lines: Lines) -> Iterator[Failure]:
    start = next((at for at, line in enumerate(lines) if re.match(r"^\s+\d+ failing$", line)), None)
    if start is None:
        return
    for name, block in cut(lines[start:], _MOCHA, lambda line: False).named:
        path = [name]
        while block and block[0].strip() and not path[-1].endswith(":"):
            path.append(block.pop(0).strip())
        yield Failure(" ".join(path).rstrip(":"), first_words(block), block=tuple(block))


def tap(lines: Lines) -> Iterator[Failure]:
    for name, block in cut(lines, _TAP, lambda line: line.lstrip().startswith("ok ")).named:
        if re.search(r"# (TODO|SKIP)\b", name, re.I):
            continue
        errors = [at for at, line in enumerate(block) if re.match(r"\s*(error|message):", line)]
        said = first_words(block[errors[0] :]) if errors else ""
        stack = next((at for at, line in enumerate(block) if line.strip().startswith("stack:")), 0)
        yield Failure(name or "a test without a name", said, block=tuple(block[stack:] + block[:stack]))


READERS = (go, cargo, javascript, mocha, tap)
