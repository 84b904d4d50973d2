"""What the words of a failure say about the kind of its repair, from hints.toml. Pure."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files as resources

from burnish.fixers.search._candidates import weights


def hinted(said: Iterable[str]) -> dict[str, float]:
    """How many times likelier a kind of edit is, for the kinds that the words speak of."""
    text = "\n".join(said)
    found: dict[str, float] = {}
    for match, patterns, times in _hints():
        if match.search(text):
            for kind in weights():
                if any(fnmatchcase(kind, pattern) for pattern in patterns):
                    found[kind] = max(times, found.get(kind, 1.0))
    return found


@cache
def _hints() -> tuple[tuple[re.Pattern[str], tuple[str, ...], float], ...]:
    told = tomllib.loads(resources("burnish.fixers.search").joinpath("hints.toml").read_text("utf8"))
    return tuple((re.compile(one["match"]), tuple(one["kinds"]), float(one["times"])) for one in told["hint"])
