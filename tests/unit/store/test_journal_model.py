"""Any order of steps, crashes, takeovers and late zombies, against a journal small enough to be obvious."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from burnish.errors import RunBusy, UsageError
from burnish.model.change import Change
from burnish.model.events import Noticed, Recorded, RunFinished, StepFailed, StepFinished
from burnish.model.review import Review, Verdict
from burnish.model.run_view import RunState
from burnish.model.step import Role, Step
from burnish.store import queries
from burnish.store.database import open_database
from burnish.store.durable import DurableRun
from burnish.store.journal import Journal
from burnish.store.leases import this_process
from tests.unit.store.journals import NEW, NOBODY, SetClock, ending

STEPS = [Step(Role.REVIEW, cycle, part=part) for cycle in (1, 2) for part in ("", "security")]
steps = st.sampled_from(STEPS)
cuts = st.sampled_from(["step_started", "step_finished"])


class Killed(BaseException):
    """Stands for kill -9: nothing of ours runs after it."""


class JournalMachine(RuleBasedStateMachine):
    """The model: results by step, notes said, how the run stands."""

    @initialize()
    def begin(self) -> None:
        self.runner = asyncio.Runner()
        self.folder = tempfile.TemporaryDirectory()
        self.database = open_database(Path(self.folder.name) / "burnish.db")
        self.heard: list[Recorded] = []
        self.cut_at = ""
        self.counter = 0
        self.results: dict[str, Review] = {}
        self.intents: dict[str, Change] = {}
        self.notes: dict[str, str] = {}
        self.state = RunState.RUNNING
        self.zombies: list[DurableRun] = []
        self.run: DurableRun | None = self.runner.run(self.journal().start(NEW))
        self.id = self.run.id

    def journal(self) -> Journal:
        # Every holder here is a process that is gone as soon as anybody looks, so takeovers are allowed.
        return Journal(self.database, SetClock(), NOBODY, (self.heard.append,), self.point)

    def point(self, name: str) -> None:
        if name == self.cut_at:
            self.cut_at = ""
            raise Killed

    def fresh(self) -> Review:
        self.counter += 1
        return Review(Verdict.FAIL, "FAIL", f"answer {self.counter}", tree="t")

    async def ask(self, run: DurableRun, step: Step) -> Review:
        async def work() -> Review:
            assert step.key not in self.results, "a finished step was done again"
            return self.fresh()

        return await run.do(step, work)

    @precondition(lambda self: self.run is not None)
    @rule(step=steps)
    def do(self, step: Step) -> None:
        assert self.run is not None
        result = self.runner.run(self.ask(self.run, step))
        assert self.results.setdefault(step.key, result) == result

    @precondition(lambda self: self.run is not None)
    @rule(step=steps, where=cuts, when=st.sampled_from(["before", "written", "committed"]))
    def die_while_doing(self, step: Step, where: str, when: str) -> None:
        assert self.run is not None
        self.cut_at = f"{where}:{when}"
        before = self.counter
        try:
            self.runner.run(self.ask(self.run, step))
        except Killed:
            self.zombies.append(self.run)
            self.run = None
            if where == "step_finished" and when == "committed":
                self.results[step.key] = Review(Verdict.FAIL, "FAIL", f"answer {before + 1}", tree="t")
        self.cut_at = ""

    @precondition(lambda self: self.run is not None)
    @rule(step=steps, commit=st.text("abc", min_size=1, max_size=4))
    def intend(self, step: Step, commit: str) -> None:
        assert self.run is not None
        self.intents[step.key] = Change(Role.FIX, commit, "t", "0")
        self.runner.run(self.run.intend(step, self.intents[step.key]))

    @precondition(lambda self: self.run is not None)
    @rule(step=steps)
    def look_up_an_intent(self, step: Step) -> None:
        assert self.run is not None
        assert self.runner.run(self.run.intended(step)) == self.intents.get(step.key)

    @precondition(lambda self: self.run is not None)
    @rule(key=st.sampled_from("ab"), text=st.text(max_size=3))
    def note(self, key: str, text: str) -> None:
        assert self.run is not None
        self.notes.setdefault(key, text)
        self.runner.run(self.run.note(key, text))

    @precondition(lambda self: self.run is not None)
    @rule()
    def interrupt(self) -> None:
        assert self.run is not None
        self.runner.run(self.run.interrupt("asked to"))
        self.zombies.append(self.run)
        self.run, self.state = None, RunState.INTERRUPTED

    @rule()
    def resume(self) -> None:
        if self.state is RunState.FINISHED:
            with pytest.raises(UsageError, match="already ended"):
                self.runner.run(self.journal().resume(self.id))
            return
        if self.run is not None:
            self.zombies.append(self.run)
        self.run, self.state = self.runner.run(self.journal().resume(self.id)), RunState.RUNNING

    @precondition(lambda self: self.zombies and self.state is not RunState.FINISHED)
    @rule(step=steps, data=st.data())
    def a_zombie_wakes_up(self, step: Step, data: st.DataObject) -> None:
        """It may read what is remembered, and change nothing, except while nobody has taken over from it."""
        zombie = data.draw(st.sampled_from(self.zombies))
        if self.run is None and zombie is self.zombies[-1] and self.state is RunState.RUNNING:
            return
        if step.key in self.results:
            assert self.runner.run(self.ask(zombie, step)) == self.results[step.key]
        else:
            with pytest.raises(RunBusy):
                self.runner.run(self.ask(zombie, step))
        with pytest.raises(RunBusy):
            self.runner.run(zombie.note("from the dead", "boo"))
        with pytest.raises(RunBusy):
            self.runner.run(zombie.finish(ending(), None, 1))

    @precondition(lambda self: self.run is not None)
    @rule(code=st.integers(0, 5))
    def finish(self, code: int) -> None:
        assert self.run is not None
        first = self.runner.run(self.run.finish(ending(), None, code))
        assert self.runner.run(self.run.finish(ending(), None, code + 1)) == first
        self.run, self.state = None, RunState.FINISHED

    @invariant()
    def the_journal_is_what_the_model_says(self) -> None:
        recorded = queries.run_events(self.database, self.id)
        assert [entry.seq for entry in recorded] == list(range(1, len(recorded) + 1))
        ended = [
            entry.event.step.key for entry in recorded if isinstance(entry.event, StepFinished | StepFailed)
        ]
        assert sorted(ended) == sorted(self.results)
        notes = {entry.event.key: entry.event.text for entry in recorded if isinstance(entry.event, Noticed)}
        assert notes == self.notes
        finishes = sum(isinstance(entry.event, RunFinished) for entry in recorded)
        assert finishes == (self.state is RunState.FINISHED)
        seqs = [entry.seq for entry in self.heard]
        assert seqs == sorted(set(seqs)), "an event was told twice or out of order"
        view = queries.find_run(self.database, self.id, this_process())
        assert view.cycles == max((int(key.split("/")[2]) for key in self.results), default=0) or finishes
        assert (view.state is RunState.FINISHED) == bool(finishes)

    def teardown(self) -> None:
        self.database.close()
        self.runner.close()
        self.folder.cleanup()


TestJournalMachine = JournalMachine.TestCase
TestJournalMachine.settings = settings(
    max_examples=12, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)
