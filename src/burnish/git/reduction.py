"""A diff that is too long for a prompt, made shorter: what is shown of each file, and what is missing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from mmap import mmap

from burnish.git.generated import BY_MARK, BY_NAME, marked_so, named_so
from burnish.git.names import shown
from burnish.git.trees import ABSENT, Delta

LEAST_BYTES = 2000
# A hunk of which fewer lines than this could be shown is not shown at all.
LEAST_LINES = 5
TOP_LINES = 10
TOP_BYTES = 2000
_HUNK = re.compile(rb"\n(?P<header>@@ -)")
_RANGE = re.compile(rb"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@([^\n]*)\n")
# By so much a header can grow when its counts are written out.
_COUNTS_BYTES = 24


@dataclass(frozen=True)
class Part:
    """Where one file's text lies in the whole; one of two texts (a changed kind of file) is not cut."""

    delta: Delta
    start: int
    end: int
    one_text: bool = True

    @property
    def size(self) -> int:
        return self.end - self.start

    @property
    def name(self) -> str:
        return shown(self.delta.path)


@dataclass(frozen=True)
class Shown:
    """What is shown of one part, and what is missing of it; nothing is missing of a whole one."""

    text: bytes = b""
    missing: str = ""


def reduced(data: mmap | bytes, parts: list[Part], cap: int) -> list[Shown]:
    """For each part what is shown of it: together at most `cap` bytes, and the same for the same diff.

    A diff that fits is shown whole. Else the files that a person wrote share the room, the smallest first:
    what one does not need is left to those after it, and one that is larger than its share shows its first
    hunks. Where there is too little for each, the largest get nothing. Generated files, lock files and the
    like get what is then left, whole or not at all.
    """
    if sum(part.size for part in parts) <= cap:
        return [Shown(data[part.start : part.end]) for part in parts]
    why = [_generated(data, part) for part in parts]
    by_size = sorted(range(len(parts)), key=lambda number: (parts[number].size, number))
    result = {number: Shown(missing=why[number] or _too_large(parts[number])) for number in by_size}
    room = cap
    sharing = _sharing(parts, [number for number in by_size if not why[number]], cap)
    for rank, number in enumerate(sharing):
        result[number] = _within(data, parts[number], room // (len(sharing) - rank))
        room -= len(result[number].text)
    for number in (number for number in by_size if why[number]):
        if parts[number].size <= room:
            result[number] = Shown(data[parts[number].start : parts[number].end])
            room -= parts[number].size
    return [result[number] for number in range(len(parts))]


def _sharing(parts: list[Part], by_size: list[int], cap: int) -> list[int]:
    """Those that get a share: as many, from the smallest on, as can have one that is worth something."""
    least, needed, found = min(LEAST_BYTES, cap // 4), 0, []
    for number in by_size:
        needed += min(parts[number].size, least)
        if needed > cap:
            break
        found.append(number)
    return found


def _within(data: mmap | bytes, part: Part, budget: int) -> Shown:
    """The part if it is within the budget, else its header and first hunks."""
    if part.size <= budget:
        return Shown(data[part.start : part.end])
    hunks = [match.start("header") for match in _HUNK.finditer(data, part.start, part.end)]
    if not hunks or not part.one_text or hunks[0] - part.start > budget:
        return Shown(missing=_too_large(part))
    limit = part.start + budget
    ends = [*hunks[1:], part.end]
    whole = sum(1 for end in ends if end <= limit)
    end = ends[whole - 1] if whole else hunks[0]
    text, last_line = _begun(data[hunks[whole] : min(limit, ends[whole])])
    if not whole and not text:
        return Shown(missing=_too_large(part))
    return Shown(data[part.start : end] + text, _rest(whole, len(hunks), last_line))


def _begun(hunk: bytes) -> tuple[bytes, str]:
    """The lines of a hunk that are whole, with a header that counts them, and which line is the last."""
    header = _RANGE.match(hunk)
    if header is None:
        return b"", ""
    lines = hunk[header.end() : max(header.end(), len(hunk) - _COUNTS_BYTES)].split(b"\n")[:-1]
    if len(lines) < LEAST_LINES:
        return b"", ""
    old = sum(line[:1] in (b" ", b"-") for line in lines)
    new = sum(line[:1] in (b" ", b"+") for line in lines)
    old_start, new_start = int(header[1]), int(header[2])
    # A side without lines is counted from the line before it, as git does.
    old_start -= 1 if not old and old_start else 0
    new_start -= 1 if not new and new_start else 0
    counts = b"@@ -%d,%d +%d,%d @@%s\n" % (old_start, old, new_start, new, header[3])
    last = f"line {new_start + new - 1}" if new else f"the base's line {old_start + old - 1}"
    return counts + b"\n".join(lines) + b"\n", last


def _rest(whole: int, hunks: int, last_line: str) -> str:
    """`hunks 4-9 of 9`, or `hunk 3 of 9 after line 120, hunks 4-9 of 9`."""
    first = whole + (2 if last_line else 1)
    begun = [f"hunk {whole + 1} of {hunks} after {last_line}"] if last_line else []
    if first > hunks:
        return begun[0]
    rest = f"hunk {hunks} of {hunks}" if first == hunks else f"hunks {first}-{hunks} of {hunks}"
    return ", ".join([*begun, rest])


def _too_large(part: Part) -> str:
    return f"too large, {max(1, part.size // 1024)} KB of diff"


def _generated(data: mmap | bytes, part: Part) -> str:
    """Why nobody wrote it. A change may say so of a file that it adds, not of one that was there before."""
    if named_so(part.name):
        return BY_NAME
    is_new = part.delta.old_mode == ABSENT
    top = b"\n".join(_top(data[part.start : min(part.end, part.start + TOP_BYTES)], is_new))
    return BY_MARK if marked_so(top) else ""


def _top(text: bytes, is_new: bool) -> Iterator[bytes]:
    """The first lines of the file, where the diff shows them."""
    _, _, body = text.partition(b"\n@@ -")
    if not body.startswith((b"0,0 ", b"1 ", b"1,")):
        return
    for line in body.split(b"\n")[1 : TOP_LINES + 1]:
        if line[:1] in ((b"+",) if is_new else (b" ", b"-")):
            yield line[1:]
