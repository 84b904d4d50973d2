"""Settings from everywhere they can come from, each with its origin: user < repository < environment < flags.

The repository's file is handed in as bytes, read from the base commit by the caller: what names a program to
run must never come from the change under review, so nothing here takes a setting from a checkout.
"""

from __future__ import annotations

import stat
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from burnish.config.entries import EXCLUSIVE, PRICES, Entry, from_environ, from_file, from_flag
from burnish.config.files import MAX_BYTES, TOML_NAME, YAML_NAME, ConfigFile
from burnish.config.files import user_folder as user_folder
from burnish.config.reach import of_repository
from burnish.config.sandbox_settings import RUN_UNSANDBOXED
from burnish.config.schema import FIELDS, Settings
from burnish.config.tables import nested
from burnish.config.taint_settings import both
from burnish.config.task_types import more_special
from burnish.errors import UsageError
from burnish.repository_files import read_below

DEFAULT = "default"
TAINT = "taint."
# What only a person may allow: a repository that allows itself to be run asks for its own trust.
USER_ONLY = (RUN_UNSANDBOXED,)


@dataclass(frozen=True)
class Flag:
    """A flag as the command line calls it (`--cycles`); a value of None is a flag that was not given."""

    name: str
    value: Any


@dataclass(frozen=True)
class Sources:
    """All that is read. At most one file each for the user and the repository; flags by the key they set."""

    user: tuple[ConfigFile, ...] = ()
    repository: tuple[ConfigFile, ...] = ()
    environ: Mapping[str, str] = field(default_factory=dict)
    flags: Mapping[str, Flag] = field(default_factory=dict)


@dataclass(frozen=True)
class Loaded:
    """`origins` has every key, and `prices."MODEL"` for each that has one; `notices` are for a person.

    `of_repository` are the keys whose value is the repository's.
    """

    settings: Settings
    origins: Mapping[str, str]
    notices: tuple[str, ...] = ()
    of_repository: frozenset[str] = frozenset()


def load(sources: Sources) -> Loaded:
    """Later sources win, key by key. Raises UsageError for anything that is not a setting.

    What a stronger source says in general takes the place of what a weaker one says for a type of task.
    """
    merged: dict[str, Entry] = {}
    priced: dict[str, str] = {}
    user = _of_files(sources.user)
    repository = _beside(user, of_repository(_of_files(sources.repository)))
    refused = tuple(repository.pop(key) for key in USER_ONLY if key in repository)
    for layer in (
        user,
        repository,
        from_environ(sources.environ),
        _of_flags(sources.flags),
    ):
        for one, other in EXCLUSIVE:
            if one in layer or other in layer:
                merged.pop(one, None)
                merged.pop(other, None)
        for key in layer:
            for special in more_special(key):
                merged.pop(special, None)
        priced |= _priced(layer, merged)
        merged |= layer
    tree: dict[str, Any] = {}
    for key, entry in merged.items():
        nested(key, entry.value, tree)
    origins = {key: merged[key].origin if key in merged else DEFAULT for key in FIELDS}
    return Loaded(
        Settings.model_validate(tree),
        MappingProxyType(origins | priced),
        tuple(_refusal(entry) for entry in refused),
        frozenset(key for key, entry in repository.items() if merged.get(key) is entry),
    )


def _refusal(entry: Entry) -> str:
    return (
        f"{entry.place}: {entry.spelled} is ignored: only you can allow that, with"
        " --run-unsandboxed or in your own file"
    )


def _beside(user: Mapping[str, Entry], repository: dict[str, Entry]) -> dict[str, Entry]:
    """What a user wants to have found is found in every repository, whatever that says of it."""
    for key in (key for key in repository if key.startswith(TAINT) and key in user):
        mine, theirs = user[key], repository[key]
        value, origin = both(theirs.value, mine.value), f"{mine.origin} and {theirs.origin}"
        repository[key] = replace(theirs, value=value, origin=origin)
    return repository


def price_key(model: str) -> str:
    return f'{PRICES}."{model}"'


def _priced(layer: dict[str, Entry], merged: Mapping[str, Entry]) -> dict[str, str]:
    """Where each price comes from that this layer brings. The user pays: what the user's own file says of a
    model is not changed by what a repository says of it."""
    said = layer[PRICES].value if PRICES in layer else {}
    before = merged[PRICES].value if PRICES in merged else {}
    if said and before:
        layer[PRICES] = replace(layer[PRICES], value={**said, **before})
    return {price_key(model): layer[PRICES].origin for model in said if model not in before}


def load_for(
    root: Path,
    environ: Mapping[str, str],
    base_config: bytes | None,
    *,
    base_yaml: bytes | None = None,
    base: str = "",
    flags: Mapping[str, Flag] | None = None,
) -> Loaded:
    """Settings for a repository; `base_config` and `base_yaml` are the two files in its base commit.

    The checkout at `root` is looked at only to say that its file is not the one that is used.
    """
    at = f"at {base or 'the base commit'}"
    given = {TOML_NAME: base_config, YAML_NAME: base_yaml}
    repository = tuple(
        ConfigFile(f"{name} {at}", data, yaml=name == YAML_NAME)
        for name, data in given.items()
        if data is not None
    )
    loaded = load(Sources(user_files(environ), repository, environ, flags or {}))
    notices = tuple(
        f"{name} in your checkout is not what is there {at}, and is not used: a change under review"
        " cannot say how it is judged. Commit it to the base, or set the same in your own file"
        for name, data in given.items()
        if _differs(root, name, data)
    )
    return replace(loaded, notices=(*loaded.notices, *notices))


def user_files(environ: Mapping[str, str]) -> tuple[ConfigFile, ...]:
    folder = user_folder(environ)
    return tuple(
        ConfigFile(f"user file {folder / name}", data, yaml=name == YAML_NAME)
        for name in (TOML_NAME, YAML_NAME)
        if (data := _read(folder / name)) is not None
    )


def _read(path: Path) -> bytes | None:
    """One byte more than the limit is enough to see that a file is too large."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise UsageError(f"{path} must be a file, found something else", hint="move it away")
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}", hint="check its permissions") from None


def _differs(root: Path, name: str, data: bytes | None) -> bool:
    try:
        return read_below(root, name, MAX_BYTES) != data
    except FileNotFoundError:
        return False
    except OSError:
        return True


def _of_files(files: tuple[ConfigFile, ...]) -> dict[str, Entry]:
    if len(files) > 1:
        names = " and ".join(file.name for file in files)
        raise UsageError(f"expected one configuration file, found two: {names}", hint="keep one of the two")
    return from_file(files[0]) if files else {}


def _of_flags(flags: Mapping[str, Flag]) -> dict[str, Entry]:
    given = {
        key: from_flag(key, flag.name, flag.value) for key, flag in flags.items() if flag.value is not None
    }
    for one, other in EXCLUSIVE:
        if one in given and other in given:
            names = f"{flags[one].name} and {flags[other].name}"
            raise UsageError(f"{names} are two ways to say one limit", hint="give one of the two")
    return given
