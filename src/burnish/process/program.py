"""Finding the program of a command line: on PATH, never in the workspace, and really runnable."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from burnish.process.child import ProgramMissing

MAX_DEPTH = 5


@dataclass(frozen=True)
class Lookup:
    """Where to look: `path` as in PATH, `start` for names with a slash, never in `outside`."""

    path: str
    start: Path
    outside: tuple[Path, ...] = ()

    @property
    def folders(self) -> list[Path]:
        return [Path(entry) for entry in self.path.split(os.pathsep) if Path(entry).is_absolute()]


def inside(path: Path, roots: Sequence[Path]) -> bool:
    """Whether a path, as written or with its links followed, lies in one of the folders."""
    spellings = {path, Path(os.path.realpath(path))}
    return any(
        spelling.is_relative_to(written)
        for spelling in spellings
        for root in roots
        for written in (root, Path(os.path.realpath(root)))
    )


def find_program(name: str, lookup: Lookup) -> Path:
    """The absolute path of a program; raises ProgramMissing saying what is wrong with it."""
    found = _find(name, lookup)
    for interpreter, script in _interpreters(found, lookup):
        if not _runnable(interpreter):
            raise ProgramMissing(
                f"{str(script)!r} asks for the interpreter {str(interpreter)!r}, which is not there",
                hint="install that interpreter or mend the first line of the script",
            )
    return found


def needed_files(program: Path, lookup: Lookup) -> list[Path]:
    """The program itself and each interpreter its first line leads to."""
    return [program, *(interpreter for interpreter, _ in _interpreters(program, lookup))]


def _find(name: str, lookup: Lookup) -> Path:
    if "/" in name:
        candidates = [Path(os.path.normpath(lookup.start / name))]
    else:
        candidates = [folder / name for folder in lookup.folders]
        candidates = [path for path in candidates if not inside(path, lookup.outside)]
    for path in candidates:
        if _runnable(path):
            return path
    for path in candidates:
        if path.is_dir() and "/" in name:
            raise ProgramMissing(f"{str(path)!r} is a folder, not a program", hint="name the program in it")
        if path.is_file():
            raise ProgramMissing(f"{str(path)!r} is not executable", hint=f"run: chmod +x {path}")
    where = "" if "/" in name else " on PATH"
    raise ProgramMissing(
        f"program {name!r} was not found{where}", hint="install it, or give the full path of the program"
    )


def _runnable(path: Path) -> bool:
    return os.path.isfile(path) and os.access(path, os.X_OK)  # noqa: PTH113 - False where we may not look


def _interpreters(program: Path, lookup: Lookup) -> Iterator[tuple[Path, Path]]:
    """Each interpreter with the script that asks for it; `env NAME` leads on to NAME."""
    script = program
    for _ in range(MAX_DEPTH):
        words = _first_line(script)
        if not words:
            return
        interpreter = Path(words[0])
        yield interpreter, script
        if interpreter.name == "env":
            names = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
            if not names:
                return
            interpreter = _find(names[0], lookup)
            yield interpreter, script
        script = interpreter


def _first_line(path: Path) -> list[str]:
    try:
        with path.open("rb") as file:
            start = file.read(256)
    except OSError:
        return []
    if not start.startswith(b"#!"):
        return []
    return os.fsdecode(start[2:].split(b"\n")[0]).split()
