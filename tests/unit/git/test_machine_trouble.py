"""When the machine is in trouble, work is never left out of a snapshot as if its file were bad."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from burnish.errors import WorkspaceError
from burnish.git.call import Place
from burnish.git.snapshot import _add
from tests.unit.git.test_call import started

TROUBLE = (
    "sha1 file 'index.snapshot.lock' write error. Out of diskspace",
    "error: unable to write file .git/objects/ab/cd: No space left on device",
    "error: short read: Input/output error",
    "fatal: Unable to create 'index.lock': File exists.",
    "fatal: Out of memory, malloc failed: Cannot allocate memory",
)


@pytest.mark.parametrize("words", TROUBLE)
def test_a_full_or_failing_disk_stops_the_snapshot(tmp_path: Path, words: str) -> None:
    async def add() -> dict[bytes, str]:
        git = await started(tmp_path, f'echo "{words}" >&2; exit 128')
        dropped: dict[bytes, str] = {}
        await _add(git, Place(None, work_tree=tmp_path), [b"app.py"], dropped)
        return dropped

    with pytest.raises(WorkspaceError):
        asyncio.run(add())


def test_a_file_git_cannot_take_is_named_and_the_rest_goes_on(tmp_path: Path) -> None:
    async def add() -> dict[bytes, str]:
        git = await started(tmp_path, 'echo "error: app.py: is a directory" >&2; exit 128')
        dropped: dict[bytes, str] = {}
        await _add(git, Place(None, work_tree=tmp_path), [b"app.py"], dropped)
        return dropped

    assert asyncio.run(add()) == {b"app.py": "git could not take it: app.py: is a directory"}
