"""The difference between two commits as a stream: any size, nothing of it kept in memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from enum import StrEnum, auto

from burnish.errors import UsageError, WorkspaceError
from burnish.git.call import Git, Place, refusal
from burnish.git.child import CHUNK_BYTES, MAX_STDERR_BYTES, Answer, stop


class DiffForm(StrEnum):
    FULL = auto()
    STAT = auto()
    NAMES = auto()


_OPTIONS = {
    DiffForm.FULL: ("-p", "--unified=3", "--submodule=short", "--src-prefix=a/", "--dst-prefix=b/"),
    DiffForm.STAT: ("--stat=100", "--summary"),
    DiffForm.NAMES: ("--name-only",),
}


async def since_they_parted(git: Git, place: Place, base: str, commit: str) -> str:
    """What `base...commit` begins with: their last common commit, else the base itself."""
    for name in (base, commit):
        if (await git.ask("cat-file", "-e", f"{name}^{{commit}}", at=place)).code:
            raise UsageError(
                f"the commit {name[:12]} is neither in your repository nor kept for the run any more.",
                hint="a run that was cleaned away can be shown only while its branch is there",
            )
    answer = await git.ask("merge-base", base, commit, at=place)
    return answer.out.decode().split()[0] if answer.code == 0 else base


async def stream_diff(
    git: Git, place: Place, before: str, after: str, form: DiffForm = DiffForm.FULL
) -> AsyncGenerator[bytes, None]:
    """In pieces, as git makes them; no program or attribute of the repository has a say in its form."""
    child = await git.open(
        "diff-tree", "-r", "-M", "--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=none",
        *_OPTIONS[form], before, after, at=place,
    )  # fmt: skip
    assert child.stdin and child.stdout and child.stderr
    child.stdin.close()
    said = asyncio.ensure_future(child.stderr.read(MAX_STDERR_BYTES))
    try:
        while True:
            async with asyncio.timeout(git.timeout_s):
                chunk = await child.stdout.read(CHUNK_BYTES)
            if not chunk:
                break
            yield chunk
        answer = Answer(await child.wait(), b"", await said)
        if answer.code:
            raise refusal("diff-tree", answer)
    except TimeoutError:
        raise WorkspaceError(
            f"git diff-tree printed nothing for {git.timeout_s:g} s and was stopped.",
            hint="look for a stuck file system, then try again",
        ) from None
    finally:
        said.cancel()
        await asyncio.shield(stop(child))
