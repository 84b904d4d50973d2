"""A working tree as a git tree, taken through our own list: the tree's own .git is never looked at."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from burnish.git.call import Git, Place, refusal
from burnish.git.filters import judge_contents
from burnish.git.listing import MAX_FILE_BYTES, Sorted, Sorter, list_files, named
from burnish.git.names import first_line
from burnish.git.settings import TREE_FLAGS
from burnish.git.survey import survey
from burnish.git.trees import ABSENT, Delta, deltas
from burnish.model.change import Snapshot

SYMLINK = b"120000"
# The machine's trouble, not the file's: work must never be left out of a snapshot for one of these.
_NOT_THE_FILE = (
    b"No space left", b"Out of diskspace", b"write error", b"Disk quota exceeded", b"File too large",
    b"Input/output error", b"Cannot allocate memory", b"out of memory", b"Too many open files",
    b"Read-only file system", b".lock", b"unable to write",
)  # fmt: skip


@dataclass(frozen=True)
class Rules:
    """What a snapshot takes: ignore files besides those in the tree, and the largest file."""

    excludes: tuple[Path, ...] = ()
    max_file_bytes: int = MAX_FILE_BYTES


async def take_snapshot(git: Git, place: Place, start: str, rules: Rules) -> Snapshot:
    """`place` names our git directory, the tree and an index of ours that holds the tree `start`."""
    root = place.folder
    place = place.at(root, _index(place), TREE_FLAGS)
    refused = await asyncio.to_thread(survey, root)
    listing = await list_files(git, place, rules.excludes, changed=True)
    found = await asyncio.to_thread(Sorter(root, rules.max_file_bytes).sort, listing)
    found.dropped = refused | found.dropped
    if not found.take and not found.remove:
        return Snapshot(start, named(found.dropped))
    await update_index(git, place, found)
    tree, changed = await _written(git, place, start)
    suspicious = await asyncio.to_thread(find_suspicious, root, changed)
    return Snapshot(tree, named(found.dropped), named(suspicious))


async def _written(git: Git, place: Place, start: str) -> tuple[str, list[Delta]]:
    """The index as a tree, and how it differs from the start."""
    tree = await write_tree(git, place)
    changed = await deltas(git, place, start, tree) if tree != start else []
    algorithm = "sha1" if len(tree) == 40 else "sha256"
    same = await asyncio.to_thread(judge_contents, place.folder, changed, {}, algorithm)
    if not same.undo:
        return tree, changed
    tree = await put_back(git, place, same.undo)
    return tree, [delta for delta in changed if delta not in same.undo]


async def write_tree(git: Git, place: Place) -> str:
    return (await git("write-tree", at=place)).decode().strip()


async def put_back(git: Git, place: Place, undo: Sequence[Delta]) -> str:
    """The index's tree, with these entries as they were before."""
    lines = [
        b"%s %s\t%s\0" % (delta.old_mode.replace(ABSENT, b"0"), delta.old_object.encode(), delta.path)
        for delta in undo
    ]
    await git("update-index", "-z", "--index-info", at=place, stdin=b"".join(lines))
    return await write_tree(git, place)


def _index(place: Place) -> Path:
    assert place.index is not None
    return place.index


async def update_index(git: Git, place: Place, found: Sorted) -> None:
    """Bring the index to what was found. A path git refuses is dropped, and the rest still taken."""
    if found.remove:
        await git(
            "update-index",
            "--force-remove",
            "-z",
            "--stdin",
            at=place,
            stdin=b"\0".join([*found.remove, b""]),
        )
    await _add(git, place, found.take, found.dropped)


async def _add(git: Git, place: Place, paths: Sequence[bytes], dropped: dict[bytes, str]) -> None:
    if not paths:
        return
    answer = await git.ask(
        "update-index", "--add", "--replace", "-z", "--stdin", at=place, stdin=b"\0".join([*paths, b""])
    )
    for path in _ignored(answer.err):
        dropped[path] = "a name git does not take"
    if answer.code == 0:
        return
    if any(words in answer.err for words in _NOT_THE_FILE):
        raise refusal("update-index", answer)
    if len(paths) == 1:
        dropped[paths[0]] = f"git could not take it: {first_line(answer.err)}"
        return
    # One bad file fails the whole call: halve until it stands alone.
    middle = len(paths) // 2
    await _add(git, place, paths[:middle], dropped)
    await _add(git, place, paths[middle:], dropped)


def _ignored(err: bytes) -> list[bytes]:
    prefix = b"Ignoring path "
    return [line.removeprefix(prefix) for line in err.splitlines() if line.startswith(prefix)]


def find_suspicious(root: Path, changed: Sequence[Delta]) -> dict[bytes, str]:
    """New or changed entries that a person should look at: links that lead out, submodule commands."""
    found: dict[bytes, str] = {}
    for delta in changed:
        if delta.mode == SYMLINK and (why := _leads_out(root, delta.path)):
            found[delta.path] = why
        elif delta.path.rpartition(b"/")[2] == b".gitmodules" and delta.mode != b"000000":
            found[delta.path] = "a submodule file was changed"
    return found


def _leads_out(root: Path, path: bytes) -> str:
    link = os.fsencode(root) + b"/" + path
    try:
        target = os.readlink(link)  # noqa: PTH115 - bytes
    except OSError:
        return ""
    if target.startswith(b"/"):
        return "a symlink to an absolute path"
    top = os.path.realpath(os.fsencode(root))
    lexical = os.path.normpath(os.path.join(top, path.rpartition(b"/")[0], target))  # noqa: PTH118
    for end in (lexical, os.path.realpath(link)):
        if end != top and not end.startswith(top + b"/"):
            return "a symlink that leads out of the tree"
    inside = os.path.relpath(lexical, top)
    return "a symlink into .git" if inside.split(b"/")[0].lower() == b".git" else ""
