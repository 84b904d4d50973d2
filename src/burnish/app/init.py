"""A first configuration for a repository: look at it, and write what was seen."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from burnish.app.guidelines import NAMES
from burnish.app.place import Place, find_place
from burnish.app.project import LANGUAGES
from burnish.config.files import TOML_NAME, YAML_NAME
from burnish.config.starter import KNOWN_AGENTS, Seen, starter
from burnish.config.test_command import find_test_command, worth_reading
from burnish.errors import UsageError
from burnish.git.call import Place as GitPlace
from burnish.git.files import MAX_SMALL_BYTES, trouble_told, write_atomically
from burnish.repository_files import read_below

MOST_LANGUAGES = 4


@dataclass(frozen=True)
class Starter:
    """The text of a first burnish.toml, what it was made from, and where it belongs."""

    path: Path
    text: str
    seen: Seen

    def write(self, *, force: bool) -> None:
        """Never over what is there, unless that is wanted; never beside a burnish.yaml."""
        other = self.path.with_name(YAML_NAME)
        if os.path.lexists(other):
            raise UsageError(
                f"{other} is there already, and one configuration is enough.",
                hint="--print shows what burnish.toml would say",
            )
        if os.path.lexists(self.path) and not force:
            raise UsageError(
                f"{self.path} is there already, and is left as it is.",
                hint="--print shows what a new one would say, --force writes it over the old one",
            )
        with trouble_told(f"writing {TOML_NAME}"):
            write_atomically(self.path, self.text.encode())


async def make_starter(folder: Path, environ: Mapping[str, str]) -> Starter:
    """For the repository that a folder is in; nothing of it is run."""
    place = await find_place(folder, environ)
    seen = await _look(place)
    return Starter(place.repository.root / TOML_NAME, starter(seen), seen)


async def _look(place: Place) -> Seen:
    """The files as they are now, committed or not: a repository may have no commit yet."""
    repository = place.repository
    paths = await _paths(place)
    texts = {path: _text(repository.root, path) for path in worth_reading(paths)}
    search = os.pathsep.join(
        part for part in place.environ.get("PATH", "").split(os.pathsep) if Path(part).is_absolute()
    )

    def which(name: str) -> str | None:
        # Everyone shares the file: it names programs, not where they are on this machine.
        return f"/{Path(name).name}" if shutil.which(name.lstrip("/"), path=search) else None

    count = Counter(
        language for path in sorted(paths) if (language := LANGUAGES.get(PurePosixPath(path).suffix.lower()))
    )
    return Seen(
        languages=tuple(language for language, _ in count.most_common(MOST_LANGUAGES)),
        tests=find_test_command(texts.get, paths, which),
        default_branch=await repository.default_branch() or repository.branch,
        guidelines=tuple(name for name in NAMES if name in paths),
        agents=tuple(agent for agent in KNOWN_AGENTS if shutil.which(agent.name, path=search)),
    )


async def _paths(place: Place) -> frozenset[str]:
    repository = place.repository
    at = GitPlace(repository.git_dir, work_tree=repository.root)
    out = await repository.git("ls-files", "-z", "-c", "-o", "--exclude-standard", "--full-name", at=at)
    return frozenset(os.fsdecode(name) for name in out.split(b"\0") if name)


def _text(root: Path, path: str) -> str:
    try:
        return read_below(root, path, MAX_SMALL_BYTES).decode("utf8", "replace")
    except OSError:
        return ""
