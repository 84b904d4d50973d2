"""A throw-away git directory of ours that reads what several others have, and none of their settings."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from burnish.git.call import Place
from burnish.git.files import trouble_told
from burnish.git.layout import borrow_shallow, lay_out
from burnish.git.repository import Repository


@contextmanager
def borrowed(repository: Repository, *others: Path) -> Iterator[Place]:
    """`others` are git directories that may have more than the user's repository, or may not be there."""
    with tempfile.TemporaryDirectory(prefix="burnish-") as folder:
        git_dir = Path(folder, "read.git")
        sources = [repository.common_dir, *(other for other in others if (other / "HEAD").is_file())]
        with trouble_told("making a place to read from"):
            lay_out(git_dir, repository.object_format, borrow=tuple(one / "objects" for one in sources))
            borrow_shallow(repository.common_dir, git_dir)
        yield Place(git_dir)
