"""Whether what passed is still what is there: said whenever somebody looks, never stored."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from burnish import codec
from burnish.app.place import Place
from burnish.git.call import Place as GitPlace
from burnish.git.names import shown
from burnish.git.on_disk import Checkout
from burnish.git.trees import ABSENT, Delta, deltas
from burnish.model.landing import Land
from burnish.model.outcome import Outcome
from burnish.model.run_view import RunView

CHANGED = "is no longer what was reviewed"


@dataclass(frozen=True)
class _Branch:
    """`checkout` is where it is checked out, if it is."""

    name: str
    tip: str
    checkout: Path | None


async def with_staleness(place: Place, views: Iterable[RunView]) -> tuple[RunView, ...]:
    """The same runs; those that passed and are not there any more as they were say so."""
    branches = await _branches(place, "refs/heads")
    return tuple([replace(view, stale=await _stale(place, view, branches)) for view in views])


async def _branches(place: Place, *which: str) -> dict[str, _Branch]:
    repository = place.repository
    fields = "%(objectname)%00%(refname)%00%(worktreepath)%00"
    out = await repository.git("for-each-ref", f"--format={fields}", *which, at=repository.place)
    words = [os.fsdecode(word).removeprefix("\n") for word in out.split(b"\0")]
    found = {}
    for tip, ref, folder in zip(words[0::3], words[1::3], words[2::3], strict=False):
        name = ref.removeprefix("refs/heads/")
        checkout = repository.root if name == repository.branch else Path(folder) if folder else None
        found[name] = _Branch(name, tip, checkout)
    return found


async def _stale(place: Place, view: RunView, branches: dict[str, _Branch]) -> str:
    if view.outcome != Outcome.PASSED or view.commit is None:
        return ""
    if view.branch:
        return await _on_branch(place, view, branches.get(view.branch))
    applied = codec.loads(view.spec).get("land") == Land.APPLY
    return await _applied(place, view) if applied else ""


async def _on_branch(place: Place, view: RunView, branch: _Branch | None) -> str:
    commit = view.commit or ""
    if branch is None:
        # Merged and tidied away, it is where it was merged to.
        having = await _having(place, commit)
        if not having:
            return f"the branch {view.branch} is gone"
        branch = having.get(place.repository.branch) or next(iter(having.values()))
    if branch.tip == commit and branch.checkout is None:
        return ""
    reviewed = await _reviewed(place, view, view.base)
    if reviewed is None:
        return "" if branch.tip == commit else f"the branch {branch.name} was moved, {_since(view)}"
    if branch.tip != commit and (edited := await _edited_at(place, branch.tip, reviewed)):
        if not await _contains(place, branch.tip, commit):
            return f"the branch {branch.name} was moved: {shown(edited[0])} there {CHANGED}"
        return f"{shown(edited[0])} on {branch.name} {CHANGED}"
    return await _in_checkout(place, branch.checkout, reviewed) if branch.checkout else ""


async def _having(place: Place, commit: str) -> dict[str, _Branch]:
    repository = place.repository
    if (await repository.git.ask("cat-file", "-e", f"{commit}^{{commit}}", at=repository.place)).code:
        return {}
    return await _branches(place, f"--contains={commit}", "refs/heads")


def _since(view: RunView) -> str:
    return f"and the commit {(view.commit or '')[:12]} that was reviewed is gone"


async def _contains(place: Place, tip: str, commit: str) -> bool:
    repository = place.repository
    asked = ("merge-base", "--is-ancestor", commit, tip)
    return (await repository.git.ask(*asked, at=repository.place)).code == 0


async def _reviewed(place: Place, view: RunView, before: str) -> list[Delta] | None:
    """What the run changed, as its own store or the user's repository has it; None when neither does."""
    git, commit = place.repository.git, view.commit or ""
    own = GitPlace(place.run_folder(view.id) / "run.git")
    for store in (place.repository.place, own):
        if store.folder.is_dir():
            names = "".join(f"{name}^{{tree}}\n" for name in (before, commit)).encode()
            answer = await git.ask("cat-file", "--batch-check", at=store, stdin=names)
            if answer.code == 0 and answer.out.count(b" tree ") == 2:
                return await deltas(git, store, before, commit)
    return None


async def _edited_at(place: Place, tip: str, reviewed: Sequence[Delta]) -> list[bytes]:
    repository = place.repository
    out = await repository.git("ls-tree", "-r", "-z", tip, at=repository.place)
    there: dict[bytes, tuple[bytes, str]] = {}
    for line in out.split(b"\0"):
        about, _, path = line.partition(b"\t")
        if path:
            mode, _, name = about.split(b" ")
            there[path] = (mode, name.decode())
    expected = {one.path: None if one.mode == ABSENT else (one.mode, one.object) for one in reviewed}
    return [path for path, entry in expected.items() if there.get(path) != entry]


async def _applied(place: Place, view: RunView) -> str:
    reviewed = await _reviewed(place, view, view.start)
    return await _in_checkout(place, place.repository.root, reviewed) if reviewed else ""


async def _in_checkout(place: Place, root: Path, reviewed: Sequence[Delta]) -> str:
    if not root.is_dir():
        return ""
    edited = await Checkout(place.repository, root, place.mirror).differing(reviewed)
    where = "your checkout" if root == place.repository.root else shown(os.fsencode(root))
    return f"{shown(edited[0])} in {where} {CHANGED}" if edited else ""
