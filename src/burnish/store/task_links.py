"""Who waits for whom in the queue: every task named must be there, and nobody may wait for himself."""

from __future__ import annotations

import sqlalchemy as sa

from burnish.codec import loads
from burnish.errors import UsageError
from burnish.store.queue_schema import queue_tasks

Needs = dict[int, tuple[int, ...]]


def check_dependencies(connection: sa.Connection, changed: set[int]) -> None:
    """Raises UsageError for what the changed tasks brought, inside their transaction."""
    needs, based = _links(connection, changed)
    for number in sorted(changed):
        for other in (*needs.get(number, ()), based.get(number)):
            if other is not None and other not in needs:
                raise UsageError(f"task #{number} cannot wait for #{other}: there is no such task.")
    if circle := circle_in(needs):
        path = " -> ".join(f"#{step}" for step in circle)
        raise UsageError(f"these tasks would wait for each other for ever: {path}.", hint="leave one out")


def _links(connection: sa.Connection, changed: set[int]) -> tuple[Needs, dict[int, int | None]]:
    """Who waits for whom; of the tasks that were changed only, while none of them waits for anybody."""
    columns = (queue_tasks.c.number, queue_tasks.c.depends_on, queue_tasks.c.based_on)
    links = sa.select(*columns)
    rows = connection.execute(links.where(queue_tasks.c.number.in_(changed))).all()
    if any(row.depends_on != "[]" or row.based_on is not None for row in rows):
        rows = connection.execute(links).all()
    needs = {row.number: () if row.depends_on == "[]" else tuple(loads(row.depends_on)) for row in rows}
    return needs, {row.number: row.based_on for row in rows}


def circle_in(needs: Needs) -> list[int]:
    """A way from a task back to itself: whoever waits for nobody is taken away, until circles are left."""
    waiting = {number: set(others) & needs.keys() for number, others in needs.items()}
    wanted_by: dict[int, list[int]] = {}
    for number, others in waiting.items():
        for other in others:
            wanted_by.setdefault(other, []).append(number)
    free = [number for number, others in waiting.items() if not others]
    while free:
        done = free.pop()
        del waiting[done]
        for number in wanted_by.get(done, ()):
            waiting[number].discard(done)
            if not waiting[number]:
                free.append(number)
    if not waiting:
        return []
    path = [min(waiting)]
    while path[-1] not in path[:-1]:
        path.append(min(waiting[path[-1]] & waiting.keys()))
    return path[path.index(path[-1]) :]
