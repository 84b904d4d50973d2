"""How many planted bugs the analysers name by line, and whether they say the same of the program without the bug."""

from __future__ import annotations

import asyncio
import difflib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench._bugs import Bug

NOT_BY_READING = ("tests", "sarif")


@dataclass(frozen=True)
class Named:
    """`lines` are bugs whose line some finding names, `new_lines` those where the original has no such finding."""

    tools: tuple[str, ...]
    findings: int
    lines: tuple[str, ...]
    new_lines: tuple[str, ...]


Findings = set[tuple[str, int, str]]


def named(chosen: Sequence[Bug], folder: Path) -> Named:
    tools, planted = _found(folder / "planted", {bug.id: bug.planted for bug in chosen})
    _, originals = _found(folder / "originals", {bug.id: bug.original for bug in chosen})
    lines, new = [], []
    for bug in chosen:
        here = {rule for name, line, rule in planted if name == bug.id and line == bug.line}
        if here:
            lines.append(bug.id)
            back = _line_before(bug)
            before = {rule for name, line, rule in originals if name == bug.id and line == back}
            new += [f"{bug.id} {rule}" for rule in sorted(here - before)]
    return Named(tools, len(planted), tuple(lines), tuple(new))


def _line_before(bug: Bug) -> int:
    """The line of the original that became the planted one."""
    old, new = bug.original.splitlines(), bug.planted.splitlines()
    for _, start, _, first, end in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if first <= bug.line - 1 < end:
            return start + bug.line - first
    return bug.line


def _found(folder: Path, programs: dict[str, str]) -> tuple[tuple[str, ...], Findings]:
    for name, text in programs.items():
        (folder / name).mkdir(parents=True)
        (folder / name / "program.py").write_text(text, "utf8")
    return asyncio.run(_analysed(folder, tuple(f"{name}/program.py" for name in programs)))


async def _analysed(folder: Path, files: tuple[str, ...]) -> tuple[tuple[str, ...], Findings]:
    from burnish.analysers._embedded import embedded
    from burnish.ports import Source
    from burnish.process.environment import child_environment
    from burnish.process.tool_setup import ToolSetup

    setup = ToolSetup(
        env=child_environment(dict(os.environ)), search=os.environ["PATH"], scratch=folder.parent / "scratch"
    )
    able = [
        one
        for one in embedded(setup)
        if one.name not in NOT_BY_READING and not one.missing() and one.wants(files)
    ]
    found: Findings = set()
    ran = []
    for analyser in able:
        analysis = await analyser.analyse(Source(folder, ""), analyser.wants(files))
        if not analysis.failed:
            ran.append(analyser.name)
        found |= {(Path(one.file).parts[0], one.line or 0, one.rule) for one in analysis.findings if one.file}
    return tuple(ran), found
