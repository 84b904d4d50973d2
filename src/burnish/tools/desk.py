"""The tools of a step: a socket beside its desk for as long as its agent works, and the calls that came."""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import os
import secrets
import shutil
import socket as sockets
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from burnish.errors import StoreError
from burnish.model.step import Role, Step
from burnish.ports import Desk
from burnish.team_ports import Scope, ToolCall
from burnish.tools import bridge
from burnish.tools.taken import Taken

FOLDER, SOCKET, BRIDGE = "tools", "socket", "bridge.py"
# What a socket's name may have everywhere; longer ones go through the number of their folder.
MOST_NAME_BYTES = 100
Talk = Callable[[sockets.socket, str], Coroutine[Any, Any, None]]


def installed() -> bool:
    """Whether the SDK is there: it comes with an extra."""
    return importlib.util.find_spec("mcp") is not None


class StepTools:
    """Where the tools of one step are, and what was called. `talk` serves one connection to its end.

    With `once` each start of the agent gets one connection: its own bridge takes it before the agent runs
    any command, and then there is no socket and no token that a command could find.
    """

    def __init__(self, folder: Path, taken: Taken, talk: Talk, *, once: bool = False) -> None:
        self.folder = folder
        self.taken = taken
        self.token = ""
        self._talk = talk
        self._once = once
        self._tasks: set[asyncio.Task[None]] = set()
        self._listening: sockets.socket | None = None

    @property
    def socket(self) -> Path:
        return self.folder / SOCKET

    @property
    def bridge(self) -> Path:
        return self.folder / BRIDGE

    @property
    def opening(self) -> Path:
        return self.folder / bridge.OPENING

    def calls(self, tool: str) -> tuple[ToolCall, ...]:
        return self.taken.calls(tool)

    def forget(self) -> None:
        self.taken.forget()

    def made(self) -> tuple[tuple[str, Mapping[str, Any]], ...]:
        return self.taken.made

    def play(self, tool: str, arguments: Mapping[str, Any]) -> None:
        self.taken.play(tool, arguments)

    def admit(self) -> None:
        """Hang up on whoever was connected, and listen under a new token. Raises OSError."""
        self.seal()
        for task in self._tasks:
            task.cancel()
        self.token = secrets.token_urlsafe(32)
        handle = os.open(self.opening, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(self.token)
        self._listening = _listening(self.folder)
        self._begin(self._accept(self._listening))

    def seal(self) -> None:
        """Let nobody connect from now on; a connection that is there stays."""
        listening, self._listening = self._listening, None
        if listening is not None:
            with suppress(RuntimeError):
                asyncio.get_running_loop().remove_reader(listening)
            listening.close()
        for path in (self.socket, self.opening):
            path.unlink(missing_ok=True)

    def seal_once(self) -> None:
        """`seal`, where one connection is all there is."""
        if self._once:
            self.seal()

    async def end(self) -> None:
        self.seal()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _accept(self, listening: sockets.socket) -> None:
        loop = asyncio.get_running_loop()
        while listening is self._listening:
            try:
                connection, _ = await loop.sock_accept(listening)
            except OSError:
                return
            if listening is not self._listening:
                connection.close()
                return
            self._begin(self._talk(connection, self.token))
            self.seal_once()

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


class SocketTools:
    """The tools of each step that asks for some."""

    @asynccontextmanager
    async def open(self, step: Step, desk: Desk, scope: Scope) -> AsyncIterator[StepTools]:
        # Loading the SDK takes most of a second, in which other steps go on.
        wire = await asyncio.to_thread(importlib.import_module, "burnish.tools.wire")
        folder, taken = desk.inbox.parent / FOLDER, Taken(scope)
        server = wire.make_server(taken)

        async def talk(connection: sockets.socket, token: str) -> None:
            reader, writer = await asyncio.open_unix_connection(sock=connection, limit=wire.MOST_LINE_BYTES)
            await wire.converse(server, token, reader, writer)

        tools = StepTools(folder, taken, talk, once=scope.role == Role.REVIEW)
        try:
            _lay_out(step, tools)
            yield tools
        finally:
            await tools.end()
            shutil.rmtree(folder, ignore_errors=True)


def _lay_out(step: Step, tools: StepTools) -> None:
    folder = tools.folder
    try:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(mode=0o700, parents=True)
        shutil.copyfile(bridge.__file__, tools.bridge)
        tools.admit()
    except OSError as error:
        raise StoreError(
            f"the tools of step {step.key} could not be laid out: {error.strerror or error}",
            hint=f"free some space, or look at {folder.parent}, then go on",
        ) from error


def _listening(folder: Path) -> sockets.socket:
    listening = sockets.socket(sockets.AF_UNIX, sockets.SOCK_STREAM)
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        whole = str(folder / SOCKET)
        short = len(os.fsencode(whole)) <= MOST_NAME_BYTES
        listening.bind(whole if short else f"/proc/self/fd/{handle}/{SOCKET}")
        (folder / SOCKET).chmod(0o600)
        listening.listen()
        listening.setblocking(False)
    except OSError:
        listening.close()
        raise
    finally:
        os.close(handle)
    return listening
