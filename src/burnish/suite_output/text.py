"""An output in lines, cut at the headers that test runners write."""

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


def lines_of(output: str) -> Lines:
    """The end of an output, without colours and without what `go test -json` wraps around it."""
    told = _BLANK.sub("\n\n", output[-MOST_CHARS:])
    return [line[:LINE_CHARS].rstrip() for line in _plain(_ANSI.sub("", told))]


def _plain(output: str) -> Iterator[str]:
    for line in output.splitlines():
        if line.startswith("{") and '"Output":' in line:
            try:
                yield str(codec.loads(line)["Output"])
                continue
            except (ValueError, KeyError, TypeError):
                pass
        yield line


def cut(lines: Lines, header: re.Pattern[str], end: Callable[[str], bool]) -> Blocks:
    """What stands below each line that `header` fits, named by its first group."""
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


def first_words(block: Lines) -> str:
    """The first two lines that say anything: runners put the place on one and the reason on the other."""
    said = (line.strip() for line in block if line.strip())
    return " ".join(itertools.islice(said, 2))


def last_words(block: Lines) -> str:
    """The last line of a traceback: it says why."""
    return next((line for line in reversed(block) if line and not line.startswith((" ", "-"))), "")
