"""A test that must fail: a test runner that stays green with it does not judge any more."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from burnish.gates.added_lines import Hunk

MAX_TEST_FILES = 200
MAX_ENTRIES = 20_000
NAME = "zz_must_fail"
# What reaches for the runner, the interpreter's end or other modules' insides. Each has honest uses: it only
# decides whether the canary is sent in.
_REACHES = (
    "_?pytest", "unittest", "pluggy", "_exit", "SystemExit", r"sys\.exit", "atexit", r"sys\.modules",
    "settrace", "setprofile", "meta_path", "path_hooks", "__?builtins(?:__)?", "__import__", "import_module",
    "ctypes", "get_objects", "_getframe", "currentframe", "excepthook", "runpy", "execv[pe]*", "eval",
    "exec", "quit", "exit",
)  # fmt: skip
_REACH = re.compile(rf"(?<![\w.])(?:\w+\.)?(?:{'|'.join(_REACHES)})\b")
_TEST_NAME = re.compile(r"(?:.*/)?(?:test_[^/]*|[^/]*_test|tests?|conftest)\.py")
_TEST_FOLDER = re.compile(r"(?:.*/)?tests?/.*")
_FUNCTION = f'\n\ndef test_{NAME}() -> None:\n    raise AssertionError("{NAME}")\n'
_CASE = (
    f"\n\nclass Test_{NAME}(__import__('unittest').TestCase):\n"
    f'    def test_{NAME}(self) -> None:\n        self.fail("{NAME}")\n'
)


def reaching(hunks: Sequence[Hunk]) -> tuple[str, ...]:
    """Python files, tests aside, to which the change adds a line that might disarm a test runner."""
    return tuple(
        dict.fromkeys(
            hunk.path
            for hunk in hunks
            if hunk.path.endswith(".py")
            and not _TEST_NAME.fullmatch(hunk.path)
            and not _TEST_FOLDER.fullmatch(hunk.path)
            and any(_REACH.search(line.partition("#")[0]) for line in hunk.added)
        )
    )


def send_in(root: Path) -> bool:
    """Add the canary to the test files of a checkout of ours; False when there are none in Python."""
    found = _test_files(root)
    for path in found:
        text = path.read_bytes()
        canary = _CASE if b"TestCase" in text else _FUNCTION
        path.write_bytes(text.rstrip(b"\n") + b"\n" + canary.encode())
    return bool(found)


def _test_files(root: Path) -> list[Path]:
    found: list[Path] = []
    seen = 0
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        seen += len(names)
        for name in sorted(names):
            path = Path(folder, name)
            if _TEST_NAME.fullmatch(name) and name != "conftest.py" and not path.is_symlink():
                found.append(path)
        if seen > MAX_ENTRIES or len(found) >= MAX_TEST_FILES:
            break
    return found[:MAX_TEST_FILES]
