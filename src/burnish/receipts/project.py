"""From a run's events to the evidence in its receipt: always the same for the same events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from burnish.model.receipt import GateEvidence, GivenFile, ReviewEvidence, WriteEvidence
from burnish.receipts.chain import hash_of


@dataclass(frozen=True)
class Evidence:
    """What the events of a run show."""

    run: str
    profile: str
    contract: str
    base_commit: str
    base_tree: str
    start_commit: str
    result_commit: str
    reviews: tuple[ReviewEvidence, ...]
    gates: tuple[GateEvidence, ...]
    writes: tuple[WriteEvidence, ...]
    started_at: str
    finished_at: str


def project(events: Sequence[dict[str, Any]]) -> Evidence:
    """Raises KeyError, TypeError or IndexError when these are not the events of a run."""
    first = events[0]
    return Evidence(
        run=first["run"],
        profile=first["profile"],
        contract=first["contract"],
        base_commit=first["base"],
        base_tree=first["base_tree"],
        start_commit=first["start"],
        result_commit=_result(events),
        reviews=tuple(_review(event) for event in _finished(events, "Review")),
        gates=tuple(_gate(event) for event in _finished(events, "GateResult")),
        writes=tuple(_write(event) for event in _finished(events, "Change")),
        started_at=first["at"],
        finished_at=events[-1]["at"],
    )


def _finished(events: Sequence[dict[str, Any]], kind: str) -> Iterator[dict[str, Any]]:
    return (event for event in events if event["kind"] == "step_finished" and event["result_type"] == kind)


def _result(events: Sequence[dict[str, Any]]) -> str:
    """What was landed; before that the last change; before that where the run started."""
    commit: str = events[0]["start"]
    for kind in ("Change", "Landing"):
        for event in _finished(events, kind):
            commit = event["result"]["commit"]
    return commit


def _review(event: dict[str, Any]) -> ReviewEvidence:
    step, result = event["step"], event["result"]
    return ReviewEvidence(
        cycle=step["cycle"],
        ask=step["ask"],
        tree=result["tree"],
        verdict=result["verdict"],
        native=result["native"],
        overruled=_text(result["overruled"]),
        unclear=_text(result["unclear"]),
        partial=result["partial"],
        text_sha256=hash_of(result["text"]),
        given=tuple(GivenFile(_text(given["path"]), tuple(given["hunks"])) for given in result["given"]),
        agent=_text(result["agent"]),
        version=_text(result["agent_version"]),
        model=_text(result["model"]),
        isolation=result["isolation"],
        finished_at=event["at"],
    )


def _gate(event: dict[str, Any]) -> GateEvidence:
    result = event["result"]
    return GateEvidence(
        tree=result["tree"],
        base=event["step"]["part"] == "base",
        command=_text(result["command"]),
        exit=result["exit"],
        output_sha256=hash_of(result["output"]),
        isolation=result["isolation"],
        finished_at=event["at"],
    )


def _write(event: dict[str, Any]) -> WriteEvidence:
    step, result = event["step"], event["result"]
    return WriteEvidence(
        role=result["role"],
        cycle=step["cycle"],
        commit=result["commit"],
        tree=result["tree"],
        agent=_text(result["agent"]),
        isolation=result["isolation"],
        finished_at=event["at"],
    )


def _text(value: Any) -> str:
    """A text as it stands, or its hash where it was too long to stand there."""
    return f"sha256:{value['sha256']}" if isinstance(value, dict) else str(value)
