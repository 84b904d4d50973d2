"""Where a command works: the user's repository, and the folder of our own that belongs to it."""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from burnish.config.files import TOML_NAME, YAML_NAME
from burnish.errors import StoreError, UsageError
from burnish.git.call import Git
from burnish.git.committed import read_file
from burnish.git.repository import Repository, discover

if TYPE_CHECKING:
    from burnish.config.load import Flag, Loaded


@dataclass(frozen=True)
class Place:
    """`state` holds the database, the mirror and every run's folder of this one repository."""

    repository: Repository
    state: Path
    environ: Mapping[str, str]

    @property
    def database(self) -> Path:
        return self.state / "burnish.db"

    @property
    def mirror(self) -> Path:
        return self.state / "mirror.git"

    def receipt(self, run_id: str) -> Path:
        return self.state / "receipts" / f"{run_id}.json"

    def run_folder(self, run_id: str) -> Path:
        return self.state / "runs" / run_id

    async def settings(self, base: str, flags: Mapping[str, Flag] | None = None) -> Loaded:
        """Settings for a change measured against `base`: the repository's own are read from that commit."""
        from burnish.config.load import load_for  # a tenth of a second, which `status` does without

        files = {
            name: await read_file(self.repository, base, name) for name in (TOML_NAME, YAML_NAME) if base
        }
        return load_for(
            self.repository.root,
            self.environ,
            files.get(TOML_NAME),
            base_yaml=files.get(YAML_NAME),
            base=base[:12],
            flags=flags,
        )


# The folder that counts instead of the one the process stands in, for whoever serves several at once.
STANDING: ContextVar[Path | None] = ContextVar("standing", default=None)


async def find_place(folder: Path | None = None, environ: Mapping[str, str] | None = None) -> Place:
    """The place a command was called in; one clear sentence when it is none."""
    found = os.environ if environ is None else environ
    state = state_folder(found)
    _make(state)
    git = await Git.start(state)
    repository = await discover(git, folder or STANDING.get() or _here())
    return Place(repository, state / "repos" / repository.id, found)


def _here() -> Path:
    try:
        return Path.cwd()
    except FileNotFoundError:
        raise UsageError(
            "the folder that this command was called in is gone.", hint="cd to a repository that is there"
        ) from None


def _make(state: Path) -> None:
    try:
        state.mkdir(parents=True, exist_ok=True)
        if not os.access(state, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise StoreError(
            f"the state folder {state} cannot be written: {error.strerror}.",
            hint="make it writable, or set BURNISH_STATE to another folder",
        ) from None


def state_folder(environ: Mapping[str, str]) -> Path:
    """BURNISH_STATE, else the user's state folder."""
    if chosen := environ.get("BURNISH_STATE"):
        return Path(chosen).expanduser().absolute()
    from platformdirs import user_state_path

    return user_state_path("burnish")
