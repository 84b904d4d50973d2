"""A branch of the user's moved on from one commit to another, with its files where it is checked out."""

from __future__ import annotations

from collections.abc import Callable

from burnish.errors import NotApplied, WorkspaceError
from burnish.git.call import refusal
from burnish.git.checked_out import uses_of
from burnish.git.forwarding import REASON, Forwarding, Point
from burnish.git.landing import BranchLanding
from burnish.git.moving import tip
from burnish.git.repository import Repository
from burnish.git.run_store import RunStore


def check_whole(repository: Repository) -> None:
    """What is merged is merged by history, which a partial clone lacks."""
    if repository.partial:
        raise WorkspaceError(
            f"{repository.root} is a partial clone, whose history Burnish does not have to merge.",
            hint="merge the branch with `git merge`",
        )


class Advancing:
    """`reached` is told how far the move of a checked-out branch is."""

    def __init__(
        self, repository: Repository, store: RunStore, reached: Callable[[Point], None] | None = None
    ) -> None:
        self._repository = repository
        self._landing = BranchLanding(repository, store)
        self._forwarding = Forwarding(self._landing, reached) if reached else Forwarding(self._landing)

    async def advance(self, target: str, new: str, old: str) -> str:
        """Where the branch is then: at `new`, or where somebody else moved it meanwhile (empty: deleted).

        WorkspaceError says why it was not moved; done again after a crash, it takes back what was half done.
        """
        uses = await uses_of(self._repository, target)
        elsewhere = [use for use in uses if not use.here]
        if elsewhere:
            raise WorkspaceError(
                f"the branch {target} {elsewhere[0]}, so nothing was merged.", hint=elsewhere[0].hint
            )
        try:
            if uses:
                await self._forwarding.forward(target, new, old)
            else:
                await self._swap(f"refs/heads/{target}", new, old)
        except NotApplied:
            raise
        except WorkspaceError:
            found = await tip(self._repository, target)
            if found in (old, new):
                raise
            return found
        return new

    async def _swap(self, ref: str, new: str, old: str) -> None:
        await self._landing.bring(new, old)
        answer = await self._landing.swap(ref, new, old, REASON)
        if answer.code:
            raise refusal("update-ref", answer)

    @property
    def begun(self) -> bool:
        """Whether an attempt that did not finish may have written files."""
        return self._forwarding.begun

    def forget(self) -> None:
        self._forwarding.forget()
