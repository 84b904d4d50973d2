"""Which runs have commits on a line, as the commits say themselves: they may have been rebased."""

from __future__ import annotations

from burnish.git.call import Git, Place

TRAILER = "Burnish-Run"


async def runs_between(git: Git, place: Place, base: str, tip: str) -> frozenset[str]:
    """Of the commits that `tip` has and `base` has not; none where a name is unknown there."""
    answer = await git.ask(
        "log", "-z", f"--format=%(trailers:key={TRAILER},valueonly)", f"{base}..{tip}", at=place
    )
    return frozenset(answer.out.decode("utf8", "replace").replace("\0", "\n").split())
