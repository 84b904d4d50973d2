"""Runs that are sessions of other runs: each goes on by its own verb, which takes up the newest one."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from shlex import join

from burnish.app.build_open import builds_of
from burnish.app.slots_open import sessions_of as slots_of
from burnish.app.spec import RunSpec
from burnish.app.spec_open import sessions_of as specs_of
from burnish.errors import UsageError
from burnish.model.run_view import RunView
from burnish.store.database import Database


class GoesOnElsewhere(UsageError):
    """`arguments` are those of the command that goes on with it, from wherever one stands."""

    def __init__(self, message: str, verb: str, document: str, root: Path) -> None:
        super().__init__(message, hint=join(("burnish", verb, *filter(None, [document]), "--resume")))
        self.arguments = [verb, *([str(root / document)] if document else []), "--resume"]


def refuse_session(database: Database, view: RunView, spec: RunSpec, root: Path) -> None:
    """Raises GoesOnElsewhere for a session that can go on, UsageError for one that others came after."""
    known: Iterable[tuple[RunView, RunSpec]]
    if spec.session:
        what, how, verb, document = "the session of a spec", "phase by phase", "spec", spec.session.path
        known = specs_of(database, document)
    elif spec.build:
        what, how, verb, document = "a build", "loop by loop", "build", spec.build.path
        known = builds_of(database, document)
    elif spec.slots:
        what, how, verb, document = "a session of slots", "slot by slot", "slots", ""
        known = slots_of(database)
    else:
        return
    newest = next(one.id for one, _ in known)
    if newest != view.id:
        raise UsageError(
            f"run {view.id} is {what} that {newest} came after, so it does not go on.",
            hint=f"burnish show {newest}",
        )
    raise GoesOnElsewhere(f"run {view.id} is {what}, which goes on {how}.", verb, document, root)
