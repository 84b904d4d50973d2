"""What is looked at where there is no test command: do Python files compile, and do their imports resolve."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from burnish.gates import _compiles_child
from burnish.ports import Source
from burnish.process.child import Command
from burnish.process.supervisor import run

TIMEOUT_S = 120.0
NAME = "compile and import check"


@dataclass(frozen=True)
class Compiles:
    """Reads only; weaker than any test, and called so."""

    lay: Callable[[str], Awaitable[Source]]
    env: Mapping[str, str]
    name: str = NAME

    async def broken(self, tree: str, files: tuple[str, ...]) -> tuple[str, ...]:
        source = await self.lay(tree)
        child = str(Path(_compiles_child.__file__))
        named = "".join(f"{name}\n" for name in files if "\n" not in name).encode()
        command = Command((sys.executable, "-I", child), source.root, self.env, TIMEOUT_S, stdin=named)
        finished = await run(command)
        if not finished.ok:
            return (f"the {self.name} could not be made: exit {finished.status}",)
        return tuple(finished.stdout.text.splitlines())
