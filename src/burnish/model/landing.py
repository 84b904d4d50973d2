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
    """`how` is what was done, `note` why it is not what was asked, `ref` keeps the result in our store."""

    how: Land
    commit: str
    branch: str = ""
    ref: str = ""
    note: str = ""
