"""Names: paths that are safe to show, or to use as a folder."""

from __future__ import annotations

import hashlib
import re
import unicodedata

from burnish.repository_files import means_git as means_git
from burnish.sanitise import both_ends, decoded, escaped

_PLAIN = re.compile(rb"[ -~]*")


def shown(path: bytes) -> str:
    """A path as text that can be printed and stored: other bytes and control characters are escaped."""
    if _PLAIN.fullmatch(path):
        return path.decode("ascii")
    text = decoded(path)
    odd = {char for char in set(text) if not _printable(char)}
    return escaped(text, {char: char.encode("unicode_escape").decode() for char in odd})


def _printable(char: str) -> bool:
    return char.isprintable() or (ord(char) > 0x20 and unicodedata.category(char)[0] not in "CZ")


def slug(text: str, longest: int = 40) -> str:
    """Lower-case letters, digits and dashes: a folder or ref name on any system."""
    plain = re.sub(r"[^a-z0-9]+", "-", text.casefold()).strip("-")[:longest].strip("-")
    return plain or "x"


def short_hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:10]


def first_line(text: bytes, longest: int = 300) -> str:
    """Git's complaint in one line: the first that says fatal or error, else the first at all."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    loud = [line for line in lines if line.startswith((b"fatal:", b"error:"))]
    line = next(iter(loud or lines), b"")
    for prefix in (b"fatal: ", b"error: "):
        line = line.removeprefix(prefix)
    # Several times as much as is shown is enough at either end: a line may be megabytes.
    if len(line) > 8 * longest:
        line = line[: 4 * longest] + line[-4 * longest :]
    return both_ends(shown(line), longest)
