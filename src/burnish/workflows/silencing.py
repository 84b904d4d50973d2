"""Ways to make a rule quiet without repairing anything, recognised in the lines that a fix added. Pure."""

from __future__ import annotations

import re

# Words by which tools are told to look away, as they stand in comments and attributes.
_MARKS = re.compile(
    r"#\s*noqa\b|#\s*nosec\b|#\s*type:\s*ignore|#\s*(?:pyright|ty):\s*ignore|#\s*pylint:\s*disable"
    r"|#\s*ruff:\s*(?:noqa|disable)|#\s*mypy:\s*ignore|\bnosemgrep\b|\bast-grep-ignore\b|#\s*lizard\s+forgives?"
    r"|\b(?:eslint|oxlint|biome|tslint|stylelint)-(?:disable|ignore)|@ts-(?:ignore|nocheck|expect-error)"
    r"|//\s*nolint\b|//\s*#?nosec\b|#\[\s*allow\(|@SuppressWarnings|#\s*rubocop:\s*(?:disable|todo)"
    r"|#\s*shellcheck\s+disable|#\s*hadolint\s+ignore|\bNOLINT|#\s*pragma:\s*allowlist|#\s*pragma:\s*no\s*cover",
    re.IGNORECASE,
)


def silenced(diff: str) -> str:
    """The first such mark that a diff brings more of than it takes away; empty when there is none."""
    added: dict[str, int] = {}
    for line in diff.split("\n"):
        if line[:1] not in "+-" or line.startswith(("+++ ", "--- ")):
            continue
        for mark in _MARKS.findall(line):
            word = " ".join(mark.split()).lower()
            added[word] = added.get(word, 0) + (1 if line[0] == "+" else -1)
    return next((mark for mark, count in added.items() if count > 0), "")
