"""The queue of one repository: the only writer of its tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import sqlalchemy as sa

from burnish.errors import UsageError
from burnish.model.queue import QueueTask, TaskChange, TaskState, TaskView
from burnish.model.run_view import RunState
from burnish.store import claims, leases, task_views
from burnish.store.clock import SystemClock
from burnish.store.database import Database
from burnish.store.ids import new_run_id
from burnish.store.leases import Holder
from burnish.store.queue_schema import queue_tasks, task_changes, task_claims, task_runs
from burnish.store.schema import leases as run_leases
from burnish.store.schema import runs
from burnish.store.task_links import check_dependencies
from burnish.store.task_rows import from_row, to_row

if TYPE_CHECKING:
    from burnish.ports import Clock

Taken = Callable[[str], bool]


@dataclass(frozen=True)
class Claim:
    """A task that this process may run now, as the run `run_id`; `token` gives it up again."""

    task: QueueTask
    run_id: str
    token: str


@dataclass(frozen=True)
class Queue:
    database: Database
    clock: Clock = field(default_factory=SystemClock)
    holder: Holder = field(default_factory=leases.this_process)

    def add(self, *tasks: QueueTask) -> tuple[QueueTask, ...]:
        """All or none. Ids and numbers are given here; a dependency on -2 is one on the second of these."""
        with self.database.write() as connection:
            at = self.clock.now()
            last = connection.execute(sa.select(sa.func.max(queue_tasks.c.number))).scalar() or 0
            added = []
            for offset, task in enumerate(tasks, start=1):
                number = last + offset
                needs = tuple(other if other > 0 else last - other for other in task.depends_on)
                name = _free_id(connection, task.id)
                new = replace(task, id=name, number=number, created_at=at, depends_on=needs)
                connection.execute(queue_tasks.insert().values(to_row(new)))
                added.append(new)
            check_dependencies(connection, {task.number for task in added})
        return tuple(added)

    def all(self) -> tuple[TaskView, ...]:
        with self.database.read() as connection:
            return task_views.views(connection, self.holder)

    def find(self, number: int) -> TaskView:
        found = {view.number: view for view in self.all()}
        if number not in found:
            raise unknown(number, tuple(found))
        return found[number]

    def of_run(self, run_id: str) -> QueueTask | None:
        """The task that a run is or was an attempt at."""
        with self.database.read() as connection:
            row = connection.execute(
                sa.select(queue_tasks)
                .join(task_runs, task_runs.c.task_id == queue_tasks.c.id)
                .where(task_runs.c.attempt_run == run_id)
            ).first()
        return None if row is None else from_row(row)

    def numbers_by_run(self) -> dict[str, int]:
        """Every run that is or was an attempt at a task, with the task's number."""
        wanted = sa.select(task_runs.c.attempt_run, queue_tasks.c.number).join(
            queue_tasks, task_runs.c.task_id == queue_tasks.c.id
        )
        with self.database.read() as connection:
            return {row.attempt_run: row.number for row in connection.execute(wanted)}

    def attempts(self, task: QueueTask) -> tuple[str, ...]:
        """Every run there was for a task, oldest first."""
        with self.database.read() as connection:
            wanted = sa.select(task_runs.c.attempt_run).where(task_runs.c.task_id == task.id)
            return tuple(connection.execute(wanted.order_by(task_runs.c.attempt)).scalars())

    def claim(
        self, numbers: frozenset[int] | None, taken: Taken, but_not: frozenset[int] = frozenset()
    ) -> Claim | None:
        """The next task that is ready, of these or of all; None when there is none just now.

        `taken` tells whether a run id is in use besides the runs that are recorded.
        """
        with self.database.write() as connection:
            # What these are left with is about to be written down: whoever builds on it waits for that.
            claimed = sa.select(queue_tasks.c.number).join(task_claims)
            settling = set(connection.execute(claimed).scalars())
            for view in task_views.ready(task_views.views(connection, self.holder)):
                if view.number in but_not or (numbers is not None and view.number not in numbers):
                    continue
                if settling & {*view.task.depends_on, view.task.based_on}:
                    continue
                if claims.holder_of(connection, view.task.id, self.holder) is None:
                    return self._take(connection, view.task, taken)
        return None

    def unsettled(self) -> Claim | None:
        """A task whose run has ended, but whose process died before it wrote down what it left; ours now."""
        ended = (
            sa.select(queue_tasks)
            .join(task_claims, task_claims.c.task_id == queue_tasks.c.id)
            .join(runs, runs.c.id == queue_tasks.c.run_id)
            .where(runs.c.state == RunState.FINISHED)
        )
        with self.database.read() as connection:
            if connection.execute(ended).first() is None:
                return None
        with self.database.write() as connection:
            for row in connection.execute(ended).all():
                task = from_row(row)
                if claims.holder_of(connection, task.id, self.holder) is None:
                    token = claims.take(connection, task.id, self.holder, self.clock.now())
                    return Claim(task, str(task.run_id), token)
        return None

    def _take(self, connection: sa.Connection, task: QueueTask, taken: Taken) -> Claim:
        at = self.clock.now()
        token = claims.take(connection, task.id, self.holder, at)
        run_id = task.run_id
        if run_id is None:
            run_id = new_run_id(lambda name: taken(name) or _is_run(connection, name))
            tries = connection.execute(
                sa.select(sa.func.count()).select_from(task_runs).where(task_runs.c.task_id == task.id)
            ).scalar_one()
            connection.execute(
                task_runs.insert().values(task_id=task.id, attempt=tries + 1, attempt_run=run_id, at=at)
            )
        begun = replace(task, run_id=run_id, started_at=task.started_at or at)
        connection.execute(queue_tasks.update().where(queue_tasks.c.id == task.id).values(to_row(begun)))
        return Claim(begun, run_id, token)

    def give_up(self, claim: Claim, *, error: str = "", branch: str = "", output: str = "") -> None:
        """The task is no longer in work here; `error` is why it could not be started at all."""
        values: dict[str, object] = {"error": error}
        values |= {"branch": branch} if branch else {}
        values |= {"output_content": output} if output else {}
        try:
            with self.database.write() as connection:
                connection.execute(
                    queue_tasks.update().where(queue_tasks.c.id == claim.task.id).values(values)
                )
                claims.give_up(connection, claim.task.id, claim.token)
        finally:
            claims.let_go(claim.token)

    def take_over(self, task: QueueTask) -> None:
        """For a person who knows that whoever holds this task is gone, although that cannot be seen here.

        Should it be alive after all, it finds that it lost its run, and records nothing any more.
        """
        with self.database.write() as connection:
            connection.execute(task_claims.delete().where(task_claims.c.task_id == task.id))
            if task.run_id:
                connection.execute(run_leases.delete().where(run_leases.c.run_id == task.run_id))

    def change(self, task: QueueTask, change: TaskChange, **values: object) -> None:
        """Columns of a task changed by a person, with who and why beside it."""
        with self.database.write() as connection:
            self.changed(connection, task, change, **values)
            check_dependencies(connection, {task.number})

    def changed(
        self, connection: sa.Connection, task: QueueTask, change: TaskChange, **values: object
    ) -> None:
        if values:
            connection.execute(queue_tasks.update().where(queue_tasks.c.id == task.id).values(values))
        last = connection.execute(
            sa.select(sa.func.max(task_changes.c.seq)).where(task_changes.c.task_id == task.id)
        ).scalar()
        connection.execute(
            task_changes.insert().values(
                task_id=task.id,
                seq=(last or 0) + 1,
                at=self.clock.now(),
                made_by=change.by,
                what=change.what,
                before=change.before,
                after=change.after,
                why=change.why,
            )
        )

    def changes(self, task: QueueTask) -> tuple[TaskChange, ...]:
        wanted = sa.select(task_changes).where(task_changes.c.task_id == task.id).order_by(task_changes.c.seq)
        with self.database.read() as connection:
            return tuple(
                TaskChange(row.at, row.made_by, row.what, row.before, row.after, row.why)
                for row in connection.execute(wanted)
            )

    def remove(self, task: QueueTask) -> None:
        """Forget a task that nobody works on and no other one needs; its runs stay until `clean`."""
        with self.database.write() as connection:
            found = {view.number: view for view in task_views.views(connection, self.holder)}
            if found[task.number].state is TaskState.IN_PROGRESS:
                raise UsageError(
                    f"task #{task.number} is being worked on.", hint=f"burnish cancel {task.number}"
                )
            users = [
                n for n, view in found.items() if task.number in (*view.task.depends_on, view.task.based_on)
            ]
            if users:
                names = ", ".join(f"#{number}" for number in users)
                raise UsageError(f"task #{task.number} is needed by {names}.", hint="remove those first")
            for table in (task_runs, task_claims, task_changes):
                connection.execute(table.delete().where(table.c.task_id == task.id))
            connection.execute(queue_tasks.delete().where(queue_tasks.c.id == task.id))


def unknown(number: int, known: tuple[int, ...]) -> UsageError:
    if not known:
        return UsageError(f"there is no task #{number}: the queue is empty.", hint="burnish add 'What to do'")
    return UsageError(
        f"there is no task #{number}; the queue has #{known[0]} to #{known[-1]}.",
        hint="burnish status lists them",
    )


def _free_id(connection: sa.Connection, wanted: str) -> str:
    """`20261115-add-login`, with a number at its end when that is taken."""
    begins = sa.select(queue_tasks.c.id).where(queue_tasks.c.id.startswith(wanted, autoescape=True))
    taken = set(connection.execute(begins).scalars())
    if wanted not in taken:
        return wanted
    return next(name for number in range(2, len(taken) + 3) if (name := f"{wanted}-{number}") not in taken)


def _is_run(connection: sa.Connection, name: str) -> bool:
    given = sa.select(task_runs.c.attempt_run).where(task_runs.c.attempt_run == name)
    begun = sa.select(runs.c.id).where(runs.c.id == name)
    return connection.execute(given.union(begun)).first() is not None
