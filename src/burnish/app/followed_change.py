"""The flows of untrusted input that a change brought, for the agents of a run."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from burnish.analysers._embedded import identified
from burnish.analysers.taint import make
from burnish.app.spec import RunSpec
from burnish.app.taint_plan import is_off, with_callers
from burnish.errors import BurnishError
from burnish.git.discovery import changed_files, look_at
from burnish.git.export import lay_source
from burnish.git.run_store import RunStore
from burnish.model.review import Finding
from burnish.model.subject import ReviewMode, Subject
from burnish.ports import Source
from burnish.process.tool_setup import ToolSetup
from burnish.workflows.analysing import Analysing
from burnish.workflows.evidence import Evidence, no_evidence

# Where none of these stands hardly a flow comes in or ends. Following what was changed takes half a second;
# following all who use it takes ten, and is for changes that show one of these themselves.
_WORDS = (
    r"\brequest\b|\bargv\b|\benviron\b|\bgetenv\(|\binput\(|\bexecute\(|\bsubprocess\b|\bpopen\b|\bos\.system\b"
    r"|shell=|\beval\(|\bexec\(|\bpickle\b|\byaml\.load|\bredirect\(|\bset_cookie\(|\bHttpResponse\b|\bMarkup\("
    r"|\bmark_safe\(|\brender_template_string\(|\bsend_file\(|\burlopen\(|\brequests\.|\bhttpx\.|\betree\b|\bxpath\("
    r"|\bldap|@\w+\.(?:route|get|post|put|patch|delete|websocket)\("
)
TELLING = re.compile(_WORDS)
TELLING_DIFF = re.compile(rf"^[+ ].*(?:{_WORDS})", re.MULTILINE)
# What is new stands whole in the diff, so only of these there is more to see.
EDITED = re.compile(r"^--- a/.*\n\+\+\+ b/(.*\.py)\t?$", re.MULTILINE)
SURE_ENOUGH = 0.5
# Agents work for minutes, so what helps them may take one.
TIME_S = 60.0


def follow_changes(store: RunStore, spec: RunSpec, setup: ToolSetup, folder: Path) -> Evidence:
    """For the agents of a run, unless its settings switch the pass off."""
    if is_off(spec.options):
        return no_evidence
    setup = replace(setup, options={**setup.options, **dict(spec.options)})
    return FollowedChange(store, spec.task.base_tree, folder, setup)


async def lay_change(
    store: RunStore, base_tree: str, tree: str, folder: Path
) -> tuple[Subject, Source, Source]:
    """What changed from the base to a tree, and both laid out below `folder`: the tree, and the base."""
    subject = Subject(ReviewMode.SESSION, "the change", tree, base_tree)
    subject, head = await look_at(store, await changed_files(store, subject), folder / "head")
    return subject, head, await lay_source(store, base_tree, folder / "base", like=head)


@dataclass(frozen=True)
class FollowedChange:
    """Compares a tree of the run with its base; each tree is looked at once."""

    store: RunStore
    base_tree: str
    folder: Path
    setup: ToolSetup
    _known: dict[str, tuple[Finding, ...]] = field(default_factory=dict)
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def __call__(self, tree: str, diff: str) -> tuple[Finding, ...]:
        """Nothing where nothing can be told: evidence is never what a review waits or fails for."""
        if ".py" not in diff:
            return ()
        async with self._turn:
            if tree not in self._known:
                self._known[tree] = ()
                with suppress(BurnishError, OSError, TimeoutError):
                    async with asyncio.timeout(TIME_S):
                        self._known[tree] = await self._followed(tree, diff)
        return self._known[tree]

    async def _followed(self, tree: str, diff: str) -> tuple[Finding, ...]:
        setup = self.setup
        if not TELLING_DIFF.search(diff):
            if not TELLING.search(await self._edited(tree, diff)):
                return ()
            setup = replace(setup, options=with_callers(setup.options, 0))
        subject, head, base = await lay_change(self.store, self.base_tree, tree, self.folder)
        found = await Analysing((), head, base).compare(identified(make(setup)), subject)
        return tuple(one for one in found.findings if (one.confidence or 0) >= SURE_ENOUGH)

    async def _edited(self, tree: str, diff: str) -> str:
        """All of the Python files that were there before and are different now, one after the other."""
        asked = "".join(f"{tree}:{name}\n" for name in EDITED.findall(diff))
        if not asked:
            return ""
        out = await self.store.git("cat-file", "--batch", at=self.store.place, stdin=asked.encode())
        return out.decode("utf8", "replace")
