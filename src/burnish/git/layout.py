"""A git directory made by hand: exactly the files we want, no templates, no hooks, no guesses."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from burnish.errors import WorkspaceError
from burnish.git.identity import Identity


def lay_out(
    git_dir: Path, object_format: str, *, borrow: tuple[Path, ...] = (), owner: Identity | None = None
) -> None:
    """`borrow` names object folders to read from. With an `owner` it is a checkout's own, else a bare one."""
    for part in ("objects/pack", "objects/info", "refs/heads", "info"):
        (git_dir / part).mkdir(parents=True, exist_ok=True)
    if borrow:
        (git_dir / "objects/info/alternates").write_bytes(b"".join(_alternate(path) for path in borrow))
    (git_dir / "config").write_text(_config(object_format, owner), "utf8")
    # The last one: a folder without it is not taken for a repository, so a half-made one never is.
    (git_dir / "HEAD").write_text("ref: refs/heads/work\n", "utf8")


def borrow_shallow(source: Path, git_dir: Path) -> None:
    """Whoever borrows from a shallow repository must know where its history ends."""
    if (source / "shallow").is_file():
        shutil.copyfile(source / "shallow", git_dir / "shallow")


def _config(object_format: str, owner: Identity | None) -> str:
    version = 0 if object_format == "sha1" else 1
    bare = "false" if owner else "true"
    text = f"[core]\n\trepositoryformatversion = {version}\n\tfilemode = true\n\tbare = {bare}\n"
    text += f"\tlogAllRefUpdates = {'true' if owner else 'false'}\n[gc]\n\tauto = 0\n"
    if version:
        text += f"[extensions]\n\tobjectFormat = {object_format}\n"
    if owner:
        text += f"[user]\n\tname = {_quoted(owner.name)}\n\temail = {_quoted(owner.email)}\n"
        text += "[commit]\n\tgpgSign = false\n"
    return text


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
