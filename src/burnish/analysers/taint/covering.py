"""Which rules of other tools each class of the pass stands for: the reviewed table, `covers.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

from burnish.analysers.taint.scoring import TOOL
from burnish.model.assessment import Covers


@cache
def covers() -> tuple[Covers, ...]:
    """For an `Analysis` of the pass, so that whoever joins analyses needs to know no tool."""
    text = files("burnish.analysers").joinpath("taint", "covers.toml").read_text("utf8")
    return tuple(
        Covers(f"{TOOL}:{entry['class']}", tuple(entry["rules"])) for entry in tomllib.loads(text)["covers"]
    )
