"""A receipt: what a run's end rests on, in one file that can be checked anywhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

FORMAT = "burnish-receipt"
VERSION = 1
# So many hunks of one file are named; of more, it is not told which lines they are.
MOST_HUNKS = 200


@dataclass(frozen=True)
class GivenFile:
    """What of one file a reviewer was given: its hunks, or none when it had to be read in the copy."""

    path: str
    hunks: tuple[str, ...] = ()


@dataclass(frozen=True)
class ReviewEvidence:
    """One review: about which tree, by whom, and what came back."""

    cycle: int
    ask: int
    tree: str
    verdict: str
    native: str
    overruled: str
    unclear: str
    partial: bool
    text_sha256: str
    given: tuple[GivenFile, ...]
    agent: str
    version: str
    model: str
    isolation: str
    finished_at: str


@dataclass(frozen=True)
class GateEvidence:
    tree: str
    base: bool
    command: str
    exit: int | None
    output_sha256: str
    isolation: str
    finished_at: str


@dataclass(frozen=True)
class WriteEvidence:
    role: str
    cycle: int
    commit: str
    tree: str
    agent: str
    isolation: str
    finished_at: str


@dataclass(frozen=True)
class Receipt:
    """`events` are the run's own, long texts replaced by their hashes; all other parts follow from them.

    `chain` is the last link of the hash chain over the events, `diff_sha256` is over git's raw difference
    between the two trees. `seal` is over all the rest of the receipt: also over what no event tells, such as
    the outcome and who made it.
    """

    run: str
    burnish: str
    profile: str
    contract: str
    outcome: str
    reason: str
    base_commit: str
    base_tree: str
    start_commit: str
    result_commit: str
    result_tree: str
    diff_sha256: str
    files: tuple[str, ...]
    reviews: tuple[ReviewEvidence, ...]
    gates: tuple[GateEvidence, ...]
    writes: tuple[WriteEvidence, ...]
    started_at: str
    finished_at: str
    events: tuple[dict[str, Any], ...]
    chain: str
    seal: str
    format: str = FORMAT
    v: int = VERSION
