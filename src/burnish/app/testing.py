"""The test command of a repository: what the user set, else what its base commit shows."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from burnish.app.place import Place
from burnish.config.test_command import TestCommand, find_test_command, worth_reading
from burnish.git.committed import read_file
from burnish.git.export import tree_files
from burnish.git.run_store import RunStore

SET = "set by you"


async def test_command_of(place: Place, store: RunStore, base: str, given: str) -> TestCommand | None:
    """Never from the change under review: that could name any program."""
    if given:
        return TestCommand(given, SET)
    tree = await place.repository.tree(base)
    paths = tuple((await tree_files(store, tree)).files)
    texts = {}
    for path in worth_reading(paths):
        data = await read_file(place.repository, base, path)
        texts[path] = (data or b"").decode("utf8", "replace")
    search = place.environ.get("PATH", "")
    absolute = os.pathsep.join(part for part in search.split(os.pathsep) if Path(part).is_absolute())
    return find_test_command(texts.get, paths, lambda name: shutil.which(name, path=absolute))
