"""The answer of the pass, line by line, as findings, cleared places and what was not looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from burnish.analysers._table import Hit, classify, is_test
from burnish.analysers.taint.covering import covers
from burnish.analysers.taint.reach import CALLERS
from burnish.analysers.taint.scoring import TOOL, Evidence, SourceKind, score
from burnish.model.assessment import Analysis, Cleared
from burnish.model.review import Finding, FlowStep
from burnish.model.subject import NotReviewed

END = "end"
# What is said of files outside of the review that lead into it.
ANY_DRIVER = "dbapi."
Line = dict[str, Any]


def read_answer(lines: Sequence[Line], wanted: frozenset[str]) -> Analysis:
    """About the files that were asked about: a flow is about each file it leads through.

    Raises KeyError, TypeError or ValueError for what is not such an answer; one without its last line is
    not whole.
    """
    if not lines or lines[-1].get("kind") != END:
        raise ValueError("it ended before it had answered")
    findings = [_finding(line) for line in lines if line["kind"] == "finding"]
    undone = [line for line in lines if line["kind"] == "not_reviewed"]
    return Analysis(
        TOOL,
        findings=tuple(one for one in findings if _touched(one) & wanted),
        not_reviewed=_not_reviewed(undone, wanted),
        cleared=_cleared(lines, findings, {line["file"] for line in undone}),
        covers=covers(),
        raw="".join(f"bug of the data-flow pass, please report it: {one}\n" for one in _bugs(lines)),
    )


def _bugs(lines: Sequence[Line]) -> list[str]:
    """What the log of a review says of functions that the pass could not follow by a mistake of its own."""
    return [str(line["what"]) for line in lines if line["kind"] == "bug"]


def _not_reviewed(undone: Sequence[Line], wanted: frozenset[str]) -> tuple[NotReviewed, ...]:
    """Each part of what was asked about; of others, from which a flow could have come, how many there are."""
    own = [NotReviewed(line["file"], str(line["why"])) for line in undone if line["file"] in wanted]
    said = [NotReviewed(CALLERS, str(line["why"])) for line in undone if line["file"] == CALLERS]
    others = [line for line in undone if line["file"] not in (*wanted, CALLERS)]
    if others:
        first = f"{others[0]['file']}: {others[0]['why']}"
        more = f", and {len(others) - 1} more" if len(others) > 1 else ""
        said.append(
            NotReviewed(CALLERS, f"not followed whole, though it uses what is reviewed: {first}{more}")
        )
    return (*own, *said)


def _finding(line: Line) -> Finding:
    flow = tuple(
        FlowStep(step["file"], step["line"], _said(step["note"]), step["text"]) for step in line["flow"]
    )
    said = _said(f"{line['from']} reaches {line['what']}" if line["from"] else line["what"])
    hit = Hit(line["class"], line["file"], line["line"], said, end_line=line["end_line"])
    severity, confidence = score(
        Evidence(
            line["class"],
            steps=len(flow),
            unknown_calls=line["doubts"],
            weak_guards=line["weak_guards"],
            source=_kind(line["source"]),
            framework=line["framework"],
            in_test=is_test(line["file"]),
        )
    )
    return replace(classify(TOOL, hit), severity=severity, confidence=confidence, flow=flow)


def _said(words: str) -> str:
    """What every database driver has goes by a made-up module's name in the knowledge, which says nothing to
    people."""
    return words.replace(ANY_DRIVER, "")


def _kind(name: str) -> SourceKind:
    """A place that is wrong by itself has none."""
    return SourceKind(name) if name in list(SourceKind) else SourceKind.NONE


def _touched(finding: Finding) -> set[str]:
    return {finding.file, *(step.file for step in finding.flow)}


def _cleared(lines: Sequence[Line], findings: list[Finding], undone: set[str]) -> tuple[Cleared, ...]:
    """Not in a file of which a part was not followed, and not on a line that holds a flow of that class."""
    bad = {(one.file, number, one.rule) for one in findings for number in _lines(one)}
    found = []
    for line in lines:
        if line["kind"] == "clean" and line["file"] not in undone:
            file, rule = line["file"], f"{TOOL}:{line['class']}"
            also = tuple(one for one in line.get("also", ()) if (file, one, rule) not in bad)
            if (file, line["line"], rule) not in bad:
                found.append(Cleared(file, line["line"], rule, also=also))
    return tuple(found)


def _lines(finding: Finding) -> range:
    first = finding.line or 0
    return range(first, max(finding.end_line or first, first) + 1)
