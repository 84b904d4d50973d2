"""What two lines that began at one commit did since, as text for whoever must bring them together."""

from __future__ import annotations

from burnish.git.diff import make_diff
from burnish.git.merge_trees import have
from burnish.git.run_store import RunStore
from burnish.ports import Diff


async def both_sides(
    store: RunStore, base: str, tips: tuple[str, str], paths: tuple[str, ...] = (), *, cap: int
) -> str:
    """Of the target only the paths, where there are some; of the change all. `cap` bytes for each side."""
    for commit in (base, *tips):
        await have(store, commit)
    start, target, change = [await store.tree(commit) for commit in (base, *tips)]
    theirs = await make_diff(store, start, target, cap, only=paths)
    if paths and not theirs.text:
        theirs = await make_diff(store, start, target, cap)
    ours = await make_diff(store, start, change, cap)
    return f"{_told('what the branch got meanwhile', theirs)}\n{_told('the change', ours)}"


def _told(what: str, diff: Diff) -> str:
    left_out = "".join(f"not shown: {name}\n" for name in diff.left_out)
    return f"=== {what}\n{diff.text or 'nothing'}\n{left_out}"
