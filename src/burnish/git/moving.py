"""A branch of the user's moved from one commit to another by compare-and-swap, or left exactly as it is."""

from __future__ import annotations

import os

from burnish.errors import WorkspaceError
from burnish.git.call import refusal
from burnish.git.checked_out import uses_of
from burnish.git.landing import BranchLanding
from burnish.git.repository import Repository

REASON = "burnish: moved"


async def move_branch(landing: BranchLanding, name: str, new: str, old: str, *, base: str) -> None:
    """`base` is a commit that both sides have. Doing it again after a crash finds it done.

    A branch that is gone, was moved by somebody else or is checked out anywhere stays as it is.
    """
    repository = landing.repository
    if await check_movable(repository, name, new, old):
        return
    await landing.bring(new, base)
    uses = await uses_of(repository, name)
    if uses:
        raise WorkspaceError(
            f"the branch {name} {uses[0]}, so it was not moved.",
            hint="take the result under another name, or switch to another branch there and try again",
        )
    answer = await landing.swap(f"refs/heads/{name}", new, old, REASON)
    if answer.code and not await check_movable(repository, name, new, old):
        raise refusal("update-ref", answer)


async def check_movable(repository: Repository, name: str, new: str, old: str) -> bool:
    """Whether it is at `new` already; WorkspaceError when it is not at `old` either."""
    found = await tip(repository, name)
    if not found:
        raise WorkspaceError(
            f"there is no branch {name} any more, so it was not moved.",
            hint="take the result under another name",
        )
    if found not in (new, old):
        raise WorkspaceError(
            f"the branch {name} was expected at {old[:12]} and is at {found[:12]}, so it was not moved.",
            hint="somebody moved it meanwhile; take the result under another name, or start again from there",
        )
    await refuse_another_name(repository, name)
    return found == new


async def refuse_another_name(repository: Repository, name: str) -> None:
    """Raises where it is a symbolic ref: moving it would move what it leads to."""
    leads = await repository.git.ask("symbolic-ref", "-q", f"refs/heads/{name}", at=repository.place)
    if leads.code == 0:
        target = os.fsdecode(leads.out.strip()).removeprefix("refs/heads/")
        raise WorkspaceError(
            f"{name} is another name for {target}, not a branch of its own, so it was not moved.",
            hint=f"name {target} instead",
        )


async def tip(repository: Repository, name: str) -> str:
    """The commit a branch is at; empty when there is no such branch."""
    answer = await repository.git.ask(
        "rev-parse",
        "--verify",
        "-q",
        "--end-of-options",
        f"refs/heads/{name}^{{commit}}",
        at=repository.place,
    )
    return answer.out.decode().split()[-1] if answer.code == 0 else ""
