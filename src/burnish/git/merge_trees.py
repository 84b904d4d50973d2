"""Three-way merges in a git directory of ours: no working tree, no drivers, no settings of the user's."""

from __future__ import annotations

from dataclasses import dataclass

from burnish.errors import WorkspaceError
from burnish.git.call import refusal
from burnish.git.identity import EMAIL, NAME
from burnish.git.names import shown
from burnish.git.run_store import RunStore

_UNRELATED = b"unrelated histories"
_NOBODY = {
    f"GIT_{who}_{part}": value
    for who in ("AUTHOR", "COMMITTER")
    for part, value in (("NAME", NAME), ("EMAIL", EMAIL), ("DATE", "@0 +0000"))
}


@dataclass(frozen=True)
class MergedTree:
    """With conflicts, `tree` is of no use."""

    tree: str
    conflicts: tuple[str, ...] = ()


async def merge_commits(store: RunStore, ours: str, theirs: str) -> MergedTree:
    """What a merge of two commits would have, by their own history."""
    answer = await store.git.ask(
        "merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", ours, theirs, at=store.place
    )
    if answer.code not in (0, 1):
        if _UNRELATED in answer.err:
            raise WorkspaceError(
                f"{ours[:12]} and {theirs[:12]} have no commit in common, so they cannot be merged.",
                hint="in a shallow clone, `git fetch --unshallow` brings what is missing",
            )
        raise refusal("merge-tree", answer)
    tree, *paths = answer.out.split(b"\0")
    conflicts = dict.fromkeys(shown(path) for path in paths if path) if answer.code else {}
    return MergedTree(tree.decode().strip(), tuple(conflicts))


async def merge_trees(store: RunStore, base: str, ours: str, theirs: str) -> MergedTree:
    """`ours` with what changed from `base` to `theirs`; all three are trees."""
    if base == theirs or ours == theirs:
        return MergedTree(ours)
    if base == ours:
        return MergedTree(theirs)
    # `merge-tree --merge-base` needs git 2.40: commits of exactly that shape do it in any version we take.
    root = await _commit(store, base)
    return await merge_commits(store, await _commit(store, ours, root), await _commit(store, theirs, root))


async def is_ancestor(store: RunStore, one: str, other: str) -> bool:
    answer = await store.git.ask("merge-base", "--is-ancestor", one, other, at=store.place)
    if answer.code not in (0, 1):
        raise refusal("merge-base", answer)
    return answer.code == 0


async def have(store: RunStore, commit: str) -> None:
    """A commit in the store's reach: made there, or of the user's repository and pinned from now on."""
    if (await store.git.ask("cat-file", "-e", f"{commit}^{{commit}}", at=store.place)).code:
        await store.mirror.pin(commit, store.folder.name)


async def _commit(store: RunStore, tree: str, *parents: str) -> str:
    named = [word for parent in parents for word in ("-p", parent)]
    out = await store.git(
        "commit-tree", "--no-gpg-sign", "-m", "x", *named, tree, at=store.place, env=_NOBODY
    )
    return out.decode().strip()
