"""Running an analyser's program: bounded, by its whole path, and every way to fail turned into an answer."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path, PurePosixPath

from burnish.analysers._setup import AnalyserSetup
from burnish.model.assessment import Analysis
from burnish.model.review import Finding
from burnish.model.subject import NotReviewed
from burnish.ports import Sandbox, Source
from burnish.process.child import CannotStart, Command, Finished
from burnish.process.supervisor import run

# Linux allows 2 MB for arguments and environment together; a sandbox names each of them a second time.
ARGUMENT_BYTES = 400_000
KEEP_BYTES = 64 * 1024 * 1024
RAW_CHARS = 20_000
SAID_CHARS = 300
# What an analyser wants that judges all files together, whichever of them changed.
WHOLE_TREE = "."


class ToolFailed(Exception):
    """Why a tool gave no usable answer, in a few words. Never leaves an analyser."""


@dataclass(frozen=True)
class Call:
    """One tool, ready to be given files: `argv` begins with an absolute path and ends where files follow.

    `exits` are the codes that mean "I looked" (they differ between tools). With `listed` the files go on
    stdin, one a line, in place of the command line. A `sandbox` is for tools that load or build what they
    read.
    """

    tool: str
    argv: tuple[str, ...]
    exits: frozenset[int]
    setup: AnalyserSetup
    cwd: Path | None = None
    stdin: bytes = b""
    listed: bool = False
    env: dict[str, str] = field(default_factory=dict)
    sandbox: Sandbox | None = None
    keep_bytes: int = KEEP_BYTES


@dataclass(frozen=True)
class Answer:
    """What a tool's output was read as."""

    findings: tuple[Finding, ...] = ()
    not_reviewed: tuple[NotReviewed, ...] = ()


Reader = Callable[[str], Answer]


async def over_files(call: Call, source: Source, files: tuple[str, ...], read: Reader) -> Analysis:
    """The tool's answer about these files of a tree, given in as many calls as their names need.

    `read` makes findings of what was printed and may raise ValueError, KeyError, TypeError, IndexError or
    AttributeError for anything it did not expect: that is garbage, and the analysis says that it failed.
    """
    named, unnamed = _named(files)
    call = call if call.cwd else replace(call, cwd=source.root)
    total = Analysis(call.tool, not_reviewed=unnamed, files=len(named))
    for chunk in [named] if call.listed and named else chunks(named):
        try:
            finished = await run_tool(call, chunk)
            # An answer can be megabytes long, and others work on this event loop.
            answer = await asyncio.to_thread(understood, call.tool, finished, read)
        except ToolFailed as failed:
            return replace(total, failed=str(failed), findings=(), files=0)
        total = replace(
            total,
            findings=total.findings + answer.findings,
            not_reviewed=total.not_reviewed + answer.not_reviewed,
            raw=(total.raw + finished.stdout.text)[:RAW_CHARS],
            duration_s=total.duration_s + finished.duration_s,
            isolation=finished.isolation,
        )
    return total


async def run_tool(call: Call, files: tuple[str, ...] = ()) -> Finished:
    """Run it once; raises ToolFailed for a crash, a timeout, an unknown exit code or too much output."""
    if not Path(call.argv[0]).is_absolute():
        raise ToolFailed(f"{call.argv[0]!r} is not an absolute path")
    stdin = call.stdin + "".join(f"{name}\n" for name in files).encode() if call.listed else call.stdin
    argv = call.argv if call.listed else (*call.argv, *files)
    command = Command(
        argv=argv,
        cwd=call.cwd or Path("/"),
        env={**call.setup.env, **call.env},
        timeout_s=call.setup.timeout_s,
        stdin=stdin,
        sandbox=call.sandbox,
        keep_bytes=call.keep_bytes,
    )
    try:
        finished = await run(command)
    except CannotStart as error:
        raise ToolFailed(f"{call.argv[0]}: {error.message}") from None
    _looked(call, finished)
    return finished


def understood(tool: str, finished: Finished, read: Reader) -> Answer:
    """What `read` makes of the output; raises ToolFailed where it cannot."""
    try:
        return read(finished.stdout.text)
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        said = _said(finished.stdout.text) or "nothing"
        raise ToolFailed(f"{tool} printed what is not its format ({error}): {said}") from None


def program_missing(name: str, program: Path | None, extra: str = "") -> str:
    """The sentence for `Analyser.missing`; empty when the program is there."""
    if program is not None:
        return ""
    return f"{name} is not installed" + (f" (pip install 'burnish[{extra}]')" if extra else "")


def version_of(distribution: str, program: Path | None) -> str:
    """The version of a tool that was installed with us; empty for one found elsewhere on PATH."""
    if program is None or program.parent != Path(sys.executable).parent:
        return ""
    try:
        return version(distribution)
    except PackageNotFoundError:
        return ""


def relative(path: str, root: Path) -> str:
    """A path as a tool prints it, relative to the tree; an absolute one elsewhere is a ValueError."""
    pure = PurePosixPath(path)
    if pure.is_absolute():
        for top in _tops(root):
            if path.startswith(top):
                return str(PurePosixPath(os.path.normpath(path[len(top) :])))
        raise ValueError(f"{path!r} is not in the tree")
    return str(PurePosixPath(os.path.normpath(pure)))


@lru_cache(maxsize=16)
def _tops(root: Path) -> tuple[str, str]:
    """A tree's own path and where it really is, each with its slash: asked for every finding."""
    return f"{root}/", f"{os.path.realpath(root)}/"


def chunks(files: tuple[str, ...], limit: int = ARGUMENT_BYTES) -> Iterator[tuple[str, ...]]:
    """The files in groups whose names fit on a command line."""
    group: list[str] = []
    size = 0
    for name in files:
        weight = len(os.fsencode(name)) + 1
        if group and size + weight > limit:
            yield tuple(group)
            group, size = [], 0
        group.append(name)
        size += weight
    if group:
        yield tuple(group)


def with_suffix(files: Iterable[str], suffixes: frozenset[str]) -> tuple[str, ...]:
    """The files whose name ends in one of these suffixes (lower case, with the dot)."""
    return tuple(name for name in files if PurePosixPath(name).suffix.lower() in suffixes)


def _named(files: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[NotReviewed, ...]]:
    """Files as arguments no tool takes for an option, and those whose name no tool can print back."""
    good: list[str] = []
    bad: list[NotReviewed] = []
    for name in files:
        why = _unspeakable(name)
        if why:
            bad.append(NotReviewed(name, why))
        else:
            good.append(f"./{name}")
    return tuple(good), tuple(bad)


def _unspeakable(name: str) -> str:
    if any("\ud800" <= character <= "\udfff" for character in name):
        return "its name is not UTF-8"
    if any(character < " " or character == "\x7f" for character in name):
        return "its name has control characters in it"
    return ""


def _looked(call: Call, finished: Finished) -> None:
    if finished.timed_out:
        raise ToolFailed(f"{call.tool} did not end within {call.setup.timeout_s:g} s")
    if finished.exit not in call.exits:
        how = f"exit {finished.exit}" if finished.exit is not None else f"signal {finished.signal}"
        said = _said(finished.stderr.text) or _said(finished.stdout.text)
        raise ToolFailed(f"{call.tool} failed with {how}" + (f": {said}" if said else ""))
    if finished.stdout.left_out:
        raise ToolFailed(f"{call.tool} printed more than {call.keep_bytes} bytes, so its answer is not whole")


def _said(text: str) -> str:
    """The last words of an output, on one line."""
    return " ".join(text.split())[-SAID_CHARS:]
