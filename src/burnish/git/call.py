"""The one way git is called: absolute program, environment allow-list, bounded output, wall clock."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO

from burnish.errors import UsageError, WorkspaceError
from burnish.git.names import first_line
from burnish.git.settings import FLAGS, MINIMUM_VERSION, environment, write_config

CHUNK_BYTES = 1 << 16
MAX_OUTPUT_BYTES = 512 * 1024 * 1024
MAX_STDERR_BYTES = 64 * 1024
DRAIN_S = 2.0
DISK_HINT = "free some disk space, then try again"
_HINTS = {
    b"No space left on device": DISK_HINT,
    b"Read-only file system": "make that file system writable, then try again",
    b"Permission denied": "check who owns that folder, then try again",
    b".lock': File exists": "wait for the other git process; if none runs, remove that lock file",
}


@dataclass(frozen=True)
class Place:
    """Where a call works: a git directory, and the working tree, index and objects it is to use with it.

    `hold` is a locked descriptor the git child inherits, so that the lock outlives us as long as it does.
    """

    git_dir: Path | None
    work_tree: Path | None = None
    index: Path | None = None
    objects: Path | None = None
    flags: tuple[str, ...] = ()
    hold: int | None = None

    def at(self, work_tree: Path, index: Path, flags: tuple[str, ...]) -> Place:
        return replace(self, work_tree=work_tree, index=index, flags=flags)

    @property
    def folder(self) -> Path:
        found = self.work_tree or self.git_dir
        assert found is not None
        return found

    def variables(self) -> dict[str, str]:
        named = {
            "GIT_DIR": self.git_dir,
            "GIT_WORK_TREE": self.work_tree if self.git_dir else None,
            "GIT_INDEX_FILE": self.index,
            "GIT_OBJECT_DIRECTORY": self.objects,
        }
        return {name: os.fspath(path) for name, path in named.items() if path is not None}


@dataclass(frozen=True)
class Answer:
    """How a git call ended."""

    code: int
    out: bytes
    err: bytes


@dataclass(frozen=True)
class Git:
    """Calls git. `git("rev-parse", "HEAD", at=place)` gives its output or raises WorkspaceError."""

    program: Path
    config: Path
    version: tuple[int, ...] = MINIMUM_VERSION
    timeout_s: float = 600.0
    max_output_bytes: int = MAX_OUTPUT_BYTES
    variables: Mapping[str, str | None] = field(default_factory=dict)

    @classmethod
    async def start(cls, state: Path, *, search: str | None = None) -> Git:
        """Find git and write our configuration for it into the state folder."""
        git = cls(find_git(os.environ.get("PATH", "") if search is None else search), write_config(state))
        said = await git("version", at=Place(None, work_tree=Path("/")))
        numbers = re.search(rb"(\d+)\.(\d+)(?:\.(\d+))?", said)
        version = tuple(int(part) for part in numbers.groups(b"0")) if numbers else ()
        if version < MINIMUM_VERSION:
            wanted = ".".join(map(str, MINIMUM_VERSION))
            found = ".".join(map(str, version)) or "an unknown version"
            raise UsageError(
                f"Burnish needs git {wanted} or newer, found {found} at {git.program}.",
                hint="install a newer git, or put one in front on PATH",
            )
        return replace(git, version=version)

    async def __call__(
        self,
        *args: str | bytes | Path,
        at: Place,
        stdin: bytes | Path = b"",
        output: Path | None = None,
        env: Mapping[str, str] | None = None,
        timeout_s: float | None = None,
    ) -> bytes:
        """What git printed (nothing, when it went to the file `output`)."""
        answer = await self.ask(*args, at=at, stdin=stdin, output=output, env=env, timeout_s=timeout_s)
        if answer.code:
            raise refusal(str(args[0]), answer)
        return answer.out

    async def ask(
        self,
        *args: str | bytes | Path,
        at: Place,
        stdin: bytes | Path = b"",
        output: Path | None = None,
        env: Mapping[str, str] | None = None,
        timeout_s: float | None = None,
    ) -> Answer:
        """As calling it, but any exit status is an answer."""
        flags = [part for flag in (*FLAGS, *at.flags) for part in ("-c", flag)]
        command = [os.fspath(self.program), "--no-pager", *flags, *args]
        seconds = self.timeout_s if timeout_s is None else timeout_s
        source = stdin.open("rb") if isinstance(stdin, Path) else None
        sink = output.open("wb") if output else None
        try:
            child = await self._spawn(command, at, env or {}, source or (PIPE if stdin else DEVNULL))
            fed = stdin if isinstance(stdin, bytes) else b""
            return await _finish(
                child, _text(args[0]), seconds, _talk(child, fed, sink, self.max_output_bytes)
            )
        finally:
            for file in (source, sink):
                if file:
                    file.close()

    def _environment(self, at: Place, env: Mapping[str, str]) -> dict[str, str]:
        merged = {**environment(self.program, self.config), **self.variables, **at.variables(), **env}
        return {name: value for name, value in merged.items() if value is not None}

    async def _spawn(
        self, command: list[str | bytes | Path], at: Place, env: Mapping[str, str], stdin: BinaryIO | int
    ) -> Process:
        try:
            return await asyncio.create_subprocess_exec(
                *command,
                cwd=at.folder,
                env=self._environment(at, env),
                stdin=stdin,
                stdout=PIPE,
                stderr=PIPE,
                start_new_session=True,
                pass_fds=() if at.hold is None else (at.hold,),
            )
        except OSError as error:
            where = os.fsdecode(error.filename) if error.filename else os.fspath(self.program)
            raise WorkspaceError(
                f"git could not be started: {error.strerror} ({where}).", hint="check that it still exists"
            ) from error


def find_git(search: str) -> Path:
    """The absolute path of git; relative entries of PATH could be the repository's and do not count."""
    absolute = os.pathsep.join(part for part in search.split(os.pathsep) if Path(part).is_absolute())
    found = shutil.which("git", path=absolute) if absolute else None
    if not found:
        raise UsageError("git was not found on PATH.", hint="install git 2.38 or newer")
    return Path(found)


def refusal(verb: str, answer: Answer) -> WorkspaceError:
    """Git's own words as an error of ours."""
    ended = f"exit status {answer.code}" if answer.code >= 0 else f"killed by signal {-answer.code}"
    said = first_line(answer.err) or ended
    hint = next((hint for words, hint in _HINTS.items() if words in answer.err), "")
    return WorkspaceError(f"git {verb} failed: {said}", hint=hint)


def _text(word: str | bytes | Path) -> str:
    return os.fsdecode(word)


async def _finish(child: Process, verb: str, seconds: float, talk: Coroutine[None, None, Answer]) -> Answer:
    """The answer in time; whatever happens instead, no git is left behind."""
    try:
        async with asyncio.timeout(seconds):
            return await talk
    except BaseException as error:
        await asyncio.shield(_stop(child))
        if isinstance(error, TimeoutError):
            raise WorkspaceError(
                f"git {verb} did not finish within {seconds:g} s and was stopped.",
                hint="look for a stuck file system or a named pipe in the repository, then try again",
            ) from None
        raise


async def _stop(child: Process) -> None:
    """Kill the whole process group, and let go of its pipes even if someone else holds them open."""
    _kill(child)
    assert child.stdout and child.stderr
    with suppress(TimeoutError):
        async with asyncio.timeout(DRAIN_S):
            await asyncio.gather(_drain(child.stdout), _drain(child.stderr), child.wait())
    # The only way to close pipes that never end; asyncio offers it on the transport alone.
    child._transport.close()  # type: ignore[attr-defined]


def _kill(child: Process) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)


async def _drain(stream: asyncio.StreamReader) -> None:
    while await stream.read(CHUNK_BYTES):
        pass


async def _talk(child: Process, stdin: bytes, sink: BinaryIO | None, most: int) -> Answer:
    assert child.stdout and child.stderr
    async with asyncio.TaskGroup() as group:
        out = group.create_task(_read(child, sink, most))
        err = group.create_task(_read_head(child.stderr))
        group.create_task(_feed(child, stdin))
    code, printed = await child.wait(), out.result()
    if isinstance(printed, WorkspaceError):
        raise printed
    return Answer(code, printed, err.result())


async def _read(child: Process, sink: BinaryIO | None, most: int) -> bytes | WorkspaceError:
    """All that git prints. Stops git, and says why, when that is too much or cannot be written."""
    assert child.stdout
    kept, total = [], 0
    while chunk := await child.stdout.read(CHUNK_BYTES):
        total += len(chunk)
        if total > most:
            _kill(child)
            await _drain(child.stdout)
            return WorkspaceError(
                f"git printed more than {most / (1024 * 1024):g} MB and was stopped.",
                hint="the repository is larger than Burnish can serve",
            )
        try:
            sink.write(chunk) if sink else kept.append(chunk)
        except OSError as error:
            _kill(child)
            await _drain(child.stdout)
            return WorkspaceError(f"what git printed could not be written: {error.strerror}.", hint=DISK_HINT)
    return b"".join(kept)


async def _read_head(stream: asyncio.StreamReader) -> bytes:
    """The beginning of a stream, drained to its end so that the writer never waits."""
    head = b""
    while chunk := await stream.read(CHUNK_BYTES):
        head += chunk[: max(0, MAX_STDERR_BYTES - len(head))]
    return head


async def _feed(child: Process, data: bytes) -> None:
    if child.stdin is None:
        return
    # A git that fails early closes its end; its exit status and words tell more than the broken pipe.
    with suppress(BrokenPipeError, ConnectionResetError):
        child.stdin.write(data)
        await child.stdin.drain()
    child.stdin.close()
    with suppress(BrokenPipeError, ConnectionResetError):
        await child.stdin.wait_closed()
