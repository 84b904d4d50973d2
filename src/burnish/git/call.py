"""The one way git is called: absolute program, environment allow-list, bounded output, wall clock."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO

from burnish.errors import UsageError, WorkspaceError
from burnish.git.child import Answer, finish, started, talk
from burnish.git.files import DISK_HINT, trouble_told
from burnish.git.names import first_line
from burnish.git.pipes import Watch
from burnish.git.settings import FLAGS, MINIMUM_VERSION, OWN, environment, renew_settings, write_config

MAX_OUTPUT_BYTES = 512 * 1024 * 1024
_HINTS = {
    b"No space left on device": DISK_HINT,
    b"Out of diskspace": DISK_HINT,
    b"unable to write file": DISK_HINT,
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

    @property
    def places(self) -> tuple[Path, ...]:
        """Where git may look for files by name."""
        return tuple(path for path in (self.git_dir, self.work_tree) if path is not None)

    def variables(self) -> dict[str, str]:
        named = {
            "GIT_DIR": self.git_dir,
            "GIT_WORK_TREE": self.work_tree if self.git_dir else None,
            "GIT_INDEX_FILE": self.index,
            "GIT_OBJECT_DIRECTORY": self.objects,
        }
        return {name: os.fspath(path) for name, path in named.items() if path is not None}


@dataclass(frozen=True)
class Git:
    """Calls git. `git("rev-parse", "HEAD", at=place)` gives its output or raises WorkspaceError.

    `object_format` is that of the repository it was found for; empty before one was.
    """

    program: Path
    config: Path
    version: tuple[int, ...] = MINIMUM_VERSION
    timeout_s: float = 600.0
    max_output_bytes: int = MAX_OUTPUT_BYTES
    variables: Mapping[str, str | None] = field(default_factory=dict)
    object_format: str = ""

    @classmethod
    async def start(cls, state: Path, *, search: str | None = None) -> Git:
        """Find git and write our configuration for it into the state folder."""
        with trouble_told("writing Burnish's own git configuration"):
            config = write_config(state)
        git = cls(find_git(os.environ.get("PATH", "") if search is None else search), config)
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
        with trouble_told("opening a file for git"):
            source = stdin.open("rb") if isinstance(stdin, Path) else None
            sink = output.open("wb") if output else None
        try:
            spawning = self._spawn(command, at, env or {}, source or (PIPE if stdin else DEVNULL))
            child = await started(asyncio.ensure_future(spawning))
            fed = stdin if isinstance(stdin, bytes) else b""
            watch = Watch((*at.places, *(word for word in args[1:] if isinstance(word, Path))))
            talking = talk(child, fed, sink, self.max_output_bytes)
            return await finish(child, _text(args[0]), seconds, talking, watch)
        finally:
            for file in (source, sink):
                if file:
                    file.close()

    async def open(self, *args: str, at: Place) -> Process:
        """A git that is talked to while it runs; whoever opens it also ends it."""
        flags = [part for flag in (*FLAGS, *at.flags) for part in ("-c", flag)]
        command: list[str | bytes | Path] = [os.fspath(self.program), "--no-pager", *flags, *args]
        return await started(asyncio.ensure_future(self._spawn(command, at, {}, PIPE)))

    def _environment(self, at: Place, env: Mapping[str, str]) -> dict[str, str]:
        merged = {**environment(self.program, self.config), **self.variables, **at.variables(), **env}
        return {name: value for name, value in merged.items() if value is not None}

    def _renew(self, git_dir: Path | None) -> None:
        """Agents may have written to our settings since the last call: git finds them as we made them."""
        state = self.config.parent.parent
        with trouble_told("writing Burnish's own git configuration"):
            write_config(state)
            ours = git_dir and git_dir.name in OWN and git_dir.is_relative_to(state) and git_dir.is_dir()
            if git_dir and ours and self.object_format:
                renew_settings(git_dir, self.object_format)

    async def _spawn(
        self, command: list[str | bytes | Path], at: Place, env: Mapping[str, str], stdin: BinaryIO | int
    ) -> Process:
        self._renew(at.git_dir)
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
    return WorkspaceError(f"git {verb} failed: {said}", hint=hint_for(answer.err))


def hint_for(err: bytes, otherwise: str = "") -> str:
    """What to do about a complaint of git's that is about the machine rather than the repository."""
    return next((hint for words, hint in _HINTS.items() if words in err), otherwise)


def _text(word: str | bytes | Path) -> str:
    return os.fsdecode(word)
