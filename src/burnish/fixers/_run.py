"""Running the program of a fixer over a text, never over a file of the workspace."""

from __future__ import annotations

from burnish.errors import BurnishError
from burnish.process.child import Command, Finished
from burnish.process.supervisor import run
from burnish.process.tool_setup import ToolSetup

KEEP_BYTES = 64 * 1024 * 1024
SAID_CHARS = 300


class FixerFailed(BurnishError):
    """A fixer's program crashed, hung or printed too much."""


async def run_fixer(
    setup: ToolSetup, program: str, options: tuple[str, ...], exits: frozenset[int], stdin: bytes = b""
) -> Finished:
    """Run it in an empty folder of ours, so that no configuration of the repository is near."""
    found = setup.program(program)
    if found is None:
        raise FixerFailed(f"{program} is not installed")
    with setup.temporary("fix") as folder:
        command = Command(
            (str(found), *options), folder, setup.env, setup.timeout_s, stdin, keep_bytes=KEEP_BYTES
        )
        finished = await run(command)
    if finished.timed_out or finished.exit not in exits or finished.stdout.left_out:
        said = " ".join(finished.stderr.text.split())[-SAID_CHARS:]
        how = "did not end" if finished.timed_out else f"failed with exit {finished.exit}"
        raise FixerFailed(f"{program} {how}" + (f": {said}" if said else ""))
    return finished
