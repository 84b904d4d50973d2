"""Looks for a secret in whatever a folder holds: plain, encoded, compressed, in rows of a database, in git objects."""

from __future__ import annotations

import base64
import contextlib
import os
import re
import sqlite3
import zlib
from collections.abc import Iterator
from pathlib import Path

STREAM = re.compile(rb"\x78[\x01\x5e\x9c\xda]|\x1f\x8b\x08")
LARGEST = 64 * 1024 * 1024
SQLITE = b"SQLite format 3\0"


def spellings(secret: str) -> dict[str, bytes]:
    """How a secret may be written down; base64 in each of its three positions."""
    raw = secret.encode()
    found = {
        "plain": raw,
        "hex": raw.hex().encode(),
        "url-encoded": "".join(f"%{byte:02x}" for byte in raw).encode(),
    }
    for shift in range(3):
        whole = base64.b64encode(b"\0" * shift + raw)
        found[f"base64 at {shift}"] = whole[-(-8 * shift // 6) : 8 * (shift + len(raw)) // 6]
    return found


def views(data: bytes) -> Iterator[bytes]:
    """The bytes themselves and every compressed stream in them (loose git objects, packs, logs)."""
    yield data
    for match in STREAM.finditer(data):
        window = 31 if match[0][0] == 0x1F else 15
        with contextlib.suppress(zlib.error):
            unpacked = zlib.decompressobj(window).decompress(data[match.start() :], LARGEST)
            if len(unpacked) > 8:
                yield unpacked


def rows(path: Path) -> bytes:
    """All values of a database: a long text lies in pieces in its file."""
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        names = [name for (name,) in database.execute("select name from sqlite_master where type = 'table'")]
        found = [
            value for name in names for row in database.execute(f'select * from "{name}"') for value in row
        ]
    return b"\n".join(
        value if isinstance(value, bytes) else str(value).encode("utf8", "replace") for value in found
    )


def held(folder: Path) -> dict[str, list[bytes]]:
    """Everything in a folder, by the name of its file, in all its views."""
    found: dict[str, list[bytes]] = {}
    for path in folder.rglob("*"):
        if path.is_symlink() or not path.is_file():
            continue
        data = path.read_bytes()
        name = os.fspath(path.relative_to(folder))
        found[name] = [name.encode(), *views(data)]
        if data.startswith(SQLITE):
            found[name].append(rows(path))
    return found


def found_in(secret: str, held_there: dict[str, list[bytes]]) -> list[str]:
    """The names of what holds the secret in any spelling."""
    words = spellings(secret).items()
    return [
        f"{name} ({how})"
        for name, all_views in held_there.items()
        for how, word in words
        if any(word in view or (how in ("hex", "url-encoded") and word in view.lower()) for view in all_views)
    ]
