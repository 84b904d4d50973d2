"""The morning report: what the queue did since a time that a person names."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from burnish.app.overview import look
from burnish.app.queue_place import QueuePlace
from burnish.config.durations import duration_s
from burnish.errors import UsageError
from burnish.model.morning import Morning, Told
from burnish.model.queue import TaskState, TaskView
from burnish.render.tasks import needs_person
from burnish.store.spans import last_reviews, spans_since
from burnish.store.spending import spent_since

_OVER = (TaskState.COMPLETED, TaskState.FAILED, TaskState.CANCELLED)
OLDEST = datetime(2000, 1, 1, tzinfo=UTC)


def morning(here: QueuePlace, since: datetime) -> Morning:
    seen = look(here.place, None)
    at = since.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    spans = spans_since(here.database, at)
    views = [view for view in seen.views if _belongs(view, at)]
    asked = [view.task.run_id for view in views if view.task.run_id and needs_person(view)]
    said = last_reviews(here.database, asked)
    return Morning(
        here.place.repository.root.name,
        since,
        datetime.fromisoformat(seen.at),
        tuple(
            Told(view, spans.get(view.task.id, ()), said.get(view.task.run_id or "", "")) for view in views
        ),
        seen.cooling,
        spent_since(here.database, at),
    )


def _belongs(view: TaskView, since: str) -> bool:
    """What is not over yet, and what ended since; what could not be started ended when it was tried."""
    if view.state not in _OVER:
        return True
    task = view.task
    ended = [moment for moment in (view.completed_at, task.cancelled_at, task.merged_at) if moment]
    return max(ended or [task.started_at or task.created_at]) >= since


def since_when(text: str, now: datetime) -> datetime:
    """`12h`, `2d`, or a day or time such as 2026-11-14 or 2026-11-14T22:00 (of the clock on the wall)."""
    try:
        named = datetime.fromisoformat(text.strip())
    except ValueError:
        return now - timedelta(seconds=_ago(text))
    found = named.astimezone() if named.tzinfo is None else named
    if not OLDEST <= found <= now:
        raise UsageError(f"expected a time that is over, found {text.strip()!r}.", hint="such as 12h or 2d")
    return found


def _ago(text: str) -> float:
    try:
        return duration_s(text)
    except UsageError as error:
        raise UsageError(
            error.message.replace(
                "expected a duration such as 90s, 30m or 2h", "expected 30m, 12h, 2d or a date"
            ),
            hint="how long ago, or since when: 12h, 2026-11-14, 2026-11-14T22:00",
        ) from None
