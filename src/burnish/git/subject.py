"""The title an agent gave its own last commit, read from a git directory that may be anything."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from burnish.errors import WorkspaceError
from burnish.git.call import Git, Place
from burnish.git.files import read_small

LONGEST = 200
TIMEOUT_S = 10.0
_OBJECT = re.compile(rb"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_REF = re.compile(rb"refs/heads/[A-Za-z0-9_][A-Za-z0-9_./-]*")


async def last_subject(git: Git, place: Place, workspace: Path) -> str:
    """Empty when the agent made no commit, or in any doubt: it is only a proposal.

    The refs are read as plain files and the commit as an object, so nothing of the agent's settings is used.
    """
    theirs = workspace / ".git"
    if not _is_folder(theirs) or not _is_folder(theirs / "objects"):
        return ""
    head = _head(theirs)
    if not head or head == read_small(workspace.parent / "commit"):
        return ""
    try:
        raw = await git(
            "cat-file",
            "commit",
            head.decode(),
            at=replace(place, objects=theirs / "objects"),
            timeout_s=TIMEOUT_S,
        )
    except WorkspaceError:
        return ""
    message = raw[: 64 * 1024].partition(b"\n\n")[2].decode("utf8", "replace")
    subject = next((line.strip() for line in message.splitlines() if line.strip()), "")
    return "".join(char for char in subject if char.isprintable())[:LONGEST]


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _head(git_dir: Path) -> bytes:
    found = (read_small(git_dir / "HEAD") or b"").strip()
    if _OBJECT.fullmatch(found):
        return found
    ref = found.removeprefix(b"ref:").strip()
    if not _REF.fullmatch(ref) or b".." in ref:
        return b""
    return _loose(git_dir, ref) or _packed(git_dir, ref)


def _loose(git_dir: Path, ref: bytes) -> bytes:
    path = git_dir
    for part in ref.decode().split("/")[:-1]:
        path = path / part
        if not _is_folder(path):
            return b""
    found = (read_small(path / ref.decode().split("/")[-1]) or b"").strip()
    return found if _OBJECT.fullmatch(found) else b""


def _packed(git_dir: Path, ref: bytes) -> bytes:
    for line in (read_small(git_dir / "packed-refs") or b"").splitlines():
        name, _, named = line.partition(b" ")
        if named == ref and _OBJECT.fullmatch(name):
            return name
    return b""
