"""Running a tool so that comments in the code cannot silence it: where they stand, a spoiled copy is read.

For tools that have no option for it. A copy has the same length and the same lines, so places stay right.
"""

from __future__ import annotations

import re
import stat
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from burnish.analysers._program import Answer, Call, over_files
from burnish.model.assessment import Analysis
from burnish.model.subject import NotReviewed
from burnish.ports import Source

MAX_BYTES = 4 * 1024 * 1024


@dataclass(frozen=True)
class Silencer:
    """`comment` is what silences the tool; `copies` is where a copy may be made."""

    comment: re.Pattern[bytes]
    copies: Path


@dataclass
class Sorted:
    """Files to be read where they are, those with a silencing comment (copied), and those nobody can read."""

    plain: list[str] = field(default_factory=list)
    silenced: list[str] = field(default_factory=list)
    unread: list[NotReviewed] = field(default_factory=list)


async def over_unsilenced(
    call: Call,
    source: Source,
    files: tuple[str, ...],
    read: Callable[[str, Path], Answer],
    silencer: Silencer,
) -> Analysis:
    """As `over_files`; what the tool would pass over without a word (not text, too large) is named."""
    found = sort(source.root, files, silencer)
    first = await over_files(call, source, tuple(found.plain), lambda text: read(text, source.root))
    if found.silenced and not first.failed:
        copies = replace(source, root=silencer.copies)
        second = await over_files(
            call, copies, tuple(found.silenced), lambda text: read(text, silencer.copies)
        )
        first = _together(first, second)
    return replace(first, not_reviewed=first.not_reviewed + tuple(found.unread))


def sort(root: Path, files: tuple[str, ...], silencer: Silencer) -> Sorted:
    """Look at each file once; copies are made of those that need one."""
    found = Sorted()
    for name in files:
        why, data = _content(root / name)
        if why:
            found.unread.append(NotReviewed(name, why))
        elif silencer.comment.search(data):
            target = silencer.copies / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(silencer.comment.sub(lambda said: b"_" + said[0][1:], data))
            found.silenced.append(name)
        else:
            found.plain.append(name)
    return found


def _content(path: Path) -> tuple[str, bytes]:
    """Why a tool would not read this file, or what is in it."""
    try:
        about = path.lstat()
        if not stat.S_ISREG(about.st_mode):
            return "not a regular file", b""
        if about.st_size > MAX_BYTES:
            return f"larger than {MAX_BYTES // 1024 // 1024} MB", b""
        data = path.read_bytes()
        data.decode("utf8")
    except OSError as error:
        return f"cannot be read ({error.strerror})", b""
    except UnicodeDecodeError:
        return "not UTF-8", b""
    return "", data


def _together(first: Analysis, second: Analysis) -> Analysis:
    if second.failed:
        return second
    return replace(
        first,
        findings=first.findings + second.findings,
        not_reviewed=first.not_reviewed + second.not_reviewed,
        files=first.files + second.files,
        raw=first.raw + second.raw,
        duration_s=first.duration_s + second.duration_s,
    )
