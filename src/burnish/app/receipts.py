"""Receipts for people: found by run or file, shown, checked, signed."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from burnish.app.archive import Archive
from burnish.app.place import Place, find_place
from burnish.app.signing import check_signature
from burnish.errors import UsageError
from burnish.git.evidence import GitTrees
from burnish.model.events import Recorded
from burnish.model.receipt import Receipt
from burnish.receipts.make import MAX_BYTES, read
from burnish.receipts.verify import Check, verify
from burnish.store.database import open_database


@dataclass(frozen=True)
class Found:
    """A receipt, where it lies, and the journal it came from when that is at hand."""

    path: Path
    receipt: Receipt
    journal: tuple[Recorded, ...] | None
    place: Place


async def find_receipt(wanted: str) -> Found:
    """By the path of a file, else by the run it belongs to."""
    place = await find_place()
    if Path(wanted).is_file():
        path = Path(wanted)
        receipt = read(_text(path), wanted)
        return Found(path, receipt, _journal(place, receipt.run), place)
    with closing(open_database(place.database)) as database:
        archive = Archive(place, database)
        view = archive.run(wanted)
        if view.receipt is None:
            raise UsageError(f"run {view.id} has no receipt: it is {view.outcome or view.shown_state}.")
        path = Path(view.receipt)
        return Found(path, read(_text(path), str(path)), archive.events(view.id), place)


async def check(found: Found, signers: Path | None = None) -> list[Check]:
    """Against the run's own store where it is at hand, else against the repository we are in."""
    repository = found.place.repository
    checks = await verify(found.receipt, GitTrees(repository.git, repository.place), found.journal)
    if not checks[-1].holds and found.journal is not None:
        store = found.place.run_folder(found.receipt.run) / "run.git"
        if store.is_dir():
            trees = GitTrees(repository.git, type(repository.place)(store))
            checks = await verify(found.receipt, trees, found.journal)
    if checks[-1].holds:
        checks += await check_signature(found.path, signers)
    return checks


def _journal(place: Place, run_id: str) -> tuple[Recorded, ...] | None:
    """The run's own events, if it was made here."""
    if not place.database.is_file():
        return None
    with closing(open_database(place.database)) as database:
        return Archive(place, database).events(run_id) or None


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise UsageError(f"{path} is too large to be a receipt.")
        return path.read_text("utf8", "replace")
    except OSError as error:
        raise UsageError(f"the receipt {path} cannot be read: {error.strerror}.") from None
