"""Whether what passed is still what is there: said whenever somebody looks, never stored."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace

from burnish import codec
from burnish.app.place import Place
from burnish.git.blobs import blob_name
from burnish.git.call import Place as GitPlace
from burnish.git.names import shown
from burnish.git.trees import ABSENT, Delta, deltas
from burnish.model.landing import Land
from burnish.model.outcome import Outcome
from burnish.model.run_view import RunView


async def with_staleness(place: Place, views: Iterable[RunView]) -> tuple[RunView, ...]:
    """The same runs; those that passed and were edited since say so."""
    tips = await _branches(place)
    return tuple([replace(view, stale=await _stale(place, view, tips)) for view in views])


async def _branches(place: Place) -> dict[str, str]:
    repository = place.repository
    out = await repository.git(
        "for-each-ref", "--format=%(objectname) %(refname)", "refs/heads", at=repository.place
    )
    pairs = (line.split(" ", 1) for line in os.fsdecode(out).splitlines())
    return {ref.removeprefix("refs/heads/"): commit for commit, ref in pairs}


async def _stale(place: Place, view: RunView, tips: dict[str, str]) -> str:
    if view.outcome != Outcome.PASSED or view.commit is None:
        return ""
    if view.branch:
        tip = tips.get(view.branch)
        return await _on_branch(place, view, tip) if tip and tip != view.commit else ""
    applied = codec.loads(view.spec).get("land") == Land.APPLY
    return await _in_checkout(place, view) if applied else ""


async def _on_branch(place: Place, view: RunView, tip: str) -> str:
    repository, commit = place.repository, view.commit or ""
    reviewed = await deltas(repository.git, repository.place, view.base, commit)
    since = {delta.path for delta in await deltas(repository.git, repository.place, commit, tip)}
    edited = [delta.path for delta in reviewed if delta.path in since]
    return f"{shown(edited[0])} on {view.branch} is no longer what was reviewed" if edited else ""


async def _in_checkout(place: Place, view: RunView) -> str:
    store = place.run_folder(view.id) / "run.git"
    if not store.is_dir():
        return ""
    changed = await deltas(place.repository.git, GitPlace(store), view.start, view.commit or "")
    edited = [delta.path for delta in changed if not _as_it_was(place, delta)]
    return f"{shown(edited[0])} in your checkout is no longer what was reviewed" if edited else ""


def _as_it_was(place: Place, delta: Delta) -> bool:
    path = place.repository.root / os.fsdecode(delta.path)
    if delta.mode == ABSENT:
        return not os.path.lexists(path)
    if delta.mode not in (b"100644", b"100755"):
        return True
    return blob_name(path, place.repository.object_format) == delta.object
