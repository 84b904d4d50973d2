"""ruff's own fixes, for exactly one rule in one file, and never those that would break an importer."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path

from burnish import codec
from burnish.fixers._edit import Text, read_text, write_text
from burnish.fixers._re_exports import re_exported
from burnish.fixers._run import run_fixer
from burnish.fixers._target import target_options
from burnish.model.review import Finding
from burnish.process.tool_setup import ToolSetup

LOOKED = frozenset({0, 1})
_RULE = re.compile(r"ruff:([A-Z]+\d+)")
# Taking these away breaks who imports them from here.
IMPORTS = frozenset({"F401", "F811"})
# They only write the same text in another way: an injection stays one, and is then harder to see.
REWRITES_OF_TEXT = frozenset({"UP030", "UP031", "UP032", "FLY002", "G004", "RUF010"})
INJECTIONS = "S602,S604,S605,S608,S609,S610,S611"
_SQL = re.compile(r"(?i)\b(select\b.+\bfrom|insert\s+into|update\b.+\bset|delete\s+from|where\b.+=)")


@dataclass(frozen=True)
class RuffFix:
    """With `unsafe` also what ruff itself does not call safe: for that a person must have asked."""

    setup: ToolSetup
    unsafe: bool = False

    @property
    def name(self) -> str:
        return "ruff-unsafe-fix" if self.unsafe else "ruff-fix"

    def can(self, finding: Finding, *, unsafe: bool = False) -> bool:
        code = _code(finding)
        if not code or not finding.file or (self.unsafe and not unsafe):
            return False
        # The analyser calls a finding fixable when ruff has a safe fix; for imports it leaves that to us.
        return self.unsafe or finding.fixable or code in IMPORTS

    async def fix(self, finding: Finding, workspace: Path) -> str:
        code, before = _code(finding), read_text(workspace, finding.file)
        target = target_options(workspace)
        hits = await self._hits(before, code)
        if not hits or await self._keeps_an_injection(code, before, hits):
            return ""
        if code in IMPORTS and re_exported(workspace, before, _names(before, hits)):
            return ""
        kind = "--unsafe-fixes" if self.unsafe else "--no-unsafe-fixes"
        options = ("check", *self._options(before, code), *target, "--fix", kind, "--quiet", "-")
        finished = await run_fixer(self.setup, "ruff", options, LOOKED, before.data)
        after = (finished.stdout.head + finished.stdout.tail)[len(before.bom) :].decode(before.encoding)
        if len(await self._hits(before, code, after)) >= len(hits):
            return ""
        return f"ruff fixed {code}" if write_text(workspace, before, after) else ""

    def _options(self, file: Text, select: str) -> tuple[str, ...]:
        return (
            *("--isolated", "--no-cache", "--ignore-noqa", "--select", select),
            *("--stdin-filename", file.name),
        )

    async def _hits(self, file: Text, select: str, text: str | None = None) -> list[dict[str, object]]:
        options = (
            *("check", *self._options(file, select), "--no-fix", "--output-format", "json", "--quiet", "-"),
        )
        data = file.data if text is None else file.encoded(text)
        finished = await run_fixer(self.setup, "ruff", options, LOOKED, data)
        found: list[dict[str, object]] = codec.loads(finished.stdout.text)
        return found

    async def _keeps_an_injection(self, code: str, file: Text, hits: list[dict[str, object]]) -> bool:
        if code not in REWRITES_OF_TEXT:
            return False
        lines = file.text.split("\n")
        rows = [int(str(hit["location"]["row"])) for hit in hits]  # type: ignore[index]
        if any(_SQL.search(" ".join(lines[row - 1 : row + 3])) for row in rows):
            return True
        return bool(await self._hits(file, INJECTIONS))


def make(setup: ToolSetup) -> RuffFix:
    return RuffFix(setup)


def make_unsafe(setup: ToolSetup) -> RuffFix:
    return RuffFix(setup, unsafe=True)


def _code(finding: Finding) -> str:
    found = _RULE.fullmatch(finding.rule)
    return found[1] if found else ""


def _names(file: Text, hits: list[dict[str, object]]) -> tuple[str, ...]:
    """What the import statements at these places bind; ruff's message does not tell an alias."""
    rows = {int(str(hit["location"]["row"])) for hit in hits}  # type: ignore[index]
    names: set[str] = set()
    try:
        tree = ast.parse(file.text)
    except (SyntaxError, ValueError, RecursionError):
        return ()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom) and rows & set(_rows(node)):
            for alias in node.names:
                names |= {alias.asname or alias.name.split(".")[0], alias.name.split(".")[-1]}
    return tuple(sorted(names))


def _rows(node: ast.stmt) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)
