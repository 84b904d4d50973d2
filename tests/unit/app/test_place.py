"""Where a command was called: one sentence when that is no place to work in."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from burnish.app.place import find_place
from burnish.errors import UsageError


def test_a_folder_that_was_removed_under_the_command_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    # Puts the folder back at the end: others work in this process, too.
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(UsageError, match=r"^the folder that this command was called in is gone\.$"):
        asyncio.run(find_place(environ={**os.environ, "BURNISH_STATE": str(tmp_path / "state")}))
