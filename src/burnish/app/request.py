"""What a front end asks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from burnish.config.load import Flag


@dataclass(frozen=True)
class RunRequest:
    """`flags` are settings given by name (`limits.cycles`), stronger than every file."""

    prompt: str
    flags: Mapping[str, Flag]
    base: str | None = None
    policies: tuple[str, ...] = ()
    strict: bool = False
    sign: str = ""
