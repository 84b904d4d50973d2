"""A spec document to its number, title, topic and phases."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import PurePosixPath

from burnish.errors import UsageError
from burnish.sanitise import clean_line
from burnish.specs.outline import Heading, Outline, outline
from burnish.specs.phase import Dependency, Phase, Spec, checked
from burnish.specs.phase_lines import Said, said

MANIFEST = "phases/phase-manifest.yml"
MAX_CHARS = 4_000_000
MAX_TOPIC_CHARS = 40
MAX_NAME_CHARS = 200
_PHASE = re.compile(r"phase[ ]+([0-9]{1,6})(?![.]?[0-9]|\w)[ ]*(?:[-:.)–—]+[ ]*)?(.*)", re.IGNORECASE)
_NUMBERED = re.compile(r"([0-9]{1,6})[.):][ ]+(.+)")
_PHASES = re.compile(r"(?:[0-9]+[.):]?[ ]+)?(?:\w+[ ]){0,2}phases:?", re.IGNORECASE)
_DATE = re.compile(r"[0-9]{4}[-_][0-9]{2}[-_][0-9]{2}")
_IN_NAME = re.compile(r"(?:spec[-_ ]?)?([0-9]{1,5})(?:(?=[-_. ])|$)", re.IGNORECASE)
_IN_HEADING = re.compile(r"spec(?:ification)?[ ]+#?([0-9]{1,5})\b[ ]*[-:.)–—]*[ ]*(.*)", re.IGNORECASE)
_GIVEN = re.compile(r"(?:spec[-_ ]?)?#?([0-9]{1,5})", re.IGNORECASE)


def read_spec(path_name: str, text: str, *, number: str = "", phased: bool = False) -> Spec:
    """The spec in a document; `number` overrules what it says, `phased` refuses one without phases."""
    name = clean_line(path_name)
    if len(text) > MAX_CHARS:
        raise UsageError(
            f"the spec {name} is longer than {MAX_CHARS} characters.", hint="is this the right file?"
        )
    found = outline(text)
    if not any(line.strip() for line in found.lines):
        raise UsageError(f"the spec {name} is empty.", hint="write down what is to be built")
    phases = _phases(name, found)
    if not phases and phased:
        raise UsageError(
            f"the spec {name} has no phases; expected headings such as '## Phase 1: Name'.",
            hint=f"add such headings or a {MANIFEST} beside it, or leave --phased out",
        )
    digits, title = _number(path_name, found, number), _title(path_name, found)
    body = "\n".join(found.lines).strip("\n") + "\n"
    whole = Phase(1, title, body, *_rest(said("", found.live)))
    return Spec(digits, title, _topic(path_name, found, title), body, phases or (whole,), whole=not phases)


def manifest_path(path_name: str, text: str) -> str:
    """Where a spec's manifest lies, from the spec's folder: as its front matter says, or as usual."""
    front = outline(text[:MAX_CHARS]).front
    path = front.get("manifest") or front.get("phase_manifest") or MANIFEST
    if path.startswith(("/", "~")) or ".." in PurePosixPath(path).parts or "\\" in path:
        raise UsageError(
            f"the spec {clean_line(path_name)} names the manifest {clean_line(path)[:200]!r}, "
            "which is not below its folder.",
            hint="name a path below the folder of the spec",
        )
    return path


def slug(text: str) -> str:
    """Lower-case letters, digits and hyphens, for names of folders and branches."""
    ascii_only = unicodedata.normalize("NFKD", text[:1000]).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", ascii_only).strip("-")[:MAX_TOPIC_CHARS].strip("-")


def _phases(name: str, found: Outline) -> tuple[Phase, ...]:
    headings = _phase_headings(found.headings) or _numbered_headings(found.headings)
    _refuse_swallowed(name, found)
    phases: list[Phase] = []
    declared = False
    starts = {heading.line for heading, _, _ in headings}
    ends = _ends(found, starts)
    for heading, num, title in headings:
        end = ends[heading.line]
        words = said(f"{name}: phase {num}", found.live[heading.line + 1 : end])
        declared = declared or words.depends is not None
        depends = tuple(words.depends or ())
        named = clean_line(title)[:MAX_NAME_CHARS] or f"Phase {num}"
        phase = Phase(num, named, found.section(heading, end), *_rest(words))
        phases.append(replace(phase, depends=tuple(dict.fromkeys(depends))))
    ordered = checked(name, phases)
    return ordered if declared else _one_after_the_other(ordered)


def _rest(words: Said) -> tuple[tuple[str, ...], tuple[Dependency, ...], tuple[str, ...]]:
    return tuple(words.criteria), (), tuple(words.files)


def _one_after_the_other(phases: tuple[Phase, ...]) -> tuple[Phase, ...]:
    """A document that says nothing of dependencies means its order."""
    later = (replace(phase, depends=(Dependency(before.num),)) for before, phase in pairwise(phases))
    return (*phases[:1], *later)


def _ends(found: Outline, starts: set[int]) -> dict[int, int]:
    """Where each section of a phase ends: at the next phase, or at a heading that is not below its own."""
    ends: dict[int, int] = {}
    opened: Heading | None = None
    for heading in found.headings:
        if opened and (heading.line in starts or heading.level <= opened.level):
            ends[opened.line], opened = heading.line, None
        if heading.line in starts:
            opened = heading
    if opened:
        ends[opened.line] = len(found.lines)
    return ends


def _phase_headings(headings: Sequence[Heading]) -> list[tuple[Heading, int, str]]:
    matched = ((heading, _PHASE.fullmatch(heading.text)) for heading in headings)
    return [(heading, int(found[1]), found[2].strip()) for heading, found in matched if found]


def _numbered_headings(headings: Sequence[Heading]) -> list[tuple[Heading, int, str]]:
    """`### 1. Name`, `### 2. Name` right below a heading such as `## Phases`, when numbered 1, 2, 3."""
    for index, top in enumerate(headings):
        if not _PHASES.fullmatch(top.text):
            continue
        below: list[Heading] = []
        for later in range(index + 1, len(headings)):
            if headings[later].level <= top.level:
                break
            below.append(headings[later])
        level = min((heading.level for heading in below), default=0)
        matched = [(one, _NUMBERED.fullmatch(one.text)) for one in below if one.level == level]
        phases = [(one, int(found[1]), found[2]) for one, found in matched if found]
        if phases and len(phases) == len(matched) and [num for _, num, _ in phases] == _counted(len(phases)):
            return phases
    return []


def _counted(count: int) -> list[int]:
    return list(range(1, count + 1))


def _refuse_swallowed(name: str, found: Outline) -> None:
    """A code block without an end would silently take the phases behind it along."""
    behind = found.lines[found.open_fence + 1 :] if found.open_fence >= 0 else []
    if any(line.startswith("#") and _PHASE.fullmatch(line.lstrip("#").strip()) for line in behind):
        raise UsageError(
            f"{name}: the code block that begins on line {found.open_fence + 1} never ends, "
            "and phases stand behind it.",
            hint="close it with a line of ``` of its own",
        )


def _number(path_name: str, found: Outline, given: str) -> str:
    for origin, value in (
        ("--number", given),
        ("its front matter", found.front.get("number") or found.front.get("spec", "")),
    ):
        if value:
            digits = _GIVEN.fullmatch(value.strip())
            if not digits:
                raise UsageError(
                    f"the number of the spec must be one to five digits, found {clean_line(value)[:40]!r} "
                    f"in {origin}.",
                    hint="for example 42",
                )
            return f"{int(digits[1]):03d}"
    path = PurePosixPath(path_name)
    in_heading = next((match for one in found.headings[:1] if (match := _IN_HEADING.match(one.text))), None)
    digits = _in_name(path.name) or in_heading or _in_name(path.parent.name)
    if not digits:
        raise UsageError(
            f"the spec {clean_line(path_name)} has no number, which commit subjects need.",
            hint="give --number 42, name the file 042-topic.md, or begin it with '# Spec 042: Title'",
        )
    return f"{int(digits[1]):03d}"


def _in_name(name: str) -> re.Match[str] | None:
    return None if _DATE.match(name) else _IN_NAME.match(name)


def _title(path_name: str, found: Outline) -> str:
    first = next((heading.text for heading in found.headings if not _PHASE.fullmatch(heading.text)), "")
    numbered = _IN_HEADING.match(first)
    title = found.front.get("title") or (numbered[2] if numbered else first)
    title = clean_line(title) or clean_line(_bare(path_name).replace("-", " ").replace("_", " ")) or "Spec"
    return title[:MAX_NAME_CHARS]


def _topic(path_name: str, found: Outline, title: str) -> str:
    bare = _bare(path_name)
    named = "" if bare.lower() in ("", "spec", "readme") else bare
    return slug(found.front.get("topic", "")) or slug(named) or slug(title) or "spec"


def _bare(path_name: str) -> str:
    """The file's name without suffix and number."""
    stem = PurePosixPath(path_name).stem
    number = _in_name(stem)
    return stem[number.end() :].lstrip("-_. ") if number else stem
