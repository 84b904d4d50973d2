"""Beads read strictly: one line that is not a bead, and none of the snapshot is used."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from burnish.codec import loads
from burnish.errors import UsageError
from burnish.sanitise import clean_line
from burnish.slots.work_item import ItemStatus, WorkItem

# Dots are allowed inside (`ouroboros-7.1`), so that a full stop behind an id is not part of it.
BEAD_ID = re.compile(r"[A-Za-z0-9]+(?:[._-]+[A-Za-z0-9]+)*", re.ASCII)
MOST_BEADS = 100_000
ID_CHARS = 200
# What bd leaves of a bead that was deleted.
DELETED = "tombstone"
_PARTS = (("description", ""), ("design", "Design"), ("acceptance_criteria", "Acceptance criteria"))
_NOT_BLOCKING = ("related", "discovered-from")
_CHILD = "parent-child"
_HINT = "mend or remove that line (`bd export` writes the file anew); none of the file is used until then"


def read_beads(text: str, name: str) -> tuple[WorkItem, ...]:
    """The beads of an `issues.jsonl`, one JSON object a line. Raises UsageError naming the first bad line."""
    records = []
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        if line.strip():
            where = f"{name}, line {number}"
            records.append((where, _decoded(line, where)))
    return _beads(records)


def read_list(text: str, name: str) -> tuple[WorkItem, ...]:
    """The beads of `bd list --json`, an array of the same objects."""
    found = _decoded(text.strip() or "null", name)
    if not isinstance(found, list):
        raise _malformed(name, f"{_kind(found)} instead of a list")
    return _beads([(f"{name}, bead {number}", one) for number, one in enumerate(found, 1)])


def _decoded(text: str, where: str) -> Any:
    try:
        return loads(text)
    except ValueError as error:
        raise _malformed(where, f"no JSON ({clean_line(str(error))[:120]})") from None


def _beads(records: Sequence[tuple[str, Any]]) -> tuple[WorkItem, ...]:
    if len(records) > MOST_BEADS:
        raise UsageError(f"found {len(records)} beads; at most {MOST_BEADS} are read.", hint="close some")
    items: dict[str, WorkItem] = {}
    children: dict[str, list[str]] = {}
    for where, value in records:
        if isinstance(value, dict) and value.get("status") == DELETED:
            continue
        item = _bead(where, value)
        if item.id in items:
            raise _malformed(where, f"the id {item.id!r} a second time")
        items[item.id] = item
        for parent in _linked(where, value, child=True):
            children.setdefault(parent, []).append(item.id)
    # An epic is done when its children are: it is not picked before them.
    return tuple(
        replace(item, waits_for=(*item.waits_for, *children.get(item.id, ()))) for item in items.values()
    )


def _bead(where: str, value: Any) -> WorkItem:
    if not isinstance(value, dict):
        raise _malformed(where, f"{_kind(value)} instead of an object")
    name, title = _text(where, value, "id"), _text(where, value, "title")
    if len(name) > ID_CHARS or not BEAD_ID.fullmatch(name):
        raise _malformed(where, f"the id {name[:60]!r}")
    if not title.strip():
        raise _malformed(where, "an empty title")
    status = _text(where, value, "status")
    if status not in set(ItemStatus):
        raise _malformed(where, f"the status {status[:60]!r}")
    priority = value.get("priority")
    if priority is not None and (not isinstance(priority, int) or isinstance(priority, bool)):
        raise _malformed(where, f"{_kind(priority)} as its priority")
    return WorkItem(
        id=name,
        title=" ".join(title.split()),
        status=ItemStatus(status),
        priority=priority,
        assignee=_text(where, value, "assignee", missing=""),
        text="\n\n".join(_parts(where, value)),
        waits_for=tuple(_linked(where, value)),
    )


def _parts(where: str, value: dict[str, Any]) -> Iterable[str]:
    for key, title in _PARTS:
        said = _text(where, value, key, missing="").strip()
        if said:
            yield f"{title}:\n\n{said}" if title else said


def _linked(where: str, value: dict[str, Any], *, child: bool = False) -> Iterable[str]:
    """The ids of beads that block this one, or with `child` of those that it is a part of."""
    found = value.get("dependencies")
    if found is None:
        return
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise _malformed(where, "dependencies that are no list of objects")
    for one in found:
        kind = one.get("type") or one.get("dependency_type") or "blocks"
        other = one.get("depends_on_id") or one.get("id")
        if kind in _NOT_BLOCKING or (kind == _CHILD) is not child:
            continue
        if not isinstance(other, str) or not other:
            raise _malformed(where, "a dependency on nothing")
        yield other


def _text(where: str, value: dict[str, Any], key: str, *, missing: str | None = None) -> str:
    found = value.get(key, missing)
    if found is None and missing is not None:
        return missing
    if not isinstance(found, str):
        raise _malformed(where, f"{_kind(found)} as its {key}" if key in value else f"no {key}")
    return found


def _malformed(where: str, found: str) -> UsageError:
    return UsageError(
        f"{where}: expected a bead, a JSON object with id, title and status, found {clean_line(found)}.",
        hint=_HINT,
    )


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")
