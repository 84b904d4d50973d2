"""One run as a page for people and as a record for programs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from burnish.model.events import Noticed, Recorded, RunFinished, StepFailed, StepFinished
from burnish.model.question import WAITING
from burnish.model.run_view import RunState, RunView
from burnish.model.step import Role
from burnish.render.parts import by_whom
from burnish.render.plain import count, lines
from burnish.render.record import as_data
from burnish.render.runs import as_record as run_record
from burnish.render.waiting import answer_command
from burnish.sanitise import clean, clean_line


def as_record(view: RunView, events: Sequence[Recorded]) -> dict[str, Any]:
    return {**run_record(view), "events": [as_data(recorded) for recorded in events]}


def page(view: RunView, events: Sequence[Recorded], store: Path | None = None) -> str:
    """How it stands, what happened, what was found, and where the work is."""
    sections = [
        _head(view),
        _story(view.id, events),
        _findings(events),
        _left_out(events),
        _where(view, events, store),
    ]
    return "\n\n".join(section for section in sections if section)


def _head(view: RunView) -> str:
    state = f"{view.outcome}: {view.reason}" if view.outcome else view.shown_state
    rows = [
        ("run", view.id),
        ("task", clean_line(view.title)),
        ("state", state),
        ("why", clean_line(view.message)),
        ("answer", f"with: {answer_command(view.id)}" if waits(view) else ""),
        ("warning", f"the pass is stale: {clean_line(view.stale)}" if view.stale else ""),
        ("verdict", _verdict(view)),
        ("cycles", f"{count(view.cycles, 'review')}, {count(view.fixes, 'fix')}"),
        ("profile", f"{view.profile}, contract {view.contract}"),
        ("base", view.base),
        ("cost", view.spent.cost.removeprefix("cost ")),
        ("tokens", str(view.tokens or "")),
        ("times", f"{view.created_at[:19]} to {(view.finished_at or view.updated_at)[:19]} UTC"),
    ]
    return "\n".join(f"{name:9}{value}" for name, value in rows if value)


def waits(view: RunView) -> bool:
    """Whether a person's answer is what it waits for."""
    return view.state is RunState.FINISHED and view.reason in WAITING


def _verdict(view: RunView) -> str:
    if not view.native:
        return view.final_verdict
    last = f"last review {view.native}"
    return (
        f"{view.final_verdict} ({last})"
        if view.final_verdict and view.final_verdict != view.native
        else view.native
    )


def _story(run: str, events: Sequence[Recorded]) -> str:
    told = [text for recorded in events if not _is_end(recorded) for text in lines(run, recorded.event)]
    return "What happened\n" + "\n".join(f"  {clean_line(text)}" for text in told) if told else ""


def _is_end(recorded: Recorded) -> bool:
    return isinstance(recorded.event, RunFinished | Noticed)


def _findings(events: Sequence[Recorded]) -> str:
    """What the last review found, and what stains it."""
    reviews = [event.result for event in _results(events) if event.result_type == "Review"]
    if not reviews:
        return ""
    last = reviews[-1]
    found = [f"  overruled: {clean_line(last['overruled'])}"] if last["overruled"] else []
    found += ["  partial: not every file fitted into the reviewer's prompt"] if last["partial"] else []
    for finding in last["findings"]:
        line = f":{finding['line']}" if finding["line"] else ""
        named = finding["file"] and finding["file"] not in finding["title"]
        place = f" ({finding['file']}{line})" if named else ""
        found.append(f"  {finding['severity']:9}{clean_line(finding['title'])}{clean_line(place)}")
    if last["left_behind"]:
        found.append(f"  the reviewer left behind, thrown away: {clean_line(', '.join(last['left_behind']))}")
    return "The last review found\n" + "\n".join(found) if found else ""


def _left_out(events: Sequence[Recorded]) -> str:
    """Paths that were not taken from an agent's work, or deserve a look."""
    found = [
        f"  {clean_line(dropped['path'])}: {clean_line(dropped['why'])}"
        for event in _results(events)
        if event.result_type == "Change"
        for dropped in event.result["dropped"]
    ]
    return "Paths not taken as they were\n" + "\n".join(dict.fromkeys(found)) if found else ""


def _where(view: RunView, events: Sequence[Recorded], store: Path | None) -> str:
    found = []
    if view.branch:
        found.append(f"  branch {view.branch} at {view.commit}")
    elif view.commit:
        found.append(f"  commit {view.commit}")
    if store is not None:
        found.append(f"  all it made, and what it started from: git --git-dir {store} log --all")
    for recorded in events:
        event = recorded.event
        if isinstance(event, StepFailed) and event.salvage:
            found.append(f"  unfinished work of {event.step.role}: {event.salvage}")
    found += [f"  note: {clean_line(r.event.text)}" for r in events if isinstance(r.event, Noticed)]
    found += [f"  note: {clean_line(view.note)}"] if view.note else []
    found += [f"  {who}" for who in _who(events)]
    found += [f"  isolation of {role}: {how}" for role, how in _isolation(events).items()]
    if not view.outcome and not view.live:
        found.append(f"  go on with: burnish resume {view.id}")
    return "Where things are\n" + "\n".join(found) if found else ""


def _who(events: Sequence[Recorded]) -> list[str]:
    """Whoever really answered in each role: not always the one who was asked."""
    found: dict[str, None] = {}
    for event in _results(events):
        result = event.result if isinstance(event.result, dict) else {}
        if result.get("agent"):
            resumed = "session resumed" if result.get("resumed") else ""
            known = (result.get("agent_version"), result.get("model"), resumed)
            more = ", ".join(str(part) for part in known if part)
            by = by_whom({**result, "agent": f"{result['agent']}{f' ({more})' if more else ''}"})
            found[f"{event.step.role} by {by}"] = None
    return list(found)


def _isolation(events: Sequence[Recorded]) -> dict[Role, str]:
    """How each role was confined, the last time it acted."""
    return {
        event.step.role: clean(event.result["isolation"])
        for event in _results(events)
        if isinstance(event.result, dict) and event.result.get("isolation")
    }


def _results(events: Sequence[Recorded]) -> list[StepFinished]:
    return [recorded.event for recorded in events if isinstance(recorded.event, StepFinished)]
