"""Ways to make a rule quiet without repairing anything, recognised in the lines that a fix added. Pure."""

from __future__ import annotations

import re

# Words by which tools are told to look away, as they stand in comments and attributes.
_MARKS = re.compile(
    r"#\s{0,9}noqa\b|#\s{0,9}nosec\b|#\s{0,9}type:\s{0,9}ignore|#\s{0,9}(?:pyright|ty):\s{0,9}ignore|#\s{0,9}pylint:\s{0,9}disable"
    r"|#\s{0,9}ruff:\s{0,9}(?:noqa|disable)|#\s{0,9}mypy:\s{0,9}ignore|\bnosemgrep\b|\bast-grep-ignore\b|#\s{0,9}lizard\s{1,9}forgives?"
    r"|\b(?:eslint|oxlint|biome|tslint|stylelint)-(?:disable|ignore)|@ts-(?:ignore|nocheck|expect-error)"
    r"|//\s{0,9}nolint\b|//\s{0,9}#?nosec\b|#\[\s{0,9}allow\(|@SuppressWarnings|#\s{0,9}rubocop:\s{0,9}(?:disable|todo)"
    r"|#\s{0,9}shellcheck\s{1,9}disable|#\s{0,9}hadolint\s{1,9}ignore|\bNOLINT|#\s{0,9}pragma:\s{0,9}allowlist|#\s{0,9}pragma:\s{0,9}no\s{0,9}cover",
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
