"""A session whose journal is gone, found again by its signals: what they say is checked before it counts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from burnish.app.choices import limit_of, profile_of
from burnish.app.dossier_folder import OWN
from burnish.app.place import Place
from burnish.app.signal_files import find_signals
from burnish.app.spec_evidence import Evidence
from burnish.app.spec_facts import Begun, Ended
from burnish.app.spec_join import runs_on
from burnish.app.spec_open import SESSIONS, Lost, Opened, SpecRequest, begin, branch_of, check_named
from burnish.app.spec_phase import FIXED
from burnish.app.spec_plan import Document, read_document
from burnish.config.load import Flag
from burnish.errors import UsageError
from burnish.git.evidence import GitTrees
from burnish.git.moving import tip
from burnish.model.mode import GivenReview
from burnish.model.receipt import Receipt
from burnish.model.review import Verdict
from burnish.model.step import Role
from burnish.repository_files import read_below
from burnish.sanitise import decoded
from burnish.specs.signals import Signal, Status
from burnish.specs.standing import Standing, standing
from burnish.store.database import Database
from burnish.store.journal import Journal

_MOST_BRANCHES = 100
_MOST_COMMITS = 10_000
_MOST_BYTES = 1024 * 1024


async def restore(place: Place, database: Database, request: SpecRequest, journal: Journal) -> Opened:
    """A new run for the newest session of the document, each phase where its signals left it."""
    root = place.repository.root
    document = read_document(root, request.path, number=request.number, phased=request.phased)
    folder = _newest(root, document.spec.topic)
    if folder is None:
        raise UsageError(
            f"there is no session of {document.path} to go on with.", hint="leave --resume out to begin one"
        )
    signals = _signals(folder, {phase.num for phase in document.spec.phases})
    evidence = Evidence(place, document.spec)
    shown = {one.name: await evidence.of(one) for one in signals if one.passed}
    stood = standing(signals, lambda one: shown.get(one.name) is not None)
    check_named(document.spec.phases, request, frozenset(num for num, one in stood.items() if one.done))
    found = await _Found.make(place, request, document, folder, signals)
    found.receipts = {name: receipt for name, receipt in shown.items() if receipt}
    first = {num: await found.phase(one) for num, one in sorted(stood.items())}
    lost = Lost(f"{SESSIONS}/{folder.name}", found.branch, {num: one for num, one in first.items() if one})
    opened = await begin(place, database, request, journal, document, lost)
    text = f"the journal of session {folder.name} is gone: it goes on by its signals"
    for key, said in (("restored", text), *found.notes):
        await opened.run.note(key, said)
    return opened


@dataclass
class _Found:
    """What signals say, beside what the repository has; `branch` is empty when nothing was put on one yet."""

    place: Place
    evidence: Evidence
    folder: Path
    signals: tuple[Signal, ...]
    limit: int
    wanted: str
    branch: str = ""
    receipts: dict[str, Receipt] = field(default_factory=dict)
    notes: list[tuple[str, str]] = field(default_factory=list)

    @classmethod
    async def make(
        cls, place: Place, request: SpecRequest, document: Document, folder: Path, signals: tuple[Signal, ...]
    ) -> _Found:
        given = {**request.flags, **FIXED}
        flags = {key: Flag("burnish spec", value) for key, value in given.items()}
        settings = (await place.settings(place.repository.head, flags)).settings
        limit, _ = limit_of(settings, profile_of(settings))
        name = branch_of(settings.land.branch_prefix, document.spec)
        evidence = Evidence(place, document.spec)
        found = cls(place, evidence, folder, signals, limit.n, name)
        found.branch = await found._find_branch()
        return found

    async def phase(self, stood: Standing) -> Begun | None:
        """Where a phase goes on; None when nothing of it is finished."""
        finished = [one for one in self.signals if one.phase == stood.phase and one.status is Status.SUCCESS]
        if not finished:
            return None
        last = finished[-1]
        if stood.done:
            began = self.receipts[last.name].base_commit
            ended = Ended(True, last.cycle, Verdict.PASS, last.commit, str(self.place.receipt(last.run)))
            return Begun(last.run, began, began, ended=ended)
        if stood.unverified:
            self._note(stood, f"the PASS of cycle {last.cycle} has no receipt that is proven: reviewed again")
        here = await self.evidence.at_hand(last, self.place.repository.head, self._kept_as(stood.phase))
        line = await self._line(last) if here else []
        if here:
            await self._check_spec(last)
        if not line:
            self._note(
                stood, f"the commit {last.commit[:12]} of {last.name} is gone: done again from the start"
            )
            return Begun(cycles_before=stood.last_cycle)
        return self._go_on(stood, last, line)

    def _note(self, stood: Standing, text: str) -> None:
        self.notes.append((f"restored/{stood.phase}/{len(self.notes)}", f"phase {stood.phase}: {text}"))

    def _go_on(self, stood: Standing, last: Signal, line: list[str]) -> Begun:
        base, of_phase = line[-1], [one for one in self.signals if one.phase == last.phase]
        # A phase can have had attempts before: their reviews were of other lines.
        reviewed = sum(one.kind is Role.REVIEW and one.commit in line[:-1] for one in of_phase)
        if stood.next is Role.FIX and reviewed >= self.limit:
            why = f"Max review cycles ({self.limit}) reached without approval"
            ended = Ended(False, last.cycle, stood.grade, last.commit, why=why)
            return Begun(last.run, base, last.commit, ended=ended)
        review = self._review(last) if stood.next is Role.FIX else ""
        if review:
            given = GivenReview(review, last.cycle)
            return Begun("", base, last.commit, last.cycle, reviewed, given=given)
        return Begun("", base, last.commit, last.cycle, reviewed, implemented=True)

    def _review(self, signal: Signal) -> str:
        """Its report; without that the work is reviewed again."""
        try:
            return decoded(read_below(self.folder, f"reviews/{signal.stem}.md", _MOST_BYTES)[:_MOST_BYTES])
        except OSError:
            return ""

    async def _check_spec(self, signal: Signal) -> None:
        """Two specs can have one topic; commits say whose they are."""
        repository, number = self.place.repository, self.evidence.spec.number
        said = await GitTrees(repository.git, repository.place).message_of(signal.commit)
        if not said.startswith(f"spec({number}): "):
            raise UsageError(
                f"signal {signal.name} of session {self.folder.name} names the commit {signal.commit[:12]}, "
                f"which is not one of spec {number}.",
                hint="move that folder away if it belongs to another spec",
            )

    async def _line(self, signal: Signal) -> list[str]:
        """The attempt's commits, the newest first, and last the one that it began with."""
        repository = self.place.repository
        runs = {one.run for one in self.signals if one.phase == signal.phase}
        found: list[str] = []
        made = "%H %(trailers:key=Burnish-Run,valueonly,separator=%x20)"
        out = await repository.git(
            "log",
            "--first-parent",
            f"-n{_MOST_COMMITS}",
            f"--format={made}",
            signal.commit,
            at=repository.place,
        )
        for line in out.decode("utf8", "replace").splitlines():
            commit, _, by = line.partition(" ")
            found.append(commit)
            if by.strip() not in runs:
                return found
        return []

    def _kept_as(self, phase: int) -> str:
        prefix, _, name = self.wanted.rpartition("/")
        return f"{prefix}/unapproved/{name}-phase-{phase}" if prefix else f"unapproved/{name}-phase-{phase}"

    async def _find_branch(self) -> str:
        """The branch that runs of these signals are on, whatever number is behind its name."""
        repository = self.place.repository
        runs = {one.run for one in self.signals if one.passed}
        for number in range(1, _MOST_BRANCHES):
            name = self.wanted if number == 1 else f"{self.wanted}-{number}"
            at = await tip(repository, name)
            if not at:
                return ""
            fork = await repository.merge_base(repository.head, at)
            if fork and runs & await runs_on(self.place, fork, at):
                return name
        return ""


def _newest(root: Path, topic: str) -> Path | None:
    """The newest folder of a session about this topic; symlinks are not followed."""
    folder = root / OWN / SESSIONS
    if not folder.is_dir() or folder.is_symlink() or folder.parent.is_symlink():
        return None
    pattern = f"[0-9]*-[0-9]*-{topic}"
    found = [*folder.glob(pattern), *folder.glob(f"{pattern}-[0-9]*")]
    real = [path for path in found if path.is_dir() and not path.is_symlink()]
    return max(real, key=lambda path: path.name, default=None)


def _signals(folder: Path, phases: Iterable[int]) -> tuple[Signal, ...]:
    """In the order of their steps. One that cannot be relied on is named: nothing is guessed in its place."""
    found = find_signals(folder)
    if found.damaged:
        raise UsageError(
            f"{found.damaged[0].rstrip('.')} (in {OWN}/{SESSIONS}/{folder.name}/.signals).",
            hint="move that file away, and the step it stands for is done again",
        )
    known = set(phases)
    for one in found.signals:
        if one.signal.kind and one.signal.phase not in known:
            raise UsageError(
                f"signal {one.name} is about phase {one.signal.phase}, which the spec does not have.",
                hint="was the spec edited? leave --resume out to begin a new session",
            )
    return tuple(one.signal for one in found.signals if one.signal.kind)
