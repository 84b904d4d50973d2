"""Git's index as it lies on disk, read without git: which entries it has, apart from the dates of files."""

from __future__ import annotations

from dataclasses import dataclass

_SIGNATURE = b"DIRC"
_STAT_BYTES = 40
_MODE_AT = 24
_EXTENDED = 0x4000
# The low bits of the flags are the length of the name, which is no news.
_FLAGS = 0xF000


@dataclass(frozen=True)
class Entry:
    mode: int
    object: bytes
    flags: int
    more_flags: int


def index_entries(data: bytes, object_bytes: int) -> dict[tuple[bytes, int], Entry] | None:
    """(Path, stage) -> entry; None for what cannot be read as an index of version 2, 3 or 4."""
    version, count = int.from_bytes(data[4:8], "big"), int.from_bytes(data[8:12], "big")
    if data[:4] != _SIGNATURE or version not in (2, 3, 4):
        return None
    found: dict[tuple[bytes, int], Entry] = {}
    at, path = 12, b""
    for _ in range(count):
        start = at
        mode = int.from_bytes(data[at + _MODE_AT : at + _MODE_AT + 4], "big")
        at += _STAT_BYTES + object_bytes
        name = data[at - object_bytes : at]
        flags = int.from_bytes(data[at : at + 2], "big")
        more = int.from_bytes(data[at + 2 : at + 4], "big") if flags & _EXTENDED else 0
        at += 4 if flags & _EXTENDED else 2
        kept = b""
        if version == 4:
            dropped, at = _number(data, at)
            kept = path[: max(0, len(path) - dropped)]
        end = data.find(b"\0", at)
        if end < 0:
            return None
        path = kept + data[at:end]
        at = end + 1 if version == 4 else start + (end - start + 8) // 8 * 8
        found[path, flags >> 12 & 3] = Entry(mode, name, flags & _FLAGS, more)
    return found


def _number(data: bytes, at: int) -> tuple[int, int]:
    """A number in git's offset encoding, and where it ends."""
    value = -1
    for place in range(at, min(at + 10, len(data))):
        value = ((value + 1) << 7) | (data[place] & 0x7F)
        if not data[place] & 0x80:
            return value, place + 1
    return 0, len(data)
