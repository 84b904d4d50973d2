"""Whether the branch that a session worked on still has what the session put there."""

from __future__ import annotations

from collections.abc import Sequence

from burnish.app.place import Place
from burnish.git.moving import tip
from burnish.model.exit_codes import ExitCode
from burnish.model.landing import Land, Landing
from burnish.workflows.deliver import NOT_LANDED


async def landed_on(place: Place, branch: str, commits: Sequence[str]) -> Landing:
    """The branch as it is; not as asked when it is gone, or no longer has one of the commits put there."""
    at = await tip(place.repository, branch)
    lost = await _lost(place, at, commits)
    if not lost:
        return Landing(Land.BRANCH, at, branch=branch)
    why = f"{branch} no longer has {lost[:12]}" if at else f"there is no branch {branch} any more"
    note = f"{NOT_LANDED}{why}; what passed is kept as a commit: git branch NAME {lost[:12]}"
    return Landing(Land.NONE, lost, note=note, as_asked=False)


def told(message: str, code: ExitCode, landing: Landing) -> tuple[str, ExitCode]:
    """How a session ends: the branch is all that it delivers, so without it nothing is a success."""
    if landing.as_asked:
        return message, code
    return f"{message}, but {landing.note}", ExitCode.STOPPED if code is ExitCode.OK else code


async def _lost(place: Place, at: str, commits: Sequence[str]) -> str:
    """The newest commit that the branch at `at` does not have; empty when it has them all."""
    repository = place.repository
    if not (at and commits):
        return commits[-1] if commits else ""
    asked = "".join(f"{line}\n" for line in (*commits, f"^{at}"))
    answer = await repository.git.ask(
        "rev-list", "--topo-order", "--max-count=1", "--stdin", at=repository.place, stdin=asked.encode()
    )
    return answer.out.decode().strip() if answer.code == 0 else commits[-1]
