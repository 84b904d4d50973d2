"""Receipts for people: found by run or file, shown, checked, signed."""

from __future__ import annotations

import stat
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from burnish.app.archive import Archive
from burnish.app.place import Place, find_place
from burnish.app.signing import check_signature, sign, users_signers
from burnish.errors import UsageError
from burnish.git.call import Place as GitPlace
from burnish.git.evidence import GitTrees
from burnish.model.events import Recorded
from burnish.model.receipt import Receipt
from burnish.receipts.make import MAX_BYTES, read
from burnish.receipts.proof import Proof, Verification
from burnish.receipts.verify import recorded_end, verify
from burnish.store.database import open_database

JOURNAL = "the journal of this machine"


@dataclass(frozen=True)
class Found:
    """A receipt, where it lies with which bytes, and the run's journal when that is at hand."""

    path: Path
    data: bytes
    receipt: Receipt
    journal: tuple[Recorded, ...] | None
    place: Place
    by_path: bool = False


async def find_receipt(wanted: str) -> Found:
    """By the path of a file when it has a slash or ends in `.json`, else by the run it belongs to.

    What a repository contains cannot decide which of the two is meant: a file called like a run is a file.
    """
    if not ("/" in wanted or wanted.endswith(".json")):
        try:
            return await find_receipt_of(wanted)
        except UsageError as error:
            hint = f"for the file of that name, write ./{wanted}" if Path(wanted).is_file() else error.hint
            raise UsageError(error.message, hint=hint) from None
    place, path = await find_place(), Path(wanted)
    data = _bytes(path)
    receipt = read(data.decode("utf8", "replace"), wanted)
    return Found(path, data, receipt, journal_of(place, receipt.run), place, by_path=True)


async def find_receipt_of(run: str) -> Found:
    """The receipt that a run of this repository left; UsageError for a run that is unknown or has none."""
    place = await find_place()
    with closing(open_database(place.database)) as database:
        archive = Archive(place, database)
        view = archive.run(run)
        if view.receipt is None:
            raise UsageError(f"run {view.id} has no receipt: it is {view.outcome or view.shown_state}.")
        path, events = Path(view.receipt), archive.events(view.id)
    data = _bytes(path)
    return Found(path, data, read(data.decode("utf8", "replace"), str(path)), events, place)


def receipt_in_state(place: Place, run_id: str) -> Found:
    """The receipt of a run whose row may be lost, from the state folder; UsageError when there is none."""
    path = place.receipt(run_id)
    data = _bytes(path)
    return Found(
        path, data, read(data.decode("utf8", "replace"), str(path)), journal_of(place, run_id), place
    )


async def check(found: Found, signers: Path | None = None) -> Verification:
    """Against git, the run's journal where it is at hand, and the signature beside the file.

    `signers` names who may vouch for it instead of the user's own list; then the journal does not count.
    """
    repository, receipt = found.place.repository, found.receipt
    checks = await verify(receipt, GitTrees(repository.git, repository.place), found.journal)
    if not checks[-1].holds and found.journal:
        store = found.place.run_folder(found.journal[0].run) / "run.git"
        if store.is_dir():
            checks = await verify(receipt, GitTrees(repository.git, GitPlace(store)), found.journal)
    if not checks[-1].holds:
        return Verification(tuple(checks))
    missing = _unrecorded(found) if signers is None else "the journal does not count beside --signers"
    signed = await check_signature(found.path, found.data, signers or users_signers(found.place.environ))
    proven_by = (*([] if missing else [JOURNAL]), *([signed.by] if signed.by else []))
    not_compared = tuple(text for text in (missing, signed.missing) if text)
    return Verification((*checks, *signed.checks), proven_by, not_compared)


async def sign_proven(found: Found, key: Path) -> Path:
    """Sign what the journal agrees with, and nothing else: elsewhere the signature is all that vouches."""
    told = await check(found)
    if told.proof is not Proof.PROVEN or JOURNAL not in told.proven_by:
        wrong = next((f"{one.name}: {one.wrong}" for one in told.checks if not one.holds), "")
        why = f"it does not hold ({wrong})" if wrong else told.not_compared[0]
        raise UsageError(
            f"the receipt {found.path} is not signed: {why}.",
            hint="sign it on the machine that made the run",
        )
    return await sign(found.path, key)


def journal_of(place: Place, run_id: str) -> tuple[Recorded, ...] | None:
    """The run's own events, if it was made here."""
    if not place.database.is_file():
        return None
    with closing(open_database(place.database)) as database:
        return Archive(place, database).events(run_id) or None


def _unrecorded(found: Found) -> str:
    """Why the journal does not vouch for the receipt; empty when it does."""
    if not found.journal:
        return f"this machine has no journal of run {found.receipt.run[:40]}"
    if recorded_end(found.receipt, found.journal) is None:
        return f"the journal does not have the end of run {found.receipt.run[:40]}"
    return ""


def _bytes(path: Path) -> bytes:
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise UsageError(f"expected a receipt file at {path}, found something else.")
        if status.st_size > MAX_BYTES:
            raise UsageError(f"{path} is too large to be a receipt.")
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"the receipt {path} cannot be read: {error.strerror}.") from None
