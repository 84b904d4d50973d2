"""`burnish fix`: the fix pipeline on findings that are there already."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

from burnish.app.archive import Archive
from burnish.app.fix_source import read_given
from burnish.app.place import find_place
from burnish.app.request import ReviewRequest
from burnish.app.review import Reviewed, review
from burnish.app.start import Hooks
from burnish.errors import UsageError
from burnish.model.ledger import LedgerEntry
from burnish.model.report import entry_of
from burnish.model.review import Finding
from burnish.ports import Listener
from burnish.store.database import open_database
from burnish.store.ledger import DatabaseLedger
from burnish.workflows.batching import check_ids


async def fix(word: str, request: ReviewRequest, listener: Listener, hooks: Hooks | None = None) -> Reviewed:
    """Phases 6 to 9 on the findings of a review folder, an export, or an earlier review."""
    given = await to_fix(word, request)
    return await review(given, listener, hooks)


async def to_fix(word: str, request: ReviewRequest) -> ReviewRequest:
    """The request with the findings filled in; dismissed ones are left out."""
    place = await find_place()
    with closing(open_database(place.database)) as database:
        given = read_given(place, Archive(place, database), word)
        entries = dict(await DatabaseLedger(database).entries())
    # Before a run begins: one that cannot be told from another could never be fixed, nor the run resumed.
    check_ids(given.findings)
    wanted = _wanted(given.findings, entries, request)
    if not wanted:
        raise UsageError(f"there is nothing to fix in {given.origin}.", hint="`burnish review` looks again")
    # Chosen already: what is named as F12 here has another name in the review of what was given.
    chosen = replace(request, given=wanted, wanted=())
    return replace(chosen, session=given.session, fix=True, warnings=given.warnings)


def _wanted(
    findings: tuple[Finding, ...], entries: dict[str, LedgerEntry], request: ReviewRequest
) -> tuple[Finding, ...]:
    chosen = []
    for finding in findings:
        entry = entry_of(finding, entries)
        names = {finding.id, finding.fingerprint, *({f"F{entry.number}"} if entry else ())}
        if request.wanted and not names & set(request.wanted):
            continue
        if not (entry and entry.state.dismissed) and finding.severity.at_least(request.min_severity):
            chosen.append(finding)
    missing = set(request.wanted) - {
        name for finding in findings for name in (finding.id, finding.fingerprint, *_number(finding, entries))
    }
    if missing:
        raise UsageError(
            f"there is no finding {min(missing)!r} in that review.",
            hint="`burnish findings list` has the ids",
        )
    return tuple(chosen)


def _number(finding: Finding, entries: dict[str, LedgerEntry]) -> tuple[str, ...]:
    entry = entry_of(finding, entries)
    return (f"F{entry.number}",) if entry else ()
