"""What the user has staged, as a tree of ours: their index is only read."""

from __future__ import annotations

import os
import tempfile
from dataclasses import replace
from pathlib import Path

from burnish.errors import UsageError
from burnish.git.files import trouble_told
from burnish.git.listing import GITLINK, list_index
from burnish.git.names import shown
from burnish.git.repository import Repository
from burnish.git.run_store import RunStore


async def staged_tree(repository: Repository, store: RunStore) -> str:
    """The index as a tree; objects that only the user's repository has are copied over as a pack."""
    entries = await list_index(repository.git, repository.place)
    torn = next((entry for entry in entries if entry.stage), None)
    if torn:
        raise UsageError(
            f"expected a clean index to review, found a merge conflict in {shown(torn.path)}.",
            hint="resolve it and `git add` it, or leave --staged out",
        )
    blobs = sorted({entry.object for entry in entries if entry.mode != GITLINK})
    with (
        trouble_told("reading what is staged"),
        tempfile.TemporaryDirectory(prefix="staged-", dir=store.scratch) as folder,
    ):
        missing = await _missing(store, blobs)
        if missing:
            pack = Path(folder) / "staged.pack"
            names = "".join(f"{name}\n" for name in missing).encode()
            await repository.git(
                "pack-objects", "-q", "--stdout", at=repository.place, stdin=names, output=pack
            )
            await store.git("unpack-objects", "-q", at=store.place, stdin=pack)
        place = replace(store.place, index=Path(folder) / "index")
        lines = [b"%s %s 0\t%s\0" % (entry.mode, entry.object.encode(), entry.path) for entry in entries]
        await store.git("update-index", "-z", "--index-info", at=place, stdin=b"".join(lines))
        return (await store.git("write-tree", at=place)).decode().strip()


async def _missing(store: RunStore, names: list[str]) -> list[str]:
    asked = "".join(f"{name}\n" for name in names).encode()
    out = await store.git("cat-file", "--batch-check", at=store.place, stdin=asked)
    return [os.fsdecode(line.split()[0]) for line in out.splitlines() if line.endswith(b" missing")]
