"""Whether somebody imports a name from a module that does not use it itself."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

from burnish.fixers._edit import Text

MAX_BYTES = 2 * 1024 * 1024
NEVER_ENTERED = frozenset({".git", "node_modules", ".venv", "venv", ".tox", "__pycache__"})
# pytest finds fixtures and plugins by their names here.
ALWAYS = frozenset({"__init__.py", "__init__.pyi", "conftest.py"})
_ALL = re.compile(r"^\s*__all__\b", re.M)


def re_exported(workspace: Path, module: Text, names: tuple[str, ...]) -> bool:
    """Whether one of the names may be asked of this module from elsewhere; in doubt it is."""
    path = PurePosixPath(module.name)
    if path.name in ALWAYS or path.suffix == ".pyi" or _ALL.search(module.text) or not names:
        return True
    asked = _asked(re.escape(path.stem), "|".join(map(re.escape, names)))
    return any(asked(text) for text in _other_modules(workspace, module.name))


def _asked(stem: str, names: str) -> Callable[[str], bool]:
    imported = re.compile(rf"from\s+[\w.]*\b{stem}\s+import\s+(\*|\([^)]*\)|[^\n]+)")
    # `stem.name`, also in a text that names what to patch; and getattr(stem, "name")
    used = re.compile(rf"\b{stem}\.(?:{names})\b|\b{stem}\s*,\s*[\"'](?:{names})[\"']")
    renamed = re.compile(rf"\b{stem}\s+as\s+(\w+)")
    wanted = re.compile(rf"\*|\b(?:{names})\b")

    def asked(text: str) -> bool:
        if used.search(text) or any(wanted.search(found[1]) for found in imported.finditer(text)):
            return True
        aliases = {found[1] for found in renamed.finditer(text)}
        return any(re.search(rf"\b{alias}\.(?:{names})\b", text) for alias in aliases)

    return asked


def _other_modules(workspace: Path, own: str) -> Iterator[str]:
    for folder, folders, names in os.walk(workspace, followlinks=False):
        folders[:] = [name for name in folders if name not in NEVER_ENTERED]
        for name in names:
            path = Path(folder) / name
            if not name.endswith((".py", ".pyi", ".cfg", ".toml", ".rst", ".md", ".ini")):
                continue
            if path == workspace / own:
                continue
            try:
                about = path.lstat()
                # A named pipe would never end, a symlink may lead anywhere.
                if stat.S_ISREG(about.st_mode) and about.st_size <= MAX_BYTES:
                    yield path.read_text("utf8", "replace")
            except OSError:
                continue
