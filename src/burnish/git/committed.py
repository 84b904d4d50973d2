"""Files of a commit, read without a checkout."""

from __future__ import annotations

from burnish.git.repository import Repository

MAX_BYTES = 1024 * 1024


async def read_file(repository: Repository, commit: str, path: str) -> bytes | None:
    """The content of a regular file at a commit; None when there is none, or none of a sensible size."""
    listed = await repository.git.ask("ls-tree", "-l", "-z", commit, "--", path, at=repository.place)
    if listed.code or not listed.out:
        return None
    mode, kind, blob, size = listed.out.split(b"\t", 1)[0].split()
    if kind != b"blob" or mode == b"120000" or int(size) > MAX_BYTES:
        return None
    return await repository.git("cat-file", "blob", blob, at=repository.place)
