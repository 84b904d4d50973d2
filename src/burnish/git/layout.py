"""A git directory made by hand: exactly the files we want, no templates, no hooks, no guesses."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from burnish.errors import WorkspaceError
from burnish.git.files import read_small
from burnish.git.identity import Identity
from burnish.git.settings import own_config


def lay_out(
    git_dir: Path, object_format: str, *, borrow: tuple[Path, ...] = (), owner: Identity | None = None
) -> None:
    """`borrow` names object folders to read from. With an `owner` it is a checkout's own, else a bare one."""
    for part in ("objects/pack", "objects/info", "refs/heads", "info"):
        (git_dir / part).mkdir(parents=True, exist_ok=True)
    if borrow:
        _write(git_dir / "objects/info/alternates", b"".join(_alternate(path) for path in borrow))
    _write(git_dir / "config", _config(object_format, owner).encode())
    # The last one: a folder without it is not taken for a repository, so a half-made one never is.
    _write(git_dir / "HEAD", b"ref: refs/heads/work\n")


def borrow_shallow(source: Path, git_dir: Path) -> None:
    """Whoever borrows from a shallow repository must know where its history ends."""
    if (source / "shallow").is_file():
        shutil.copyfile(source / "shallow", git_dir / "shallow")


def _config(object_format: str, owner: Identity | None) -> str:
    text = own_config(object_format, bare=owner is None)
    if owner:
        text += f"[user]\n\tname = {_quoted(owner.name)}\n\temail = {_quoted(owner.email)}\n"
        text += "[commit]\n\tgpgSign = false\n"
    return text


def _write(path: Path, data: bytes) -> None:
    """Never through a link, and not at all where it says that already: others may be reading it."""
    if read_small(path) == data:
        return
    if path.is_symlink():
        path.unlink()
    path.write_bytes(data)


def _quoted(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _alternate(path: Path) -> bytes:
    raw = os.fsencode(path)
    if b"\n" in raw:
        raise WorkspaceError(
            "the state folder's path has a line break in it, which git cannot borrow from.",
            hint="set BURNISH_STATE to another folder",
        )
    return b'"' + raw.replace(b"\\", b"\\\\").replace(b'"', b'\\"') + b'"\n'
