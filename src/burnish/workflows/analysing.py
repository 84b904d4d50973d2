"""Every analyser on what is reviewed and on what it was before; what the change brought is told apart."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace

from burnish.model.assessment import Analysis
from burnish.model.review import Finding, Severity
from burnish.model.step import Role, Step
from burnish.model.subject import FileStatus, ReviewMode, Subject
from burnish.ports import Analyser, Run, Source

PHASE = "analyse"
AT_ONCE = 4
# What fails only since the change is worse than a test that was red already.
NEWLY_RED = ("tests:",)


@dataclass(frozen=True)
class Analysing:
    """`head` is the tree under review, `base` what it is compared with; `everything` keeps old findings."""

    analysers: tuple[Analyser, ...]
    head: Source
    base: Source | None = None
    everything: bool = False

    async def analyse(self, run: Run, subject: Subject, cycle: int) -> tuple[Analysis, ...]:
        """The answers of all analysers that have something to judge, in their own order."""
        turn = asyncio.Semaphore(AT_ONCE)
        wanted = [analyser for analyser in self.analysers if analyser.wants(subject.present)]

        async def one(analyser: Analyser) -> Analysis:
            async with turn:
                step = Step(Role.REVIEW, cycle, PHASE, analyser.name)
                return await run.do(step, self.compare, analyser, subject)

        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(analyser)) for analyser in wanted]
        return tuple(task.result() for task in tasks)

    async def compare(self, analyser: Analyser, subject: Subject) -> Analysis:
        """What one analyser says of the head that it did not say of the base."""
        why = analyser.missing()
        if why:
            return Analysis(analyser.name, failed=why)
        found = await analyser.analyse(self.head, analyser.wants(subject.present))
        if found.failed or not found.findings:
            # Where nothing is, nothing is new: the base need not be looked at.
            return found
        if self.base is None:
            return replace(found, findings=_inside(found.findings, subject))
        renamed = {file.old_path or file.path: file.path for file in subject.files if _was_there(file.status)}
        wanted = analyser.wants(tuple(renamed))
        before = await analyser.analyse(self.base, wanted) if wanted else Analysis(analyser.name)
        if before.failed:
            # Nothing to compare with: all of it is told, rather than a part of it silently dropped.
            return replace(found, findings=_inside(found.findings, subject))
        marked = mark_new(found.findings, before.findings, renamed)
        kept = tuple(finding for finding in marked if finding.is_new or self.everything)
        old = () if self.everything else tuple(f.fingerprint for f in marked if not f.is_new)
        return replace(found, findings=kept, unchanged=old)


def _was_there(status: FileStatus) -> bool:
    return status in (FileStatus.MODIFIED, FileStatus.RENAMED, FileStatus.UNCHANGED, FileStatus.DELETED)


def _inside(findings: tuple[Finding, ...], subject: Subject) -> tuple[Finding, ...]:
    """A module review asks for some paths; a red test speaks about all of them wherever it stands, and a
    flow about every file it leads through."""
    if subject.mode is not ReviewMode.MODULE:
        return findings
    inside = set(subject.present)
    return tuple(
        finding
        for finding in findings
        if finding.file in inside
        or finding.rule.startswith(NEWLY_RED)
        or any(step.file in inside for step in finding.flow)
    )


def mark_new(
    head: tuple[Finding, ...], base: tuple[Finding, ...], renamed: Mapping[str, str]
) -> tuple[Finding, ...]:
    """Each finding of the head with `is_new`: there are more of its kind at this place than there were."""
    known = Counter(_kind(_as_named_now(finding, renamed)) for finding in base)
    seen: dict[str, int] = defaultdict(int)
    marked = []
    for finding in head:
        kind = _kind(finding)
        seen[kind] += 1
        is_new = seen[kind] > known[kind]
        severity = Severity.CRITICAL if is_new and finding.rule.startswith(NEWLY_RED) else finding.severity
        marked.append(replace(finding, is_new=is_new, severity=severity))
    return tuple(marked)


def _as_named_now(finding: Finding, renamed: Mapping[str, str]) -> Finding:
    flow = tuple(replace(step, file=renamed.get(step.file, step.file)) for step in finding.flow[:1])
    return replace(finding, file=renamed.get(finding.file, finding.file), flow=flow)


def _kind(finding: Finding) -> str:
    """What stays the same when lines move: the rule, the file, and the words of the line or of the title.

    A test is the same one by its name, numbers included, wherever it fails now. A flow is the same one by
    where it comes in as well: another source is another way in.
    """
    if finding.rule.startswith(NEWLY_RED):
        return f"{finding.rule}\0{finding.title}"
    words = finding.snippet.strip().split("\n")[0] if finding.snippet.strip() else finding.title
    source = f"\0{finding.flow[0].file}\0{''.join(finding.flow[0].snippet.split())}" if finding.flow else ""
    return f"{finding.rule}\0{finding.file}\0{''.join(words.split())}{source}"
