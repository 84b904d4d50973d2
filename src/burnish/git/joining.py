"""A line of commits put on top of another one, commit by commit, with its messages and authors."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from burnish.errors import WorkspaceError
from burnish.git.merge_trees import have, is_ancestor, merge_trees
from burnish.git.run_store import RunStore

# Signatures are about bytes that are no longer the same; parents and tree are written anew.
_DROPPED = re.compile(rb"(?m)^(?:tree|parent|gpgsig|gpgsig-sha256|mergetag) .*\n(?: .*\n)*")
_ENCODING = re.compile(rb"(?m)^encoding .*\n")
_COMMITTER = re.compile(rb"(?m)^(committer .*> )(\d+)( [-+]\d+)$")


@dataclass(frozen=True)
class Joined:
    """`rebased` is False where the commits are the very same as before."""

    commit: str
    tree: str
    rebased: bool


@dataclass(frozen=True)
class Contested:
    """Paths that both lines changed in ways that do not go together, at the first such commit."""

    paths: tuple[str, ...]
    at: str


async def join(store: RunStore, onto: str, base: str, tip: str) -> Joined | Contested:
    """The commits base..tip on top of `onto`. The same arguments give the same commits, also after a crash.

    What `onto` has already is left out. Only objects are written, and only in the store.
    """
    await _check(store, onto, base, tip)
    at = onto
    for commit in await _line(store, (base, onto), tip):
        made = await _put(store, commit, at)
        if isinstance(made, Contested):
            return made
        at = made
    return Joined(at, await store.tree(at), rebased=at not in (tip, onto))


async def _check(store: RunStore, onto: str, base: str, tip: str) -> None:
    for commit in (onto, base, tip):
        await have(store, commit)
    if not await is_ancestor(store, base, tip):
        raise WorkspaceError(
            f"{tip[:12]} was not made on top of {base[:12]}, so its commits cannot be put elsewhere.",
            hint="name the commit that the work began with",
        )


async def join_as_one(
    store: RunStore,
    onto: str,
    base: str,
    tip: str,
    message: Callable[[list[str]], str],
    fewest: int = 2,
) -> Joined | Contested:
    """As `join`, but `fewest` commits and more become one, with the author and date of the last.

    Only what they come to is merged, not what is between them. `message` is given their subjects.
    """
    await _check(store, onto, base, tip)
    line = await _line(store, (base, onto), tip)
    if len(line) < fewest:
        return await join(store, onto, base, tip)
    there = await store.tree(onto)
    merged = await merge_trees(store, await store.tree(base), there, await store.tree(tip))
    if merged.conflicts:
        return Contested(merged.conflicts, tip)
    if merged.tree == there:
        return Joined(onto, there, rebased=False)
    raw = await store.git("cat-file", "commit", tip, at=store.place)
    header = _ENCODING.sub(b"", raw.partition(b"\n\n")[0] + b"\n")
    text = message(await _subjects(store, base, tip))
    commit = await _write(store, merged.tree, onto, header, text.encode("utf8", "replace"))
    return Joined(commit, merged.tree, rebased=True)


async def _subjects(store: RunStore, base: str, tip: str) -> list[str]:
    """Of the commits that came on top, oldest first."""
    out = await store.git(
        "log", "-z", "--first-parent", "--reverse", "--format=%s", f"{base}..{tip}", at=store.place
    )
    return [subject for subject in out.decode("utf8", "replace").split("\0") if subject]


async def _line(store: RunStore, known: tuple[str, str], tip: str) -> list[str]:
    """Oldest first; of a merge only its first side counts, as what the merge brought there."""
    without = [f"^{commit}" for commit in known]
    out = await store.git("rev-list", "--first-parent", "--reverse", tip, *without, at=store.place)
    return out.decode().split()


async def _put(store: RunStore, commit: str, onto: str) -> str | Contested:
    """The commit on top of another one; `onto` itself when nothing of it is new there."""
    raw = await store.git("cat-file", "commit", commit, at=store.place)
    header, _, message = raw.partition(b"\n\n")
    parents = re.findall(rb"(?m)^parent ([0-9a-f]+)$", header)
    if [onto.encode()] == parents:
        return commit
    before, after = await store.tree(parents[0].decode()), await store.tree(commit)
    there = await store.tree(onto)
    merged = await merge_trees(store, before, there, after)
    if merged.conflicts:
        return Contested(merged.conflicts, commit)
    if merged.tree == there and before != after:
        return onto
    return await _write(store, merged.tree, onto, header + b"\n", message)


async def _write(store: RunStore, tree: str, onto: str, header: bytes, message: bytes) -> str:
    kept = _DROPPED.sub(b"", header)
    kept = _COMMITTER.sub(_not_before(await _date(store, onto)), kept)
    lead = f"tree {tree}\nparent {onto}\n".encode()
    out = await store.git(
        "hash-object", "-t", "commit", "-w", "--stdin", at=store.place, stdin=lead + kept + b"\n" + message
    )
    return out.decode().strip()


async def _date(store: RunStore, commit: str) -> int:
    out = await store.git("cat-file", "commit", commit, at=store.place)
    found = _COMMITTER.search(out.partition(b"\n\n")[0])
    return int(found[2]) if found else 0


def _not_before(seconds: int) -> Callable[[re.Match[bytes]], bytes]:
    """A fixed date, and never one before the parent's: git finds its way through history by dates."""
    return lambda found: found[1] + str(max(seconds, int(found[2]))).encode() + found[3]
