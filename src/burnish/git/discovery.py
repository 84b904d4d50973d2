"""From two trees, or a tree and patterns, to the files a review looks at."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from burnish.errors import UsageError
from burnish.git.export import Entry, TreeFiles, lay_source, tree_files
from burnish.git.generated import BY_MARK, BY_NAME, marked_so, named_so
from burnish.git.names import shown
from burnish.git.run_store import RunStore
from burnish.git.trees import Delta, deltas
from burnish.model.subject import FileStatus, NotReviewed, Subject, SubjectFile
from burnish.ports import Source

HUGE_BYTES = 1024 * 1024
LOOK_BYTES = 8000
_STATUS = {b"A": FileStatus.ADDED, b"D": FileStatus.DELETED, b"R": FileStatus.RENAMED}


async def changed_files(store: RunStore, subject: Subject) -> Subject:
    """The subject with every path that its two trees have differently, renames followed."""
    found = await deltas(store.git, store.place, subject.base_tree, subject.tree, renames=True)
    files = [_changed(delta) for delta in found]
    stat = await store.git(
        "diff-tree", "-r", "-z", "--numstat", "--no-ext-diff", "--no-textconv", "-M",
        subject.base_tree, subject.tree, at=store.place,
    )  # fmt: skip
    added, removed = _counted(stat)
    return replace(subject, files=tuple(files), insertions=added, deletions=removed)


def _changed(delta: Delta) -> SubjectFile:
    status = _STATUS.get(delta.status, FileStatus.MODIFIED)
    return SubjectFile(shown(delta.path), status, shown(delta.old_path) if delta.old_path else "")


def _counted(stat: bytes) -> tuple[int, int]:
    found = re.findall(rb"(?:^|\0)(\d+)\t(\d+)\t", stat)
    return sum(int(added) for added, _ in found), sum(int(removed) for _, removed in found)


async def look_at(store: RunStore, subject: Subject, folder: Path) -> tuple[Subject, Source]:
    """Lay the tree out and sort its files: what can be reviewed, with its length, and what cannot and why."""
    known = await tree_files(store, subject.tree)
    source = await lay_source(store, subject.tree, folder)
    return await asyncio.to_thread(_sorted, subject, known, source.root), source


def _sorted(subject: Subject, known: TreeFiles, root: Path) -> Subject:
    left_out = {file.path: file for file in known.left_out}
    files, skipped = [], list(subject.skipped)
    for file in subject.files:
        if file.status is FileStatus.DELETED:
            files.append(file)
        elif file.path in left_out:
            skipped.append(left_out[file.path])
        elif entry := known.files.get(file.path):
            why, lines = _judge(entry, root)
            if why:
                skipped.append(NotReviewed(file.path, why))
            else:
                files.append(replace(file, lines=lines))
    return replace(subject, files=tuple(files), skipped=tuple(skipped))


def _judge(entry: Entry, root: Path) -> tuple[str, int]:
    """Why a file is not reviewed, or how many lines it has."""
    if named_so(entry.path):
        return BY_NAME, 0
    if entry.size > HUGE_BYTES:
        return f"huge ({entry.size // 1024} KB; the limit is {HUGE_BYTES // 1024} KB)", 0
    data = (root / entry.path).read_bytes()
    if b"\0" in data[:LOOK_BYTES]:
        return "binary", 0
    if marked_so(data[:1000]):
        return BY_MARK, 0
    try:
        data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return "not UTF-8", 0
    return "", data.count(b"\n") + (not data.endswith(b"\n") and bool(data))


async def matching_files(store: RunStore, tree: str, patterns: Iterable[str]) -> Mapping[str, list[str]]:
    """Pattern -> paths of the tree it names: a file, a folder with all in it, or a glob over whole paths."""
    known = await tree_files(store, tree)
    paths = [*known.files, *(file.path for file in known.left_out)]
    return {pattern: sorted(filter(_matcher(pattern), paths)) for pattern in patterns}


def matches(pattern: str, path: str) -> bool:
    return bool(_matcher(pattern)(path))


def _matcher(pattern: str) -> Callable[[str], object]:
    if pattern in (".", "./"):
        return lambda path: True
    plain = pattern.removeprefix("./").rstrip("/")
    try:
        return re.compile(rf"{_glob(plain)}(/.*)?", re.S).fullmatch
    except re.error as error:
        raise UsageError(
            f"expected a path or a glob such as 'src/**/*.py', found {pattern!r} ({error}).",
            hint="put a literal [ into brackets: [[]",
        ) from None


def _glob(pattern: str) -> str:
    """`**/` is any folders, `*` anything within one, as git's and the shell's globs are read."""
    words = {"**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    out, at = "", 0
    while at < len(pattern):
        word = next((word for word in words if pattern.startswith(word, at)), "")
        close = pattern.find("]", at + 2) if pattern[at] == "[" else -1
        if word:
            out, at = out + words[word], at + len(word)
        elif close > 0:
            inner = pattern[at + 1 : close].replace("\\", r"\\")
            out, at = out + f"[{'^' + inner[1:] if inner[0] in '!^' else inner}]", close + 1
        else:
            out, at = out + re.escape(pattern[at]), at + 1
    return out
