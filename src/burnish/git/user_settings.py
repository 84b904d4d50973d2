"""How the user's git treats their files, as data: ignore files, line endings, attributes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from burnish.git.identity import user_file
from burnish.git.repository import Repository

# Settings about how files on disk relate to what git stores, and the words they may have.
_FLAGS = {
    "core.autocrlf": ("true", "false", "input"),
    "core.eol": ("lf", "crlf", "native"),
    "core.filemode": ("true", "false"),
    "core.symlinks": ("true", "false"),
}


@dataclass(frozen=True)
class Treatment:
    """`excludes` are ignore files besides those in the tree, the weaker first; `flags` are for git."""

    excludes: tuple[Path, ...]
    flags: tuple[str, ...]


async def treatment(repository: Repository) -> Treatment:
    settings = await repository.settings()
    own = user_file(settings, "core.excludesfile", "ignore", repository.root)
    info = repository.common_dir / "info" / "exclude"
    flags = [
        f"{key}={settings[key].lower()}"
        for key, words in _FLAGS.items()
        if settings.get(key, "").lower() in words
    ]
    attributes = user_file(settings, "core.attributesfile", "attributes", repository.root)
    if attributes:
        flags.append(f"core.attributesFile={attributes}")
    return Treatment(tuple(path for path in (own, info) if path and path.is_file()), tuple(flags))


async def user_excludes(repository: Repository) -> tuple[Path, ...]:
    return (await treatment(repository)).excludes
