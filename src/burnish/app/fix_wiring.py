"""The fix pipeline joined with its adapters: fixers without a model, analysers to look again, a gate."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from pathlib import Path

from burnish.git.export import lay_source
from burnish.git.run_store import RunStore
from burnish.model.assessment import Analysis
from burnish.model.change import Change
from burnish.model.fixing import ExplainsItself, FixResult
from burnish.model.gate import GateResult
from burnish.model.review import Finding
from burnish.model.step import Role
from burnish.ports import Analyser, CodeFixer, Gate, Source
from burnish.suite_output import failures
from burnish.workflows.fix_outcome import FixOutcome

# The gate runs the tests; looking again is for what can be read.
NOT_RECHECKED = ("tests",)


@dataclass(frozen=True)
class Trees:
    """Trees laid out as plain files, each once, linked to one another where they are the same."""

    store: RunStore
    folder: Path
    like: Source | None = None
    _locks: dict[str, asyncio.Lock] = field(default_factory=dict)

    async def lay(self, tree: str) -> Source:
        async with self._locks.setdefault(tree, asyncio.Lock()):
            return await lay_source(self.store, tree, self.folder / tree, self.like)


@dataclass(frozen=True)
class LookAgain:
    """The analysers that read, on some files of a tree."""

    analysers: tuple[Analyser, ...]
    trees: Trees

    async def __call__(self, tree: str, files: tuple[str, ...]) -> tuple[Analysis, ...]:
        source = await self.trees.lay(tree)
        there = tuple(path for path in files if (source.root / path).is_file())
        asked = [
            analyser.analyse(source, wanted)
            for analyser in self.analysers
            if analyser.name not in NOT_RECHECKED
            and (wanted := analyser.wants(there))
            and not analyser.missing()
        ]
        return tuple(await asyncio.gather(*asked))


@dataclass(frozen=True)
class NamedGate:
    """A gate that tells which tests failed: one that was red before must not hide one that was not."""

    gate: Gate

    @property
    def command(self) -> str:
        return self.gate.command

    async def check(self, tree: str, base: str) -> GateResult:
        result = await self.gate.check(tree, base)
        if result.green:
            return result
        names = dict.fromkeys(failure.name for failure in failures(result.output))
        return replace(result, failing=tuple(names))


@dataclass(frozen=True)
class AnyRule:
    """A fixer for a finding by any of the rules that agree on it."""

    fixer: CodeFixer

    @property
    def name(self) -> str:
        return self.fixer.name

    def can(self, finding: Finding, *, unsafe: bool = False) -> bool:
        return any(self.fixer.can(variant, unsafe=unsafe) for variant in by_each_rule(finding))

    async def fix(self, finding: Finding, workspace: Path) -> str:
        for variant in by_each_rule(finding):
            # Whether unsafe fixers may be asked was decided before (`can`).
            if self.fixer.can(variant, unsafe=True) and (done := await self.fixer.fix(variant, workspace)):
                return done
        return ""

    def why_not(self, finding: Finding, workspace: Path) -> str:
        if not isinstance(self.fixer, ExplainsItself):
            return ""
        return next((why for one in by_each_rule(finding) if (why := self.fixer.why_not(one, workspace))), "")


def by_each_rule(finding: Finding) -> tuple[Finding, ...]:
    """Each still knows of the other rules: a rewrite may depend on them."""
    return (finding, *(replace(finding, rule=rule) for rule in finding.same_rules))


def change_of(outcome: FixOutcome) -> Change:
    """What the loop is told of a fix session."""
    count = outcome.counts
    told = ", ".join(f"{count[result]} {result}" for result in FixResult if count[result])
    return Change(
        Role.FIX,
        outcome.commit,
        outcome.tree,
        outcome.start_tree,
        title=f"Fix {count[FixResult.FIXED]} finding(s)",
        said=told,
        agent=", ".join(dict.fromkeys(fix.fixer for fix in outcome.fixes if fix.fixed)) or "embedded",
    )
