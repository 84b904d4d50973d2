"""A tree's files as plain files in a folder, to be read by tools: no .git, no symlinks, nothing special."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from burnish.git.files import remove_folder, trouble_told, write_atomically
from burnish.git.names import means_git, shown
from burnish.git.run_store import RunStore
from burnish.model.subject import NotReviewed
from burnish.ports import Source

MAX_BLOB_BYTES = 20 * 1024 * 1024
REGULAR = (b"100644", b"100755")
WHY_LINK = "a symlink: what it leads to is not part of the change"
WHY_SUBMODULE = "a submodule"
WHY_NAME = "its name is not printable UTF-8"
WHY_UNSAFE = "a name that cannot be laid out safely"
WHY_HUGE = f"larger than {MAX_BLOB_BYTES // (1024 * 1024)} MB"


@dataclass(frozen=True)
class Entry:
    """A regular file of a tree."""

    path: str
    object: str
    size: int
    executable: bool


@dataclass(frozen=True)
class TreeFiles:
    files: Mapping[str, Entry]
    left_out: tuple[NotReviewed, ...]


async def tree_files(store: RunStore, tree: str) -> TreeFiles:
    """What of a tree can be laid out, and what is left out and why."""
    out = await store.git("ls-tree", "-r", "-z", "--long", "--full-tree", tree, at=store.place)
    files: dict[str, Entry] = {}
    left_out = []
    for record in out.split(b"\0"):
        if not record:
            continue
        about, _, path = record.partition(b"\t")
        mode, _, name, size = about.split()
        why = _why_not(mode, path, size)
        if why:
            left_out.append(NotReviewed(shown(path), why))
        else:
            entry = Entry(path.decode(), name.decode(), int(size), mode == b"100755")
            files[entry.path] = entry
    return TreeFiles(files, tuple(left_out))


def _why_not(mode: bytes, path: bytes, size: bytes) -> str:
    if mode == b"120000":
        return WHY_LINK
    if mode not in REGULAR:
        return WHY_SUBMODULE
    parts = path.split(b"/")
    if any(part in (b"", b".", b"..") or means_git(part) for part in parts):
        return WHY_UNSAFE
    if shown(path).encode() != path:
        return WHY_NAME
    return WHY_HUGE if int(size) > MAX_BLOB_BYTES else ""


async def lay_source(store: RunStore, tree: str, folder: Path, like: Source | None = None) -> Source:
    """All regular files of a tree in `folder`; what `like` holds unchanged is linked instead of copied.

    A folder that was finished before is taken as it is: only we write there.
    """
    done = folder.with_name(f"{folder.name}.done")
    if done.is_file() and done.read_text("ascii") == tree:
        return Source(folder, tree)
    wanted = (await tree_files(store, tree)).files
    known = (await tree_files(store, like.tree)).files if like else {}
    with trouble_told("laying out the files to review"):
        await asyncio.to_thread(_start, folder, done)
        fresh = await asyncio.to_thread(_link, wanted, known, like, folder)
        await _write(store, fresh, folder)
        write_atomically(done, tree.encode())
    return Source(folder, tree)


def _start(folder: Path, done: Path) -> None:
    done.unlink(missing_ok=True)
    remove_folder(folder)
    folder.mkdir(parents=True)


def _link(
    wanted: Mapping[str, Entry], known: Mapping[str, Entry], like: Source | None, folder: Path
) -> list[Entry]:
    """Makes every folder and links what is the same; gives the entries that must be written."""
    for parent in sorted({os.path.dirname(path) for path in wanted}):  # noqa: PTH120
        (folder / parent).mkdir(parents=True, exist_ok=True)
    fresh = []
    for path, entry in wanted.items():
        same = known.get(path)
        if like and same and (same.object, same.executable) == (entry.object, entry.executable):
            (folder / path).hardlink_to(like.root / path)
        else:
            fresh.append(entry)
    return fresh


async def _write(store: RunStore, entries: list[Entry], folder: Path) -> None:
    if not entries:
        return
    handle, name = tempfile.mkstemp(prefix="blobs-", dir=store.scratch)
    os.close(handle)
    blobs = Path(name)
    try:
        names = "".join(f"{entry.object}\n" for entry in entries).encode()
        await store.git("cat-file", "--batch", "--buffer", at=store.place, stdin=names, output=blobs)
        await asyncio.to_thread(_unpack, blobs, entries, folder)
    finally:
        blobs.unlink(missing_ok=True)


def _unpack(blobs: Path, entries: list[Entry], folder: Path) -> None:
    """`name type size`, the bytes, a line feed; in the order they were asked for. Written read-only."""
    with blobs.open("rb") as stream:
        for entry in entries:
            size = int(stream.readline().split()[-1])
            descriptor = os.open(
                folder / entry.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW,
                0o555 if entry.executable else 0o444,
            )  # fmt: skip
            with os.fdopen(descriptor, "wb") as file:
                file.write(stream.read(size))
            stream.read(1)
