"""Which tests failed, and where, read from what a test command printed."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from burnish import codec

Lines = list[str]
NAME_CHARS = 200
BLOCK_LINES = 400
LINE_CHARS = 4000
# A runner names what failed at its end; a flood before it is not read.
MOST_CHARS = 300_000
_BLANK = re.compile(r"[\r\n]{3,}")
_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_UNITTEST = re.compile(r"^(?:FAIL|ERROR): (\S+(?: \([^)]*\))?)")
_PYTEST_SUMMARY = re.compile(
    r"^(FAILED|ERROR|SUBFAIL\S*(?: \([^)]*\))?) (\S+?\.\w+)(?:::(.+?))?(?: - (.*))?$"
)
_PYTEST_HEADER = re.compile(r"^_{2,} (?:ERROR (?:at (?:setup|teardown) of|collecting) )?(.+?) _{2,}$")
_GO = re.compile(r"^\s*--- FAIL: (\S+)")
_CARGO = re.compile(r"^---- (\S+) stdout ----$")
_JEST = re.compile(r"^\s*● (.+)$")
_VITEST = re.compile(r"^\s*(?:×|FAIL)\s+(\S+\.[cm]?[jt]sx? > .+)$")
_MOCHA = re.compile(r"^\s+\d+\) (.+)$")
_TAP = re.compile(r"^\s*not ok \d+(?: -)? ?(.*)$")
_NODE = re.compile(r"^✖ (.+?) \([\d.]+ms\)$")


@dataclass(frozen=True)
class Failure:
    """One test that failed. `block` is what was printed about it.

    `innermost_last` tells how its frames are ordered; `collecting` is a file of tests that
    could not even be loaded.
    """

    name: str
    said: str = ""
    file: str = ""
    block: tuple[str, ...] = ()
    innermost_last: bool = False
    collecting: bool = False


@dataclass
class Blocks:
    """Text cut at headers: what stands below each until the next."""

    named: list[tuple[str, Lines]] = field(default_factory=list)

    def take(self, name: str) -> Lines:
        """The first block of this name that nobody has taken yet."""
        for at, (own, lines) in enumerate(self.named):
            if own == name or own.startswith(f"{name} ("):
                del self.named[at]
                return lines
        return []


def failures(output: str) -> tuple[Failure, ...]:
    """Every failing test that the output names, whichever of the known test runners wrote it."""
    told = _BLANK.sub("\n\n", output[-MOST_CHARS:])
    lines = [line[:LINE_CHARS].rstrip() for line in _plain(_ANSI.sub("", told))]
    for read in _READERS:
        found = tuple({failure.name: failure for failure in read(lines)}.values())
        if found:
            return found
    return ()


def _plain(output: str) -> Iterator[str]:
    """The lines; what `go test -json` wraps is taken out of it."""
    for line in output.splitlines():
        if line.startswith("{") and '"Output":' in line:
            try:
                yield str(codec.loads(line)["Output"])
                continue
            except (ValueError, KeyError, TypeError):
                pass
        yield line


def _cut(lines: Lines, header: re.Pattern[str], end: Callable[[str], bool]) -> Blocks:
    blocks = Blocks()
    body: Lines | None = None
    for line in lines:
        found = header.match(line)
        if found:
            body = []
            blocks.named.append((found[1][:NAME_CHARS], body))
        elif end(line):
            body = None
        elif body is not None and len(body) < BLOCK_LINES:
            body.append(line)
    return blocks


def _pytest(lines: Lines) -> Iterator[Failure]:
    blocks = _cut(lines, _PYTEST_HEADER, lambda line: line.startswith(("====", "---- Captured", "-----")))
    for line in lines:
        found = _PYTEST_SUMMARY.match(line)
        if not found:
            continue
        file, test, said = found[2], found[3] or "", found[4] or ""
        block = blocks.take(test.replace("::", ".") if test else file)
        yield Failure(
            name=f"{file}::{test}" if test else file,
            said=said or _error_line(block),
            file=file,
            block=tuple(block),
            innermost_last=True,
            collecting=not test,
        )


def _error_line(block: Lines) -> str:
    return next((line[1:].strip() for line in reversed(block) if line.startswith("E  ")), "")


def _unittest(lines: Lines) -> Iterator[Failure]:
    blocks = _cut(lines, _UNITTEST, lambda line: line.startswith(("=====", "Ran ")))
    for name, block in blocks.named:
        said = next((line for line in reversed(block) if line and not line.startswith((" ", "-"))), "")
        collecting = "unittest.loader._FailedTest" in name
        yield Failure(name, said, block=tuple(block), innermost_last=True, collecting=collecting)


def _go(lines: Lines) -> Iterator[Failure]:
    for name, block in _cut(lines, _GO, lambda line: line.startswith(("FAIL", "ok  ", "=== "))).named:
        yield Failure(name, _first_words(block), block=tuple(block))


def _cargo(lines: Lines) -> Iterator[Failure]:
    for name, block in _cut(lines, _CARGO, lambda line: line == "failures:").named:
        yield Failure(name, _first_words(block), block=tuple(block))


def _javascript(lines: Lines) -> Iterator[Failure]:
    for header in (_JEST, _VITEST, _NODE):
        for name, block in _cut(
            lines, header, lambda line: line.startswith(("Tests:", "Test Suites:"))
        ).named:
            if name != "Console":
                yield Failure(name, _first_words(block), block=tuple(block))


def _mocha(lines: Lines) -> Iterator[Failure]:
    start = next((at for at, line in enumerate(lines) if re.match(r"^\s+\d+ failing$", line)), None)
    if start is None:
        return
    for name, block in _cut(lines[start:], _MOCHA, lambda line: False).named:
        path = [name]
        while block and block[0].strip() and not path[-1].endswith(":"):
            path.append(block.pop(0).strip())
        yield Failure(" ".join(path).rstrip(":"), _first_words(block), block=tuple(block))


def _tap(lines: Lines) -> Iterator[Failure]:
    for name, block in _cut(lines, _TAP, lambda line: line.lstrip().startswith("ok ")).named:
        if re.search(r"# (TODO|SKIP)\b", name, re.I):
            continue
        errors = [at for at, line in enumerate(block) if re.match(r"\s*(error|message):", line)]
        said = _first_words(block[errors[0] :]) if errors else ""
        stack = next((at for at, line in enumerate(block) if line.strip().startswith("stack:")), 0)
        yield Failure(name or "a test without a name", said, block=tuple(block[stack:] + block[:stack]))


def _first_words(block: Lines) -> str:
    """The first two lines that say anything: runners put the place on one and the reason on the other."""
    said = (line.strip() for line in block if line.strip())
    return " ".join(itertools.islice(said, 2))


_READERS = (_pytest, _unittest, _go, _cargo, _javascript, _mocha, _tap)
