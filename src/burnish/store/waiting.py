"""Runs, and loops of builds, that wait for a person, asked for in SQL that needs no library around it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from burnish import codec
from burnish.model.question import WAITING, Waiting

_REASONS = ", ".join(f"'{reason}'" for reason in WAITING)
_NO_TASK = "id NOT IN (SELECT attempt_run FROM task_runs)"
# A slot that asks keeps its session open.
_OPEN = "SELECT id FROM runs WHERE state <> 'finished'"
_IN_SLOTS = f"profile = 'slots' AND state = 'finished' AND {_NO_TASK} AND parent_id IN ({_OPEN})"
# Tasks are told with the queue, and what belongs to another session with that.
WANTED = (
    f"SELECT id, title, message FROM runs WHERE ({_IN_SLOTS} AND reason IN ({_REASONS}))"  # noqa: S608 - our own words
    f" OR (parent_id IS NULL AND state = 'finished' AND reason IN ({_REASONS}) AND {_NO_TASK})"
    " ORDER BY created_at DESC, id"
)
# What became of each attempt of a loop, in builds that can go on: a later build of its document replaces one.
LOOPS_WANTED = (
    "SELECT b.title, s.phase, s.cycle, s.result FROM runs b JOIN steps s ON s.run_id = b.id"
    " WHERE b.profile = 'loops' AND b.parent_id IS NULL AND b.state = 'interrupted'"
    " AND s.role = 'land' AND s.phase LIKE 'r-%' AND s.state = 'finished' AND NOT EXISTS"
    " (SELECT 1 FROM runs n WHERE n.profile = 'loops' AND n.parent_id IS NULL"
    " AND n.spec_path = b.spec_path AND n.created_at > b.created_at)"
    " ORDER BY b.created_at DESC, b.id, length(s.phase), s.phase"
)
# The facts of an attempt, in the order they come.
_FACTS = {name: order for order, name in enumerate(("LoopBegun", "LoopEnded", "Merged", "Resolved"))}


def waiting_of(runs: Iterable[Any], loops: Iterable[Any]) -> tuple[Waiting, ...]:
    """Of the rows of `WANTED` and of `LOOPS_WANTED`."""
    return (*(Waiting(name, title, message) for name, title, message in runs), *_loops(loops))


def _loops(rows: Iterable[Any]) -> list[Waiting]:
    """Each loop whose last attempt did not pass, or not merge, and nobody has said how it goes on."""
    last: dict[str, tuple[tuple[int, int], Waiting]] = {}
    for title, loop, attempt, result in rows:
        stored = codec.loads(result)
        if stored["type"] not in _FACTS:
            continue
        fact = attempt, _FACTS[stored["type"]]
        if loop not in last or last[loop][0] < fact:
            last[loop] = fact, Waiting(loop, title, _question(loop, stored["type"], stored["value"]))
    return [waiting for _, waiting in last.values() if waiting.question]


def _question(loop: str, kind: str, value: Mapping[str, Any]) -> str:
    """What a person is asked by the last fact of a loop; nothing where it goes on by itself."""
    needed = f"loop {loop.rpartition('-')[2]} needs a person"
    if kind == "LoopEnded" and not value["passed"]:
        return str(value.get("question") or f"{needed}: {value['why']}")
    if kind == "Merged" and value["fate"] != "landed":
        return f"{needed}: {value['message']}"
    return ""
