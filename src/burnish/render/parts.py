"""The parts of a review and of a fix session as lines: what an analyser, a dimension, a fix came to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from burnish.model.step import Step
from burnish.sanitise import clean_line

Say = Callable[[Step, Any], str]


def by_whom(result: Mapping[str, Any]) -> str:
    """Who really did a step: `claude, standing in for codex: quota (...)`."""
    passed_over = [text for text in result.get("passed_over") or () if isinstance(text, str)]
    agent = str(result.get("agent") or "")
    return clean_line(f"{agent}, standing in for {'; '.join(passed_over)}" if passed_over else agent)


def _findings(found: list[Any]) -> str:
    count = Counter(str(finding["severity"]) for finding in found)
    words = ", ".join(
        f"{count[name]} {name}" for name in ("critical", "high", "medium", "low") if count[name]
    )
    return words or "no findings"


def _analysis(step: Step, result: Any) -> str:
    who = f"{result['tool']} {result['version']}".strip()
    if result["failed"]:
        return f"analyser {who}: did not run: {result['failed']}"
    return f"analyser {who}: {_findings(result['findings'])} in {result['files']} file(s)"


def _report(step: Step, result: Any) -> str:
    said = f"not reviewed: {result['failed']}" if result["failed"] else _findings(result["findings"])
    return f"dimension {step.part}: {said} (by {result['agent']})"


def _dive(step: Step, result: Any) -> str:
    return f"deep dive into {step.part}: {result['failed'] or result['root_cause']}"


def _partial(step: Step, result: Any) -> str:
    made = result["failed"] or f"{len(result['groups'])} group(s)"
    return f"plan {step.part}: {made} (by {result['agent']})"


def _plan(step: Step, result: Any) -> str:
    return f"fix plan: {len(result['groups'])} group(s) in {len(result['stages'])} stage(s)"


def _fix(step: Step, result: Any) -> str:
    tail = f" {result['commit'][:12]}" if result["commit"] else ""
    why = result["verified_by"] or result["error"].strip().split("\n")[0]
    return f"fix of {result['finding_id']}: {result['result']}{tail}{f' ({why})' if why else ''}"


def _group(step: Step, result: Any) -> str:
    count = Counter(fix["result"] for fix in result["fixes"])
    words = ", ".join(f"{number} {word}" for word, number in count.items())
    return f"group {result['group']}: {result['failed'] or result['rolled_back'] or words}"


def _checkpoint(step: Step, result: Any) -> str:
    """It passes nothing, so it does not say so either."""
    after = f"checkpoint after iteration {result['iteration']}"
    if result.get("same_as"):
        return f"{after}: nothing new since checkpoint {result['same_as']}"
    if result["review"] is None:
        return f"{after}: not reviewed: {result['trouble']}"
    found = result["review"]["findings"]
    return f"{after}: {_findings(found) if found else 'nothing to correct'}"


def _silent(step: Step, result: Any) -> str:
    return ""


PARTS: dict[str, Say] = {
    "Analysis": _analysis,
    "DimensionReport": _report,
    "Dive": _dive,
    "PartialPlan": _partial,
    "FixPlan": _plan,
    "FindingFix": _fix,
    "GroupResult": _group,
    "Checkpoint": _checkpoint,
    # Steps between these, which nobody needs to read about.
    **dict.fromkeys(("Draft", "StageResult", "FixOutcome", "int", "str"), _silent),
}


def part(step: Step, kind: str, result: Any) -> list[str]:
    said = PARTS[kind](step, result)
    return [said] if said else []
