"""`burnish merge`: what a task made goes into a branch of the user's, with all its commits or as one."""

from __future__ import annotations

from dataclasses import dataclass

from burnish.app.place import Place
from burnish.app.start import workspaces_of
from burnish.errors import WorkspaceError
from burnish.git.merging import How, merge, target_branch
from burnish.git.moving import tip

_DONE = {
    How.FAST_FORWARD: "{what} is now in {target}, which went forward to {commit}",
    How.MERGE: "{what} is now in {target}, merged as {commit}",
    How.SQUASH: "{what} is now in {target}, as the one commit {commit}",
    How.ALREADY: "{what} is in {target} already; nothing was changed",
}


@dataclass(frozen=True)
class MergeRequest:
    """`commit` is what was reviewed; `branch` is where it landed, empty when it did not."""

    run_id: str
    commit: str
    branch: str
    title: str
    target: str | None = None
    squash: bool = False


async def merge_commit(place: Place, request: MergeRequest) -> str:
    """A sentence that says what was done; WorkspaceError says why nothing was."""
    target = await target_branch(place.repository, request.target)
    await _check_branch(place, request)
    start = await tip(place.repository, target)
    async with await workspaces_of(place, request.run_id, start) as workspaces:
        done = await merge(
            place.repository,
            workspaces.store,
            request.commit,
            target,
            squash=request.squash,
            message=_message(request),
        )
    what = request.branch or request.commit[:12]
    return _DONE[done.how].format(what=what, target=target, commit=done.commit[:12])


async def _check_branch(place: Place, request: MergeRequest) -> None:
    """Commits somebody added since were never reviewed, and leaving them out would surprise as well."""
    found = await tip(place.repository, request.branch) if request.branch else ""
    if found and found != request.commit:
        raise WorkspaceError(
            f"{request.branch} is at {found[:12]}, and what was reviewed is {request.commit[:12]}.",
            hint=f"merge it as it is now with `git merge {request.branch}`",
        )


def _message(request: MergeRequest) -> str:
    title = " ".join(request.title.split())
    if request.squash and title:
        return title
    what = f"branch '{request.branch}'" if request.branch else f"commit {request.commit[:12]}"
    return f"Merge {what}\n\n{title}"
