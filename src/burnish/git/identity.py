"""What we read of the user's own git settings: a short allow-list of values, as data."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from burnish.git.call import Git, Place

NAME, EMAIL = "Burnish", "burnish@localhost"
# The only keys whose values are used; none of them names a program.
ALLOWED = (
    "user.name", "user.email", "author.name", "author.email", "init.defaultbranch",
    "core.autocrlf", "core.eol", "core.filemode", "core.symlinks", "core.excludesfile", "core.attributesfile",
)  # fmt: skip
# Where git itself would look for the user's settings. Nothing else of the environment is passed on.
_READ_FROM = ("HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM")
_PUNCTUATION = re.compile(r"[\x00-\x20.,:;<>\"\\']+")


@dataclass(frozen=True)
class Identity:
    """Who a commit is by."""

    name: str = NAME
    email: str = EMAIL


async def user_settings(git: Git, place: Place) -> dict[str, str]:
    """The allowed keys as the user's git would see them; unreadable settings count as none."""
    reader = replace(git, variables={name: os.environ.get(name) for name in _READ_FROM})
    pattern = "^(" + "|".join(re.escape(key) for key in ALLOWED) + ")$"
    answer = await reader.ask("config", "-z", "--get-regexp", pattern, at=place, timeout_s=30)
    found: dict[str, str] = {}
    for entry in answer.out.split(b"\0"):
        key, separator, value = entry.partition(b"\n")
        if key:
            # A key without "=" means true.
            found[os.fsdecode(key)] = os.fsdecode(value) if separator else "true"
    return found


def identity_from(settings: Mapping[str, str], env: Mapping[str, str]) -> Identity:
    """As git would choose an author, with a stand-in where it would refuse."""
    names = (env.get("GIT_AUTHOR_NAME"), settings.get("author.name"), settings.get("user.name"))
    emails = (env.get("GIT_AUTHOR_EMAIL"), settings.get("author.email"), settings.get("user.email"))
    return Identity(_first(names) or NAME, _first(emails) or EMAIL)


def _first(values: tuple[str | None, ...]) -> str:
    for value in values:
        plain = re.sub(r"[\x00-\x20<>]+", " ", value or "").strip()
        # Git refuses a name made of punctuation only.
        if _PUNCTUATION.sub("", plain):
            return plain.encode("utf8", "replace").decode("utf8")
    return ""


def user_file(settings: Mapping[str, str], key: str, name: str, root: Path) -> Path | None:
    """The user's own ignore or attributes file: as configured, else where git looks by default."""
    home = Path(os.environ.get("HOME") or "/nonexistent")
    folder = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
    value = settings.get(key)
    if value and value.startswith("~/"):
        value = os.fspath(home / value[2:])
    path = root / value if value else folder / "git" / name
    return path if path.is_file() and os.access(path, os.R_OK) else None
