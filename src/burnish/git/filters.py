"""Files whose contents on disk are not what git stores: content filters, Git LFS, line endings."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from burnish.git.blobs import blob_hash, blob_name
from burnish.git.call import Git, Place
from burnish.git.trees import ABSENT, Delta

_POINTER_START = b"version https://git-lfs.github.com/spec/v1\noid sha256:"
_REGULAR = (b"100644", b"100755")


@dataclass
class Verdicts:
    """Which of the changed paths are to stay as the commit has them; `dropped` says why where it matters."""

    undo: list[Delta] = field(default_factory=list)
    dropped: dict[bytes, str] = field(default_factory=dict)


async def filter_of(git: Git, place: Place, paths: Sequence[bytes]) -> dict[bytes, str]:
    """Path -> the filter its attributes name. Only attributes are read; no filter runs."""
    if not paths:
        return {}
    out = await git("check-attr", "-z", "--stdin", "filter", at=place, stdin=b"\0".join([*paths, b""]))
    fields = out.split(b"\0")
    values = zip(fields[0::3], fields[2::3], strict=False)
    return {
        path: os.fsdecode(name) for path, name in values if name not in (b"unspecified", b"unset", b"set")
    }


def judge_contents(
    root: Path, changed: Sequence[Delta], filters: dict[bytes, str], algorithm: str
) -> Verdicts:
    """Look at each changed file's bytes: those that only seem changed, and those we cannot store, go back."""
    found = Verdicts()
    for delta in changed:
        if delta.mode not in _REGULAR:
            continue
        name = filters.get(delta.path, "")
        if name == "lfs":
            _judge_lfs(root, delta, algorithm, found)
        elif name:
            kept = "left out" if delta.old_mode == ABSENT else "the committed version is used"
            found.undo.append(delta)
            found.dropped[delta.path] = f"has the content filter {name!r}, which is not run: {kept}"
        elif (
            delta.old_mode == delta.mode
            and blob_name(root / os.fsdecode(delta.path), algorithm) == delta.old_object
        ):
            # Byte for byte what the commit has; git would only rewrite its line endings.
            found.undo.append(delta)
    return found


def _judge_lfs(root: Path, delta: Delta, algorithm: str, found: Verdicts) -> None:
    """A pointer is text like any other; contents are known by the pointer they have."""
    with (root / os.fsdecode(delta.path)).open("rb") as file:
        if file.read(len(_POINTER_START)) == _POINTER_START:
            return
        file.seek(0)
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        size = file.tell()
    pointer = _POINTER_START + f"{digest}\nsize {size}\n".encode()
    found.undo.append(delta)
    if blob_hash(algorithm, pointer) != delta.old_object:
        kept = "left out" if delta.old_mode == ABSENT else "the committed version is used"
        found.dropped[delta.path] = f"belongs to Git LFS, whose contents are not taken: {kept}"
