"""The findings of `release_diffs` that a person or a model read in their context and judged: `bench/data/judged.toml`."""

from __future__ import annotations

import random
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bench._scene import HERE
from burnish.model.review import Severity

JUDGED = HERE / "data" / "judged.toml"
SAMPLE, SEED = 100, 20261115
# All that are critical or high, and of the others as many.
SHARES = {Severity.CRITICAL: 30, Severity.HIGH: 40, Severity.MEDIUM: 30, Severity.LOW: 30}


@dataclass(frozen=True)
class Judged:
    """`right`: worth a reviewer's word at this place. `severity` is the one it was sampled with."""

    id: str
    library: str
    rule: str
    place: str
    title: str
    severity: Severity
    right: bool
    why: str


def read() -> tuple[Judged, ...]:
    found = tomllib.loads(JUDGED.read_text("utf8"))["finding"]
    return tuple(
        Judged(
            **{
                **one,
                "severity": Severity(one["severity"]),
                "right": {"right": True, "wrong": False}[one["right"]],
            }
        )
        for one in found
    )


def sampled(findings: Sequence[tuple[str, dict[str, Any]]]) -> list[tuple[str, dict[str, Any]]]:
    """Library and finding, seeded: everything that is critical or high, the rest half medium and half low."""
    chance, chosen = random.Random(SEED), []
    by_severity: dict[str, list[tuple[str, dict[str, Any]]]] = {severity: [] for severity in Severity}
    for library, finding in sorted(findings, key=lambda one: (one[0], one[1]["fingerprint"])):
        by_severity[finding["severity"]].append((library, finding))
    for severity, share in SHARES.items():
        some = by_severity[severity]
        chosen += some if len(some) <= share else chance.sample(some, share)
    return chosen[:SAMPLE]


def false_alarms(judged: Sequence[Judged]) -> Mapping[str, tuple[int, int]]:
    """Severity -> how many were judged, how many of these are wrong; and `all` of them."""
    count = Counter(one.severity for one in judged)
    wrong = Counter(one.severity for one in judged if not one.right)
    found = {severity.value: (count[severity], wrong[severity]) for severity in Severity if count[severity]}
    return found | {"all": (len(judged), sum(wrong.values()))}
