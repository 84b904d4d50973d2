"""What a front end asks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class RunRequest:
    """`flags` are settings given by name (`limits.cycles`), stronger than every file."""

    prompt: str
    flags: Mapping[str, Any]
    base: str | None = None
    policies: tuple[str, ...] = ()
    strict: bool = False
