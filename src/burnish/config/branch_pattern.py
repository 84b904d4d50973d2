"""The name of a task's branch, made from the user's pattern, always one that git accepts."""

from __future__ import annotations

import re
import string
from collections.abc import Mapping

from burnish.errors import UsageError

FIELDS = ("project", "task_id", "date", "slug", "type", "number")
# A file of that name with `.lock` behind it must fit into a file system; 255 bytes is what most take.
MOST_BYTES = 200
# What git refuses in a ref, what a shell or a terminal would stumble over, and halves of characters.
_REFUSED = re.compile(r"[\x00-\x20\x7f-\x9f~^:?*\[\]\\\"'`$;&|<>(){}!#\ud800-\udfff\s]+|@(?=\{)")


def branch_name(pattern: str, fields: Mapping[str, str]) -> str:
    """`burnish/{task_id}` filled in; what a field holds cannot break out of its part of the name."""
    parts = []
    for literal, field in _parsed(pattern):
        parts.append(literal)
        if field:
            parts.append(fields.get(field, "").replace("/", "-"))
    name = "/".join(filter(None, map(_component, "".join(parts).split("/"))))
    if name.upper() in ("", "@", "HEAD"):
        raise UsageError(
            f"land.branch_pattern must give a branch a name, found {pattern!r}, which gives {name!r}",
            hint="for example burnish/{task_id}",
        )
    return name


def check_pattern(pattern: str) -> None:
    """Raises UsageError for a pattern that no task could have a branch by."""
    branch_name(pattern, dict.fromkeys(FIELDS, "x"))


def _parsed(pattern: str) -> list[tuple[str, str]]:
    try:
        parsed = list(string.Formatter().parse(pattern))
    except ValueError as error:
        raise UsageError(
            f"land.branch_pattern must be text with fields such as {{task_id}}, found {pattern!r}: {error}",
            hint="every { needs its }",
        ) from None
    for _, field, form, conversion in parsed:
        if field is not None and (field not in FIELDS or form or conversion):
            written = field + (f"!{conversion}" if conversion else "") + (f":{form}" if form else "")
            known = ", ".join(f"{{{name}}}" for name in FIELDS)
            raise UsageError(
                f"land.branch_pattern has the unknown field {{{written}}}", hint=f"known fields: {known}"
            )
    return [(literal, field or "") for literal, field, _, _ in parsed]


def _component(text: str) -> str:
    """One part between slashes as git takes it: no dot first or last, no `..`, no `.lock`, no dash first."""
    text = re.sub(r"\.{2,}", ".", _REFUSED.sub("-", text))
    text = re.sub(r"-{2,}", "-", text).encode("utf8")[:MOST_BYTES].decode("utf8", "ignore")
    text = text.strip("-.")
    while text.lower().endswith(".lock"):
        text = text[: -len(".lock")].rstrip("-.")
    return text
