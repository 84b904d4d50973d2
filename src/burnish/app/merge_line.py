"""The merge line: one change at a time goes onto a branch, as exactly the tree that passed the gate."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from burnish.app.place import Place
from burnish.app.spec import RunSpec
from burnish.app.start import workspaces_of
from burnish.app.wiring import Wiring, as_it_is
from burnish.errors import GateError, WorkspaceError
from burnish.git.advancing import Advancing, check_whole
from burnish.git.both_sides import both_sides
from burnish.git.forwarding import Point
from burnish.git.joining import Contested, Joined, join_as_one
from burnish.git.landed import TRAILER, runs_between
from burnish.git.locks import Lock
from burnish.git.merge_trees import have
from burnish.git.move_note import Move, MoveNote
from burnish.git.moving import refuse_another_name
from burnish.git.moving import tip as tip_of
from burnish.git.workspaces import Workspaces
from burnish.model.gate import GateResult
from burnish.ports import Gate
from burnish.prompts.book import PromptBook
from burnish.sanitise import clean_line

MOST_TRIES = 10
# Others may each run a long gate before it is our turn.
LOCK_WAIT_S = 24 * 3600.0
SIDES_CAP = 20_000
OUTPUT_CAP = 10_000
_SHOWN = 5


class Merge(StrEnum):
    """What became of a change that passed by itself."""

    LANDED = "landed"
    CONTESTED = "contested"  # both changed the same lines
    RED = "red"  # the gate is red on both together, and green on the target
    GONE = "gone"  # there is no such branch any more


class Commits(StrEnum):
    """What a change of several commits becomes: only the tree of the last one is known to be green."""

    ONE = "one"
    ALL = "all"


@dataclass(frozen=True)
class Candidate:
    """The commits base..commit of a run are the change.

    `retitled`: a single commit gets the title too, since nobody knew it when that was made.
    """

    run: str
    base: str
    commit: str
    title: str
    retitled: bool = False


@dataclass(frozen=True)
class Merged:
    """`commit` and `tree` are the target's, with the change when it landed, else without.

    `paths` are contested; `sides` is what each side did, for an agent or a person; `output` is the gate's.
    `tried` is the commit that was red: the change on top of the target, in the run's own store.
    """

    fate: Merge
    commit: str
    tree: str
    paths: tuple[str, ...] = ()
    message: str = ""
    sides: str = ""
    output: str = ""
    tried: str = ""


@dataclass
class MergeLine:
    """One candidate at a time in a repository, whichever process brings it. `spec` names the gate.

    What is about the user's branch and checkout, not about the change, is a WorkspaceError, and nothing was
    changed: their files are in the way, it is checked out elsewhere, it is red by itself, it never rests.
    """

    place: Place
    spec: RunSpec
    decorate: Callable[[str, Any], Any] = as_it_is
    commits: Commits = Commits.ONE
    reached: Callable[[Point], None] | None = None
    # In one process they wait here, and not by looking again and again.
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock, init=False, repr=False)

    async def land(self, target: str, candidate: Candidate) -> Merged:
        """The change on the target, or why not. Done again after a crash, it finds what was done."""
        check_whole(self.place.repository)
        async with self._turn, Lock(self._folder / "lock", wait_s=LOCK_WAIT_S):
            await self._finish_other(candidate.run)
            async with await workspaces_of(self.place, candidate.run, candidate.base) as workspaces:
                return await _Landing(self, workspaces, target, candidate).land()

    async def _finish_other(self, run: str) -> None:
        """A killed move for another run may have left locks and half-written files, so it is made first."""
        move = self.note.read()
        if move is None or move.run == run:
            return
        repository = self.place.repository
        if await tip_of(repository, move.target) == move.old:
            async with await workspaces_of(self.place, move.run, move.old) as workspaces:
                await Advancing(repository, workspaces.store).advance(move.target, move.new, move.old)
        self.note.forget()

    @property
    def note(self) -> MoveNote:
        return MoveNote(self._folder / "moving")

    @property
    def _folder(self) -> Path:
        return self.place.state / "merge-line"


@dataclass(frozen=True)
class _Landing:
    line: MergeLine
    workspaces: Workspaces
    target: str
    candidate: Candidate

    async def land(self) -> Merged:
        for _ in range(MOST_TRIES):
            repository = self.line.place.repository
            tip = await tip_of(repository, self.target)
            if not tip:
                return self._gone()
            await refuse_another_name(repository, self.target)
            if found := await self._onto(tip):
                return found
        raise WorkspaceError(
            f"{self.target} was moved {MOST_TRIES} times while {self._named} was tested on top of it, "
            "so it was not landed.",
            hint="go on with --resume when fewer commits arrive there",
        )

    @property
    def _named(self) -> str:
        return f"the change of {self.candidate.run}"

    async def _onto(self, tip: str) -> Merged | None:
        """None when somebody moved the target meanwhile: then all of it is to be tested again."""
        store, candidate = self.workspaces.store, self.candidate
        await have(store, tip)
        there = await store.tree(tip)
        if candidate.run in await runs_between(store.git, store.place, candidate.base, tip):
            return Merged(Merge.LANDED, tip, there)
        joined = await self._joined(tip)
        if isinstance(joined, Contested):
            return await self._contested(tip, joined)
        if joined.commit == tip:
            return Merged(Merge.LANDED, tip, there)
        if refused := await self._tested(joined, tip):
            return refused
        found = await self._moved(joined.commit, tip)
        return Merged(Merge.LANDED, joined.commit, joined.tree) if found == joined.commit else None

    async def _moved(self, new: str, old: str) -> str:
        line, store = self.line, self.workspaces.store
        advancing: Advancing = line.decorate(
            "advancing", Advancing(line.place.repository, store, line.reached)
        )
        line.note.write(Move(self.candidate.run, self.target, new, old))
        try:
            return await advancing.advance(self.target, new, old)
        finally:
            if not advancing.begun:
                line.note.forget()

    async def _joined(self, tip: str) -> Joined | Contested:
        base, commit = self.candidate.base, self.candidate.commit
        if self.line.commits is Commits.ALL:
            return await self.workspaces.join(tip, base, commit)
        fewest = 1 if self.candidate.retitled else 2
        return await join_as_one(self.workspaces.store, tip, base, commit, self._message, fewest)

    def _message(self, subjects: list[str]) -> str:
        title = clean_line(self.candidate.title) or "No title"
        listed = [*(f"- {clean_line(subject)}" for subject in subjects), ""] if len(subjects) > 1 else []
        return "\n".join((title, "", *listed, f"{TRAILER}: {self.candidate.run}", ""))

    async def _tested(self, joined: Joined, tip: str) -> Merged | None:
        """Why the target must not become this tree; None when it may."""
        line, workspaces = self.line, self.workspaces
        gate = Wiring(line.place, line.spec, self.candidate.run, workspaces).checks()
        if gate is None:
            return None
        there = await workspaces.tree(tip)
        red = await _red(gate, joined.tree, there)
        if red is None:
            return None
        if not (await gate.check(there, there)).green:
            raise WorkspaceError(
                f"the gate {red.command!r} is red on {self.target} already, and {self._named} does not "
                "repair it, so it was not landed.",
                hint=f"make {self.target} green, then go on with --resume",
            )
        together = f"{self.target} and {self._named} together"
        return Merged(
            Merge.RED,
            tip,
            there,
            message=f"the gate {red.command!r} is red on {together} ({_how(red)})",
            sides=await self._sides(tip),
            output=red.output[-OUTPUT_CAP:],
            tried=joined.commit,
        )

    async def _contested(self, tip: str, contested: Contested) -> Merged:
        names = ", ".join(contested.paths[:_SHOWN])
        more = f" and {len(contested.paths) - _SHOWN} more" if len(contested.paths) > _SHOWN else ""
        return Merged(
            Merge.CONTESTED,
            tip,
            await self.workspaces.tree(tip),
            paths=contested.paths,
            message=f"{self.target} and {self._named} both changed the same lines of {names}{more}",
            sides=await self._sides(tip, contested.paths),
        )

    async def _sides(self, tip: str, paths: tuple[str, ...] = ()) -> str:
        candidate = self.candidate
        return await both_sides(
            self.workspaces.store, candidate.base, (tip, candidate.commit), paths, cap=SIDES_CAP
        )

    def _gone(self) -> Merged:
        base = self.candidate.base
        return Merged(
            Merge.GONE,
            "",
            "",
            message=f"there is no branch {self.target} any more, so {self._named} was not landed; "
            f"`git branch {self.target} {base[:12]}` makes it again where the change began",
        )


async def _red(gate: Gate, tree: str, there: str) -> GateResult | None:
    """What was red: the tree before the target's own judges, or else exactly as it is."""
    result = await gate.check(tree, there)
    if not result.green:
        return result
    if not result.restored:
        return None
    try:
        exactly = await gate.check(tree, tree)
    except GateError as error:
        return GateResult(tree, gate.command, 1, output=f"{error.message}\n{error.hint}", fault=error.message)
    return None if exactly.green else exactly


def _how(result: GateResult) -> str:
    return "ran too long" if result.exit is None else result.fault or f"exit {result.exit}"


def conflict_prompt(title: str, merged: Merged, book: PromptBook | None = None) -> str:
    """What an agent is told that must bring a change onto the target as it is now."""
    return (book or PromptBook()).render("conflict", title=title, merged=merged)
