"""Findings to batches that are planned together: pure, in the order the findings came."""

from __future__ import annotations

import re
from collections.abc import Iterable

from burnish.errors import UsageError
from burnish.model.fixing import Batch
from burnish.model.review import Finding

BATCH_SIZE = 5
NO_FILE = "unknown"
TESTS = "tests:"
NO_DIMENSION = "general"
# An id becomes part of a step's key, a folder's name and a commit's subject.
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


def make_batches(findings: Iterable[Finding], size: int = BATCH_SIZE) -> tuple[Batch, ...]:
    """One file and dimension a batch, at most `size` findings in each; numbered from 1.

    Failing tests go together: where each of them stopped says little about the file that is to be repaired.
    """
    if size < 1:
        raise UsageError(f"expected a batch size of 1 or more, found {size}.", hint="--batch-size=5")
    alike: dict[tuple[str, str], list[Finding]] = {}
    tests = ""
    for finding in findings:
        file = finding.file or NO_FILE
        if finding.rule.startswith(TESTS):
            file = tests = tests or file
        key = (file, finding.dimension or NO_DIMENSION)
        alike.setdefault(key, []).append(finding)
    slices = [
        (file, dimension, tuple(found[start : start + size]))
        for (file, dimension), found in alike.items()
        for start in range(0, len(found), size)
    ]
    return tuple(Batch(number, found, file, dim) for number, (file, dim, found) in enumerate(slices, 1))


def check_ids(findings: Iterable[Finding]) -> None:
    """Every finding must be told from every other by its id; UsageError names the one that cannot."""
    seen: set[str] = set()
    for finding in findings:
        if not _ID.fullmatch(finding.id):
            raise UsageError(
                f"expected every finding to have an id of letters, digits, '.', '_' and '-', "
                f"found {finding.id[:60]!r} for {finding.title[:60]!r}.",
                hint="make the export again with `burnish review`",
            )
        if finding.id in seen:
            raise UsageError(
                f"expected every finding to have an id of its own, found {finding.id!r} twice.",
                hint="make the export again with `burnish review`",
            )
        seen.add(finding.id)
