"""The Trees port over a git directory: the user's repository, or a fresh clone of it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from burnish.git.call import Git, Place

_NAME = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


@dataclass(frozen=True)
class GitTrees:
    git: Git
    place: Place

    async def tree_of(self, commit: str) -> str | None:
        if not _NAME.fullmatch(commit):
            return None
        answer = await self.git.ask("rev-parse", "--verify", "-q", f"{commit}^{{tree}}", at=self.place)
        return answer.out.decode().strip() or None if answer.code == 0 else None

    async def raw_diff(self, before: str, after: str) -> bytes | None:
        if not (_NAME.fullmatch(before) and _NAME.fullmatch(after)):
            return None
        answer = await self.git.ask(
            "diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-renames", "--ignore-submodules=none",
            before, after, at=self.place,
        )  # fmt: skip
        return answer.out if answer.code == 0 else None

    async def message_of(self, commit: str) -> str:
        if not _NAME.fullmatch(commit):
            return ""
        answer = await self.git.ask("log", "-1", "--format=%B", commit, at=self.place)
        return answer.out.decode("utf8", "replace") if answer.code == 0 else ""
