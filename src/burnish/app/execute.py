"""A run at work: the loop, the delivery, the record of its end; and what happens when it is cut short."""

from __future__ import annotations

import asyncio
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from burnish.agents._limited import Places
from burnish.app.leftovers import clear_away
from burnish.app.shared import Shared
from burnish.app.signals import stopped_by_signals
from burnish.app.signing import sign
from burnish.app.wiring import Wiring
from burnish.errors import GateError, UsageError
from burnish.git.evidence import GitTrees
from burnish.git.files import trouble_told, write_atomically
from burnish.model.cooldown import RUN_WAIT_S
from burnish.model.decision import Stop
from burnish.model.exit_codes import ExitCode, exit_code
from burnish.model.history import Ending
from burnish.model.landing import Landing
from burnish.model.mode import Mode
from burnish.model.outcome import Outcome
from burnish.model.reason import Reason
from burnish.model.step import Role, Step
from burnish.policies.budget import SpentBefore, ceiling
from burnish.receipts.make import make_receipt, write
from burnish.receipts.verify import NOT_SIGNED
from burnish.store.database import open_database
from burnish.store.durable import DurableRun
from burnish.store.queries import run_events
from burnish.workflows.review_loop import review_loop

CANCELLED = Stop(Outcome.CANCELLED, Reason.CANCELLED_BY_USER, "somebody ended it")


@dataclass(frozen=True)
class Execution:
    """Calling it again with the same run goes on where the last one stopped."""

    wiring: Wiring
    run: DurableRun
    own_signals: bool = True
    places: Places | None = None

    async def to_the_end(self) -> int:
        """The run's exit code. A signal ends the agent at work, keeps what it wrote, and leaves the rest."""
        if not self.own_signals:
            return await self._work()
        task = asyncio.ensure_future(self._work())
        with stopped_by_signals(task.cancel):
            try:
                return await task
            except asyncio.CancelledError:
                return ExitCode.INTERRUPTED

    async def _work(self) -> int:
        wiring, run = self.wiring, self.run
        async with run:
            await clear_away(wiring.workspaces, run)
            for key, text in (*wiring.spec.notices, *wiring.isolation_notices):
                await run.note(key, text)
            try:
                crew = replace(wiring, report=run.note, shared=self._shared()).crew()
                policy = SpentBefore(wiring.policy(), await run.forgotten())
                ending = await review_loop(wiring.spec.task, crew, policy, run)
            except asyncio.CancelledError:
                await self._cut_short()
                raise
            except GateError as error:
                message = f"{error.message} ({error.hint})" if error.hint else error.message
                await run.end(Stop(Outcome.FAILED, Reason.GATE_UNUSABLE, message), ExitCode.FAILED)
                return ExitCode.FAILED
            landing = await run.do(Step(Role.LAND), wiring.delivery().deliver, ending)
            code = self._code(ending, landing)
            path, seal = await self._receipt(ending)
            await run.finish(
                ending, landing, code, final_verdict=self._final(ending), receipt=path, seal=seal
            )
            return code

    def _shared(self) -> Shared:
        """A review asks somebody else instead of waiting; runs in company wait together."""
        spec = self.wiring.spec
        shared = Shared(self.run.database, self.places, spec.day)
        if not self.own_signals or spec.review is not None:
            return shared
        return replace(shared, alone_s=min(RUN_WAIT_S, ceiling(spec.policies).seconds or RUN_WAIT_S))

    async def _cut_short(self) -> None:
        if await self.run.cancel_requested():
            await self.run.end(CANCELLED, ExitCode.INTERRUPTED)
        else:
            await self.run.interrupt("stopped by a signal")

    async def _receipt(self, ending: Ending) -> tuple[str, str]:
        """Its path and seal. Written before the end is recorded: an ended run has one, whenever we die."""
        wiring = self.wiring
        store = wiring.workspaces.store
        with closing(open_database(wiring.place.database)) as database:
            events = run_events(database, self.run.id)
        receipt = await make_receipt(events, ending, GitTrees(store.git, store.place))
        path = wiring.place.receipt(self.run.id)
        with trouble_told("writing the receipt"):
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, write(receipt).encode())
        if wiring.spec.sign:
            try:
                await sign(path, Path(wiring.spec.sign))
            except UsageError as error:
                await self.run.note(NOT_SIGNED, f"the receipt is not signed: {error.message}")
        return str(path), receipt.seal

    def _code(self, ending: Ending, landing: Landing) -> ExitCode:
        """A task that is only a review did its part when it has a verdict, whichever."""
        spec = self.wiring.spec
        if spec.mode is Mode.REVIEW and ending.stop.reason is Reason.NO_FIXER:
            return ExitCode.OK
        return exit_code(spec.profile, ending.stop.outcome, strict=spec.strict, landed=landing.as_asked)

    def _final(self, ending: Ending) -> str:
        """The profile's own word for this end; the contract's where it has none or another one spoke."""
        review, spec = ending.history.review, self.wiring.spec
        if review is None:
            return ""
        own = spec.contract == self.wiring.profile.contract
        if ending.stop.reason is Reason.NEEDS_DISCUSSION or (ending.passed and not own):
            return review.native
        return self.wiring.profile.final_verdicts.get(ending.stop.outcome, review.native)
