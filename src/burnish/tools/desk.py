"""The tools of a step: a socket beside its desk for as long as its agent works, and the calls that came."""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import os
import secrets
import shutil
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from burnish.errors import StoreError
from burnish.model.step import Step
from burnish.ports import Desk
from burnish.team_ports import Scope, ToolCall
from burnish.tools import bridge
from burnish.tools.taken import Taken

FOLDER, SOCKET, BRIDGE = "tools", "socket", "bridge.py"
# What a socket's name may have everywhere; longer ones go through the number of their folder.
MOST_NAME_BYTES = 100


def installed() -> bool:
    """Whether the SDK is there: it comes with an extra."""
    return importlib.util.find_spec("mcp") is not None


@dataclass(frozen=True)
class StepTools:
    """Where the tools of one step are, and what was called."""

    socket: Path
    token: str
    bridge: Path
    taken: Taken

    def calls(self, tool: str) -> tuple[ToolCall, ...]:
        return self.taken.calls(tool)

    def forget(self) -> None:
        self.taken.forget()

    def made(self) -> tuple[tuple[str, Mapping[str, Any]], ...]:
        return self.taken.made

    def play(self, tool: str, arguments: Mapping[str, Any]) -> None:
        self.taken.play(tool, arguments)


class SocketTools:
    """The tools of each step that asks for some."""

    @asynccontextmanager
    async def open(self, step: Step, desk: Desk, scope: Scope) -> AsyncIterator[StepTools]:
        # Loading the SDK takes most of a second, in which other steps go on.
        wire = await asyncio.to_thread(importlib.import_module, "burnish.tools.wire")
        folder, taken, token = desk.inbox.parent / FOLDER, Taken(scope), secrets.token_urlsafe(32)
        server, talks = wire.make_server(taken), set[asyncio.Task[None]]()

        async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.current_task()
            assert task is not None
            talks.add(task)
            try:
                await wire.converse(server, token, reader, writer)
            finally:
                talks.discard(task)

        listening = _listening(step, folder)
        served = await asyncio.start_unix_server(connected, sock=listening, limit=wire.MOST_LINE_BYTES)
        try:
            yield StepTools(folder / SOCKET, token, folder / BRIDGE, taken)
        finally:
            served.close()
            for task in tuple(talks):
                task.cancel()
            await asyncio.gather(*talks, return_exceptions=True)
            shutil.rmtree(folder, ignore_errors=True)


def _listening(step: Step, folder: Path) -> socket.socket:
    try:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(mode=0o700, parents=True)
        shutil.copyfile(bridge.__file__, folder / BRIDGE)
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            whole = str(folder / SOCKET)
            short = len(os.fsencode(whole)) <= MOST_NAME_BYTES
            listening.bind(whole if short else f"/proc/self/fd/{handle}/{SOCKET}")
        finally:
            os.close(handle)
        (folder / SOCKET).chmod(0o600)
    except OSError as error:
        raise StoreError(
            f"the tools of step {step.key} could not be laid out: {error.strerror or error}",
            hint=f"free some space, or look at {folder.parent}, then go on",
        ) from error
    return listening
