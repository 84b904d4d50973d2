"""What the lines below a phase's heading say: what it depends on, its success criteria, its files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from burnish.errors import UsageError
from burnish.sanitise import clean_line
from burnish.specs.outline import heading_of, plain
from burnish.specs.phase import Dependency

_LABEL = re.compile(
    r"(?P<depends>depends(?:[ ]on)?)|(?P<maybe_depends>dependencies|after)|(?P<files>(?:target[ ])?files)"
    r"|(?P<criteria>(?:success|acceptance)[ ]criteria)",
    re.IGNORECASE,
)
_ITEM = re.compile(r"[ \t]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
_CRITERION = re.compile(r"SC-?[0-9]", re.IGNORECASE)
_ONE = re.compile(
    r"[ ]*(?:and[ ]+)?(?:(?P<before>hard|soft)[ ]+)?(?:phases?[ ]*)?#?(?P<num>[0-9]{1,6})[ ]*"
    r"(?:\((?P<note>[^()]*)\))?[ ]*(?:[,;&.]|(?=and[ ])|$)",
    re.IGNORECASE,
)
# Below `Dependencies` a document may as well list libraries.
_OF_PHASES = re.compile(r"[ ]*(?:#?[0-9]|.*\bphase)", re.IGNORECASE)
_NONE = {"", "none", "nothing", "-", "—", "–", "no other phase", "n/a"}
_QUOTE_CHARS = 60
MAX_CRITERION_CHARS = 2_000


@dataclass
class Said:
    """What was found; `depends` is None when the phase says nothing about it."""

    depends: list[Dependency] | None = None
    criteria: list[str] = field(default_factory=list)
    files: dict[str, None] = field(default_factory=dict)


def said(where: str, lines: Sequence[str | None]) -> Said:
    """Read the writer's own lines of one phase.

    `where` names the phase in messages; it is empty when it is the only one, which can depend on nothing.
    """
    found, about, in_criterion = Said(), "", False
    for line in lines:
        if line is None:
            continue
        text, is_item, is_heading = _text(line)
        label, value = _labelled(text, is_heading=is_heading)
        topic = "criteria" if is_item and _CRITERION.match(text) else about
        goes_on = in_criterion and not is_item and bool(text) and line.startswith((" ", "\t"))
        in_criterion = goes_on or (is_item and topic == "criteria" and bool(text) and not label)
        if label:
            about = label if not value else ""
            _take(found, where, label, value)
        elif is_item and topic:
            _take(found, where, topic, text)
        elif goes_on and len(found.criteria[-1]) < MAX_CRITERION_CHARS:
            found.criteria[-1] += f" {' '.join(text.split())}"
        elif text and not line.startswith((" ", "\t")):
            # Another paragraph or heading ends a list; a line that goes on with its item does not.
            about = ""
    return found


def _text(line: str) -> tuple[str, bool, bool]:
    """The words of a line, whether it is a list item, whether it is a heading."""
    if heading := heading_of(line):
        return heading[1], False, True
    item = _ITEM.match(line)
    return line[item.end() if item else 0 :].strip(), bool(item), False


def _labelled(text: str, *, is_heading: bool) -> tuple[str, str]:
    """The label a line begins with, and what stands behind its colon."""
    head, colon, _ = text[:_QUOTE_CHARS].partition(":")
    found = _LABEL.fullmatch(plain(head)) if colon or is_heading else None
    if not found:
        return "", ""
    return str(found.lastgroup), text[len(head) + 1 :].strip().lstrip("*_").strip()


def _take(found: Said, where: str, label: str, value: str) -> None:
    if not value:
        return
    if label in ("depends", "maybe_depends"):
        if not where or (label == "maybe_depends" and not _of_phases(plain(value))):
            return
        found.depends = [] if found.depends is None else found.depends
        found.depends.extend(_dependencies(where, plain(value)))
    elif label == "files":
        found.files.update(dict.fromkeys(_paths(value)))
    else:
        found.criteria.append(" ".join(value.split()))


def _of_phases(value: str) -> bool:
    return _is_none(value) or bool(_OF_PHASES.match(value))


def _is_none(value: str) -> bool:
    return value.lower().rstrip(".") in _NONE


def _dependencies(where: str, value: str) -> Iterator[Dependency]:
    if _is_none(value):
        return
    position = 0
    while position < len(value):
        one = _ONE.match(value, position)
        if not one:
            shown = clean_line(value)[:_QUOTE_CHARS]
            raise UsageError(
                f"{where} says that it depends on {shown!r}; "
                "expected numbers of phases such as 'phase 1, phase 2 (soft)'.",
                hint="what is no phase can be said in any other words, such as 'Needs: ...'",
            )
        soft = "soft" in ((one["before"] or "").lower(), (one["note"] or "").strip().lower())
        yield Dependency(int(one["num"]), hard=not soft)
        position = one.end()


def _paths(value: str) -> list[str]:
    """Paths between backticks; where there are none, between commas."""
    quoted = re.findall(r"`([^`\n]+)`", value)
    parts = quoted or value.split(",")
    return [path for path in (part.strip() for part in parts) if path and path.lower() not in _NONE]
