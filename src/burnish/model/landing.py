"""Where the result of a run went."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Land(StrEnum):
    BRANCH = "branch"
    APPLY = "apply"
    NONE = "none"


@dataclass(frozen=True)
class Landing:
    """`how` is what was done, `note` what to know about it, `ref` keeps the result in our store.

    `as_asked` is False when that is not what was asked for; then `note` says why.
    """

    how: Land
    commit: str
    branch: str = ""
    ref: str = ""
    note: str = ""
    as_asked: bool = True
