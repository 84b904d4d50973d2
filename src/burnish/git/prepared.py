"""A move of HEAD's branch that is prepared, held while files are written, and then done or given up."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from burnish.errors import WorkspaceError
from burnish.git.call import Git, Place, refusal
from burnish.git.child import MAX_STDERR_BYTES, Answer, stop

ANSWER_S = 60.0
END_S = 10.0


class Prepared:
    """Git holds the locks of HEAD and of its branch: the move can neither fail nor be overtaken now."""

    def __init__(self, child: Process) -> None:
        self._child = child

    async def commit(self) -> None:
        await _say(self._child, "commit")


@asynccontextmanager
async def prepared(git: Git, place: Place, new: str, old: str, reason: str) -> AsyncIterator[Prepared]:
    """Given up unless `commit` was awaited. If we are killed, git's input ends and it gives up by itself."""
    child = await git.open("update-ref", "--create-reflog", "-m", reason, "--stdin", at=place)
    try:
        await _say(child, "start", f"update HEAD {new} {old}", "prepare")
        yield Prepared(child)
    finally:
        await asyncio.shield(_end(child))


async def _say(child: Process, *lines: str) -> None:
    """Tell git to do something, and wait until it says that it has."""
    assert child.stdin and child.stdout
    wanted = f"{lines[-1]}: ok\n".encode()
    try:
        async with asyncio.timeout(ANSWER_S):
            with suppress(BrokenPipeError, ConnectionResetError):
                child.stdin.write("".join(f"{line}\n" for line in lines).encode())
                await child.stdin.drain()
            while line := await child.stdout.readline():
                if line == wanted:
                    return
            raise await _refused(child)
    except TimeoutError:
        raise WorkspaceError(
            f"git update-ref did not answer within {ANSWER_S:g} s and was stopped.",
            hint="look for a stuck file system, then try again",
        ) from None


async def _refused(child: Process) -> WorkspaceError:
    assert child.stderr
    said = await child.stderr.read(MAX_STDERR_BYTES)
    return refusal("update-ref", Answer(await child.wait(), b"", said))


async def _end(child: Process) -> None:
    """The end of its input is what makes git let go of its locks; killed, it would leave them."""
    assert child.stdin
    child.stdin.close()
    with suppress(TimeoutError):
        async with asyncio.timeout(END_S):
            await child.wait()
    await stop(child)
