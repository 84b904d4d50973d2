"""Checkouts of a repository beside the one we work for: its other worktrees and its submodules."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from burnish.git.files import read_small
from burnish.git.names import shown
from burnish.git.repository import Repository

# Of one checkout, at its top: enough to see it emptied, and a look stays a matter of milliseconds.
MAX_ENTRIES = 500
MAX_CHECKOUTS = 200
_WORK_TREE = re.compile(rb"^\s*worktree\s*=\s*(.+?)\s*$", re.MULTILINE)


def look(repository: Repository) -> dict[str, str]:
    """What each is called -> what changes when it is removed, emptied, or put on another commit."""
    found = {}
    for name, folder, git_dir in islice(_all(repository), MAX_CHECKOUTS):
        if (folder / ".git").exists():
            found[f"{name} {shown(os.fsencode(folder))}"] = repr((_git_side(git_dir), _top(folder)))
    return found


def _all(repository: Repository) -> Iterator[tuple[str, Path, Path]]:
    common = repository.common_dir
    if repository.git_dir != common and common.name == ".git":
        yield "the main worktree", common.parent, common
    for about in sorted(_folders(common / "worktrees")):
        leads = read_small(about / "gitdir")
        if leads is not None and about != repository.git_dir:
            yield "the worktree", Path(about, os.fsdecode(leads.strip())).parent, about
    for about in _modules(repository.git_dir / "modules"):
        if named := _WORK_TREE.search(read_small(about / "config") or b""):
            path = os.path.normpath(about / os.fsdecode(named.group(1)))
            yield "the checkout of the submodule", Path(path), about


def _modules(folder: Path) -> Iterator[Path]:
    """A submodule's name may have slashes in it, and it may have submodules itself."""
    for inner in sorted(_folders(folder)):
        if (inner / "HEAD").is_file():
            yield inner
            yield from _modules(inner / "modules")
        else:
            yield from _modules(inner)


def _folders(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            return [Path(entry.path) for entry in entries if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return []


def _git_side(git_dir: Path) -> tuple[bytes | None, int]:
    """The date of an index says nothing: any `git status` of the user's renews it."""
    try:
        size_bytes = (git_dir / "index").lstat().st_size
    except OSError:
        size_bytes = 0
    return read_small(git_dir / "HEAD"), size_bytes


def _top(folder: Path) -> list[tuple[str, int, int]]:
    """Names at the top, with what changes when somebody writes to a file there."""
    found = []
    try:
        with os.scandir(folder) as entries:
            for entry in islice(entries, MAX_ENTRIES):
                info = entry.stat(follow_symlinks=False)
                is_folder = entry.is_dir(follow_symlinks=False)
                found.append((entry.name, info.st_mode, 0 if is_folder else info.st_ctime_ns))
    except OSError:
        return found
    return sorted(found)
