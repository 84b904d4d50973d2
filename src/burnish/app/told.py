"""A review as its journal tells it: for whoever was not there."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any, TypeVar

from burnish import codec
from burnish.app.archive import Archive
from burnish.app.place import find_place
from burnish.app.spec import RunSpec
from burnish.errors import UsageError
from burnish.model.assessment import Analysis, Assessment, DimensionReport, Dive
from burnish.model.events import Recorded, StepFinished
from burnish.model.report import Blocking, ReviewReport
from burnish.model.run_view import RunState, RunView
from burnish.model.subject import NotReviewed
from burnish.ports import Listener
from burnish.store.database import open_database
from burnish.store.ledger import DatabaseLedger
from burnish.workflows.aggregate import critical_files, merge
from burnish.workflows.fix_outcome import FixOutcome

POLL_S = 0.5
T = TypeVar("T")


@dataclass(frozen=True)
class Story:
    """One run of the review profile, with what it was asked."""

    view: RunView
    spec: RunSpec
    events: tuple[Recorded, ...]

    def results(self, kind: type[T]) -> Iterator[tuple[int, str, T]]:
        """Cycle, part and result of every finished step that gave one of these."""
        for recorded in self.events:
            event = recorded.event
            if isinstance(event, StepFinished) and event.result_type == kind.__name__:
                made: Any = codec.validate(kind, event.result)
                yield event.step.cycle, event.step.part, made


def find_story(archive: Archive, wanted: str) -> Story:
    """By id; without one, the newest review."""
    views = [archive.run(wanted)] if wanted else archive.runs()
    for view in views:
        spec: RunSpec = codec.validate(RunSpec, codec.loads(view.spec))
        if spec.review:
            return Story(view, spec, archive.events(view.id))
    if wanted:
        raise UsageError(f"{wanted} is not a review.", hint=f"`burnish show {wanted}` tells about other runs")
    raise UsageError("there is no review yet in this repository.", hint="run `burnish review` first")


async def follow(wanted: str, listener: Listener) -> ReviewReport | None:
    """Tell a review's events, and go on telling while another process works on it."""
    place = await find_place()
    with closing(open_database(place.database)) as database:
        archive = Archive(place, database)
        story = find_story(archive, wanted)
        seen = 0
        while True:
            for recorded in archive.events(story.view.id, seen):
                listener(recorded)
                seen = recorded.seq
            view = archive.run(story.view.id)
            if view.state is not RunState.RUNNING:
                break
            await asyncio.sleep(POLL_S)
        return await tell(find_story(archive, story.view.id), DatabaseLedger(database))


async def tell(story: Story, ledger: DatabaseLedger) -> ReviewReport | None:
    """The last review of the run as a report; None when no dimension was finished."""
    reports = list(story.results(DimensionReport))
    if not reports or story.spec.review is None:
        return None
    cycle = max(number for number, _, _ in reports)
    spec, view = story.spec.review, story.view
    return ReviewReport(
        run=view.id,
        review_id=spec.review_id,
        session=spec.session,
        subject=spec.subject,
        assessment=_assessment(story, cycle),
        blocking=Blocking(story.spec.fail_on, story.spec.min_confidence),
        min_severity=spec.min_severity,
        entries=await ledger.entries(),
        outcome=str(view.outcome or view.state),
        message=view.message,
        receipt=view.receipt or "",
        fixes=tuple(fix for _, _, outcome in story.results(FixOutcome) for fix in outcome.fixes),
        landed=f"branch {view.branch}" if view.branch else "",
        max_iterations=spec.max_iterations,
    )


def _assessment(story: Story, cycle: int) -> Assessment:
    reports = tuple(made for number, _, made in story.results(DimensionReport) if number == cycle)
    dives = tuple(made for number, _, made in story.results(Dive) if number == cycle)
    analyses = tuple(made for number, _, made in story.results(Analysis) if number == cycle)
    findings = merge(reports, dives)
    assert story.spec.review is not None
    unread: dict[str, NotReviewed] = {item.path: item for item in story.spec.review.subject.skipped}
    unread |= {item.path: item for analysis in analyses for item in analysis.not_reviewed}
    return Assessment(
        reports=reports,
        findings=findings,
        critical_files=critical_files(findings),
        dives=dives,
        not_reviewed=tuple(unread.values()),
        analyses=analyses,
        warnings=tuple(f"{item.tool} did not run: {item.failed}" for item in analyses if item.failed),
    )
