"""What our rewrites make of the weaknesses that the data-flow pass finds: repaired, still Python, and then clean to the pass."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench._taint_cases import Variant, lay, variants
from bench.section import Page, Setting

QUICK_CLASSES = ("sql", "weak_random")
AT_ONCE = 2


@dataclass(frozen=True)
class Outcome:
    """`by` is who repaired it, empty where nobody did."""

    kind: str
    found: bool
    by: str = ""
    compiles: bool = True
    clean: bool = False


def section(setting: Setting, page: Page) -> None:
    every = [one for one in variants(setting.split, final=setting.final) if one.sink is not None]
    chosen = [one for one in every if not setting.quick or one.case.kind in QUICK_CLASSES]
    lay(chosen, setting.folder)
    outcomes = asyncio.run(_all(setting.folder, chosen))
    page.say(
        "Each vulnerable side of the labelled pairs that the pass reports is given to the rewrites (`safe`: without asking, "
        "`unsafe`: with `--unsafe`), then compiled and looked at by the pass again. What no rewrite fits is left for a person or an "
        "agent: pickled data, a cipher, the name of a table."
    )
    _tell(page, outcomes)
    broken = [one for one in outcomes if not one.compiles]
    page.goal("repaired code compiles", "all", f"{len(broken)} do not", met=not broken)


async def _all(folder: Path, some: Sequence[Variant]) -> list[Outcome]:
    slots = asyncio.Semaphore(AT_ONCE)

    async def one(variant: Variant) -> Outcome:
        async with slots:
            return await _outcome(folder / variant.name, variant.case.kind)

    return list(await asyncio.gather(*(one(variant) for variant in some)))


async def _outcome(root: Path, kind: str) -> Outcome:
    from burnish.fixers import codemods

    before = await _findings(root, kind)
    if not before:
        return Outcome(kind, found=False)
    by = ""
    for finding in before:
        for fixer in (codemods.make(_setup()), codemods.make_unsafe(_setup())):
            if fixer.can(finding, unsafe=True) and await fixer.fix(finding, root):
                by = fixer.name if by != "unsafe-codemods" else by
                break
    if not by:
        return Outcome(kind, found=True)
    return Outcome(kind, True, by, _compiles(root), clean=not await _findings(root, kind))


async def _findings(root: Path, kind: str) -> list[Any]:
    from burnish import registry
    from burnish.ports import Source

    analyser = registry.load("analysers", "taint")(_setup())
    files = tuple(sorted(str(path.relative_to(root)) for path in root.rglob("*.py")))
    found = await analyser.analyse(Source(root, ""), analyser.wants(files))
    return [one for one in found.findings if one.rule == f"taint:{kind}"]


def _setup() -> Any:
    from burnish.process.environment import child_environment
    from burnish.process.tool_setup import ToolSetup

    return ToolSetup(env=child_environment(dict(os.environ)), search=os.environ["PATH"])


def _compiles(root: Path) -> bool:
    for path in root.rglob("*.py"):
        try:
            compile(path.read_bytes(), path.name, "exec", dont_inherit=True)
        except SyntaxError:
            return False
    return True


def _tell(page: Page, outcomes: Sequence[Outcome]) -> None:
    kinds = sorted({one.kind for one in outcomes})
    rows = [[kind, *_cells([one for one in outcomes if one.kind == kind])] for kind in kinds]
    columns = ["class", "weaknesses", "found", "safe repair", "unsafe repair", "no repair", "clean after"]
    page.table(columns, [*rows, ["**all**", *_cells(outcomes)]])


def _cells(some: Sequence[Outcome]) -> list[str]:
    found = [one for one in some if one.found]
    by = Counter(one.by for one in found)
    repaired = [one for one in found if one.by]
    clean = f"{sum(one.clean for one in repaired)} of {len(repaired)}" if repaired else "-"
    return [
        str(len(some)),
        str(len(found)),
        str(by["codemods"]),
        str(by["unsafe-codemods"]),
        str(by[""]),
        clean,
    ]
