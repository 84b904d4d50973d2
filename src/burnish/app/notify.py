"""Telling somebody who is not watching: a command and a webhook get what happened, and can spoil nothing."""

from __future__ import annotations

import asyncio
import shlex
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlsplit

from burnish import codec
from burnish.app.notice import Notice
from burnish.config.schema import Notify
from burnish.errors import BurnishError
from burnish.process.child import Command
from burnish.process.environment import child_environment
from burnish.process.program import Lookup, find_program
from burnish.process.supervisor import run
from burnish.sanitise import clean_line

COMMAND_S = 30.0
WEBHOOK_S = 10.0
SAID_CHARS = 200


@dataclass(frozen=True)
class Notifier:
    """`folder` is where the command is started: none of the repository's, whose files are not ours to run."""

    settings: Notify
    environ: Mapping[str, str]
    folder: Path = Path("/")
    command_s: float = COMMAND_S
    webhook_s: float = WEBHOOK_S

    async def tell(self, notice: Notice) -> tuple[str, ...]:
        """What went wrong with it, in sentences; empty when all of it was told, or nobody wants to know."""
        if notice.event not in self.settings.on:
            return ()
        body = codec.dumps(notice.fields()).encode()
        told = (await self._command(notice, body), await self._webhook(body))
        return tuple(trouble for trouble in told if trouble)

    async def _command(self, notice: Notice, body: bytes) -> str:
        if self.settings.command is None:
            return ""
        try:
            argv = _argv(self.settings.command, self.environ)
            env = child_environment(self.environ)
            program = find_program(argv[0], Lookup(env.get("PATH", ""), self.folder))
            done = await run(
                Command(
                    argv=(str(program), *argv[1:]),
                    cwd=self.folder,
                    env={**env, **notice.variables()},
                    timeout_s=self.command_s,
                    stdin=body,
                )
            )
        except (BurnishError, OSError, ValueError) as error:
            return f"notify.command could not be run: {clean_line(str(error))[:SAID_CHARS]}"
        if done.timed_out:
            return f"notify.command did not finish within {self.command_s:g} s"
        said = clean_line(done.stderr.text.strip() or done.stdout.text.strip())[-SAID_CHARS:]
        return "" if done.ok else f"notify.command ended with status {done.status}: {said}".rstrip(": ")

    async def _webhook(self, body: bytes) -> str:
        address = self.settings.webhook
        if address is None:
            return ""
        posting = _in_a_thread(address, body, self.webhook_s)
        try:
            # The thread's own limit is for each wait on the network; a host that trickles gets twice that.
            status = await asyncio.wait_for(posting, self.webhook_s * 2)
        except TimeoutError:
            trouble = f"no answer within {self.webhook_s:g} s"
        except (OSError, ValueError) as error:
            trouble = clean_line(str(error))[:SAID_CHARS]
        else:
            if 200 <= status < 300:
                return ""
            trouble = f"it answered with status {status}"
            trouble += ", and redirects are not followed" if 300 <= status < 400 else ""
        return f"notify.webhook at {_host(address)} could not be told: {trouble}"


def _argv(command: str, environ: Mapping[str, str]) -> Sequence[str]:
    """Without a shell. `~/` is the home folder; any other path must be whole."""
    words = shlex.split(command)
    if not words:
        raise ValueError("it is empty")
    if words[0].startswith("~/"):
        words[0] = str(Path(environ.get("HOME", "/")) / words[0][2:])
    if "/" in words[0] and not Path(words[0]).is_absolute():
        raise ValueError(f"expected a program on PATH or its whole path, found {words[0]!r}")
    return words


def _in_a_thread(address: str, body: bytes, timeout_s: float) -> asyncio.Future[int]:
    """A thread of its own that nobody waits for at the end: a host that hangs must not hold us."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[int] = loop.create_future()

    def settle(status: int, error: Exception | None) -> None:
        if answer.done():
            return
        if error is None:
            answer.set_result(status)
        else:
            answer.set_exception(error)

    def work() -> None:
        status, error = 0, None
        try:
            status = _post(address, body, timeout_s)
        except (OSError, ValueError) as trouble:
            error = trouble
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, status, error)

    threading.Thread(target=work, name="webhook", daemon=True).start()
    return answer


def _post(address: str, body: bytes, timeout_s: float) -> int:
    """The status of the answer. Nothing here knows another scheme than http and https, nor redirects."""
    from http.client import HTTPException
    from urllib import request

    opener = request.OpenerDirector()
    for handler in (request.ProxyHandler, request.HTTPHandler, request.HTTPSHandler):
        opener.add_handler(handler())
    opener.add_handler(request.HTTPErrorProcessor())
    opener.add_handler(request.HTTPDefaultErrorHandler())
    headers = {"Content-Type": "application/json", "User-Agent": "burnish"}
    post = request.Request(address, body, headers, method="POST")  # noqa: S310 - the setting takes no other
    try:
        with opener.open(post, timeout=timeout_s) as answer:
            status: int = answer.status
            return status
    except HTTPError as error:
        error.close()
        return error.code
    except HTTPException as error:
        raise ValueError(f"it does not speak HTTP ({type(error).__name__})") from None


def _host(address: str) -> str:
    """The rest of such an address is often a secret."""
    parts = urlsplit(address)
    return clean_line(f"{parts.scheme}://{parts.hostname}")
