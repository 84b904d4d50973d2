"""What a front end asks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from burnish.config.load import Flag
from burnish.model.dimension import Dimension
from burnish.model.review import Finding, Severity


@dataclass(frozen=True)
class RunRequest:
    """`flags` are settings given by name (`limits.cycles`), stronger than every file."""

    prompt: str
    flags: Mapping[str, Flag]
    base: str | None = None
    policies: tuple[str, ...] = ()
    strict: bool = False
    sign: str = ""


@dataclass(frozen=True)
class ReviewRequest:
    """A review, with or without its fixes. `agents` are asked in this order before the embedded reviewer."""

    words: tuple[str, ...]
    flags: Mapping[str, Flag]
    places: Mapping[str, str | bool | None]
    dimensions: tuple[Dimension, ...] = tuple(Dimension)
    max_iterations: int = 3
    everything: bool = False
    fix: bool = False
    unsafe: bool = False
    batch_size: int = 5
    agents: tuple[str, ...] = ()
    sarif: tuple[str, ...] = ()
    tests: bool = True
    min_severity: Severity = Severity.LOW
    sign: str = ""
    fixer: str = ""
    session: str = ""
    wanted: tuple[str, ...] = ()
    given: tuple[Finding, ...] = ()
    warnings: tuple[str, ...] = ()
