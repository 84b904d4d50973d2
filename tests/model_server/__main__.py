"""`python -m tests.model_server SCRIPT.toml [--port N] [--log FILE]`: serve a script until interrupted, for trying things."""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.model_server import script
from tests.model_server.script import Scene, Turn
from tests.model_server.server import ModelServer

TURNS = {kind.__name__.lower(): kind for kind in Turn.__subclasses__() if kind.__module__ == script.__name__}


def turn(told: Mapping[str, Any]) -> Turn:
    """`{do = "edit", path = ..., old = ..., new = ...}`, by the names of the script's own types."""
    fields = dict(told)
    return TURNS[fields.pop("do")](**fields)


def scenes(text: str) -> list[Scene]:
    """`[[scene]]` with `when`, `plays`, `without_tools` and `turns`."""
    found = tomllib.loads(text).get("scene", [])
    return [Scene(**{**scene, "turns": [turn(told) for told in scene["turns"]]}) for scene in found]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.model_server", description=__doc__)
    parser.add_argument("script", type=Path)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--log", type=Path, help="every request as a line of JSON")
    given = parser.parse_args()
    with (
        suppress(KeyboardInterrupt),
        ModelServer(scenes(given.script.read_text("utf8")), port=given.port, log=given.log) as server,
    ):
        sys.stdout.write(f"{server.url}\n")
        sys.stdout.flush()
        server.closing.wait()


if __name__ == "__main__":
    main()
