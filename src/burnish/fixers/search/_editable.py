"""Which files a search may edit: Python of the project, never what judges it."""

from __future__ import annotations

import os
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

MOST_BYTES = 512 * 1024
MOST_FILES = 20_000
NO_FOLDERS = frozenset({
    ".git", ".hg", ".venv", "venv", "env", "node_modules", "site-packages", ".tox", ".nox", "__pycache__",
    ".eggs", "build", "dist", ".burnish",
})  # fmt: skip
JUDGES = frozenset({"test", "tests", "testing", "spec", "specs", "__tests__", "fixtures", ".github"})
JUDGE_NAMES = (
    "test_*.py", "*_test.py", "tests.py", "conftest.py", "setup.py", "noxfile.py", "sitecustomize.py",
    "usercustomize.py", "pytest.py", "unittest.py", "*_pb2.py",
)  # fmt: skip


def editable(name: str, protected: tuple[str, ...] = ()) -> bool:
    """`protected` are further globs."""
    path = PurePosixPath(name)
    if path.suffix != ".py" or JUDGES & set(path.parts[:-1]):
        return False
    if path.match("features/steps/*") or path.match("features/environment.py"):
        return False
    if any(fnmatch(path.name, pattern) for pattern in JUDGE_NAMES):
        return False
    return not any(fnmatch(name, pattern) or path.match(pattern) for pattern in protected)


def editable_files(root: Path, protected: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Plain files below `root`, by their paths from there; no symlink is followed."""
    found: list[str] = []
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in NO_FOLDERS)
        for name in sorted(names):
            path = Path(folder, name)
            relative = path.relative_to(root).as_posix()
            if editable(relative, protected) and not path.is_symlink() and path.is_file():
                found.append(relative)
        if len(found) > MOST_FILES:
            break
    return tuple(found[:MOST_FILES])


def text_of(root: Path, name: str) -> str | None:
    """A file's text; None where it is too large or not UTF-8, or begins with a mark that moves all places."""
    try:
        data = (root / name).read_bytes()
        text = data.decode("utf8")
    except (OSError, UnicodeDecodeError):
        return None
    return None if len(data) > MOST_BYTES or text.startswith("\ufeff") or "\f" in text else text
