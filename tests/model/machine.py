"""The state machine: run, kill, resume, cancel, edit and land in any order, compared with the model after each."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from tests.integration.process.leftovers import gone
from tests.model import checks
from tests.model.child import Order
from tests.model.hands import DISTURBANCES, EDITS, Answer, Errand, shown
from tests.model.plans import Ailment, Crew, Place, Plan, Touch, foresee
from tests.model.world import ModelRun, Standing, look, tree_of
from tests.repos import TestRepo, make_repo

FILES = {"app.py": "start\n", "lib.py": "lib\n"}
REFUSAL_S = 20.0

plans = st.builds(
    Plan,
    # Weighted towards passes, and towards the landing that can do most harm.
    land=st.sampled_from(["branch", "apply", "apply", "none"]),
    approves=st.sampled_from([1, 1, 2, 3]),
    green=st.sampled_from([1, 1, 1, 2, 3]),
    touch=st.sampled_from(Touch),
    ailment=st.sampled_from([Ailment.NONE] * 8 + list(Ailment)),
    ill=st.sampled_from(Place),
)
# Moments at which half of something is done; killed there, a run must neither lose it nor do it twice.
MOMENTS = (
    ("intent:committed",),
    ("workspaces.advance:after",),
    ("lander.branch:after",),
    ("lander.apply:after",),
    ("lander.branch:after", "step_finished:committed"),
    ("lander.apply:after", "step_finished:committed"),
    ("run_finished:written",),
)
Deadly = int | tuple[str, ...]
deadly = st.one_of(st.just(0), st.integers(1, 150), st.sampled_from(MOMENTS))
picks = st.integers(0, 5)


class BurnishMachine(RuleBasedStateMachine):
    """One user, one repository, any number of runs."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="burnish-model-"))
        self.repo: TestRepo = make_repo(self.folder / "repo", FILES)
        self.state = self.folder / "state"
        self.runs: list[ModelRun] = []
        self.errands: dict[str, Errand] = {}
        self.sight = look(self.repo)

    @rule(plan=plans, deadly=deadly)
    def run(self, plan: Plan, deadly: Deadly) -> None:
        """A run from its beginning, to its end or until it is killed."""
        run = self._begin(plan)
        self._settle(run, self._send("run", run, deadly).end())

    @rule(plan=plans, hold=st.sampled_from(Place))
    def begin(self, plan: Plan, hold: Place) -> None:
        """A run in the background: one of its agents is at work until somebody does something about it."""
        self._hold(self._begin(plan), "run", hold)

    @precondition(lambda self: self._live())
    @rule(pick=picks, meanwhile=st.sampled_from(["", "", *sorted(EDITS)]))
    def let_it_end(self, pick: int, meanwhile: str) -> None:
        """The agent at work finishes, perhaps after the user did something else."""
        if meanwhile:
            self.edit(meanwhile)
        run = self._pick(self._live(), pick)
        run.crew.hold.unlink()
        self._settle(run, self.errands.pop(run.crew.tag).end())

    @precondition(lambda self: self._live())
    @rule(pick=picks, how=st.sampled_from([signal.SIGKILL, signal.SIGTERM]))
    def cut_short(self, pick: int, how: signal.Signals) -> None:
        """kill -9 while an agent works, or the signal of a terminal that is closed."""
        run = self._pick(self._live(), pick)
        errand = self.errands.pop(run.crew.tag)
        os.kill(errand.process.pid or 0, how)
        answer = errand.end()
        assert answer.code == (-signal.SIGKILL if how is signal.SIGKILL else 130), answer
        run.standing = Standing.INTERRUPTED
        # The agent must die where it waits: let go, it would put its draft away first.
        assert gone(str(run.crew.script)) == {}, "an agent outlived its run"
        # A signal lets Burnish say goodbye; after a kill the next one who holds the run finds the draft.
        run.drafted = run.crew.hold.read_text() != Place.REVIEW
        run.crew.hold.unlink()
        if how is signal.SIGTERM and run.drafted:
            checks.draft_is_kept(run, shown(self.repo, self.state), self.state)

    @precondition(lambda self: self.runs)
    @rule(pick=picks, deadly=deadly, hold=st.sampled_from([None, None, *Place]))
    def resume(self, pick: int, deadly: Deadly, hold: Place | None) -> None:
        """Goes on with an interrupted run; refused for one that has ended or is somebody else's."""
        run = self._pick(self.runs, pick)
        if run.standing is Standing.ABSENT:
            self._again(run, deadly)
        elif run.standing is not Standing.INTERRUPTED:
            self._refused("resume", run)
        elif hold is not None:
            self._hold(run, "resume", hold)
        else:
            self._settle(run, self._send("resume", run, deadly).end())
            if run.drafted and run.standing is Standing.FINISHED:
                checks.draft_is_kept(run, shown(self.repo, self.state), self.state)

    @precondition(lambda self: self.runs)
    @rule(pick=picks)
    def cancel(self, pick: int) -> None:
        """Ends a run that has not ended, and lands nothing; refused with a sentence for one that has."""
        run = self._pick(self.runs, pick)
        if run.standing is Standing.FINISHED:
            self._refused("cancel", run)
        elif run.standing is not Standing.ABSENT:
            answer = self._send("cancel", run).end()
            assert (answer.code, "cancelled" in answer.said) == (0, True), answer
            if run.standing is Standing.LIVE:
                ended = self.errands.pop(run.crew.tag).end()
                assert ended.code == 130, ended
                run.crew.hold.unlink()
            run.standing = Standing.FINISHED
            if run.drafted:
                checks.draft_is_kept(run, shown(self.repo, self.state), self.state)
            run.outcome, run.reason = "cancelled", "cancelled_by_user"

    @rule(what=st.sampled_from(sorted(EDITS)))
    def edit(self, what: str) -> None:
        """The user works with files and git."""
        EDITS[what](self.repo)
        self.sight = look(self.repo)

    @precondition(lambda self: self.runs)
    @rule(pick=picks, what=st.sampled_from(sorted(DISTURBANCES)))
    def disturb(self, pick: int, what: str) -> None:
        """The user does something with the branch that a run landed, or is about to land."""
        run = self._pick(self.runs, pick)
        if run.standing is Standing.ABSENT:
            return
        unapproved = "" if run.prophecy.outcome == "passed" else "unapproved/"
        branch = run.branch or f"burnish/{unapproved}{run.id}"
        if "work on" not in what or branch in self.sight.branches:
            DISTURBANCES[what](self.repo, branch)
        self.sight = look(self.repo)

    @invariant()
    def everything_is_as_the_model_says(self) -> None:
        assert look(self.repo) == self.sight, "something of the user's is not as it was"
        checks.runs_are_as_known(self.runs, self.sight, self.repo, shown(self.repo, self.state))
        self.held()

    def held(self) -> None:
        """For whoever counts: nothing was tried yet, or everything held after the last rule."""

    def teardown(self) -> None:
        for errand in self.errands.values():
            errand.process.kill()
            errand.process.join()
        left = gone(str(self.folder))
        whole = self.repo.git("fsck", "--full", "--no-dangling", "--no-progress")
        # What was killed a moment ago may still be letting go of its folder.
        shutil.rmtree(self.folder, ignore_errors=True)
        assert (left, whole) == ({}, ""), "processes were left behind, or objects are missing"

    def _live(self) -> list[ModelRun]:
        return [run for run in self.runs if run.standing is Standing.LIVE]

    def _pick(self, among: list[ModelRun], pick: int) -> ModelRun:
        """Counted from the newest, which is where most is going on."""
        return among[-1 - pick % len(among)]

    def _begin(self, plan: Plan) -> ModelRun:
        tag = f"t{len(self.runs)}"
        base, head = tree_of(self.repo, "HEAD"), self.repo.head
        start = self.sight.files if plan.land == "apply" else base
        crew = Crew(self.folder / "agents", plan, tag)
        run = ModelRun(crew, foresee(plan, tag, start, {}), base, start, head)
        self.runs.append(run)
        return run

    def _again(self, run: ModelRun, deadly: Deadly) -> None:
        """Nothing was recorded of it, so there is nothing to resume: the user asks for the same once more."""
        self.runs.remove(run)
        self.run(run.plan, deadly)

    def _send(self, verb: str, run: ModelRun, deadly: Deadly = 0) -> Errand:
        order = Order(verb, str(self.repo.path), str(self.state), run.id, deadly, run.crew.flags())
        return Errand(order)

    def _hold(self, run: ModelRun, verb: str, place: Place) -> None:
        hangs = run.plan.ailment is Ailment.HANGS
        run.crew.flags()
        run.crew.at_work.unlink(missing_ok=True)
        if not hangs:
            run.crew.hold.write_text(place)
        errand = self._send(verb, run)
        if not errand.until(run.crew.at_work):
            run.crew.hold.unlink(missing_ok=True)
            self._settle(run, errand.end())
            return
        self.errands[run.crew.tag] = errand
        run.id = run.id or checks.new_id(self.runs, shown(self.repo, self.state))
        run.standing = Standing.LIVE

    def _refused(self, verb: str, run: ModelRun) -> None:
        answer = self._send(verb, run).end(REFUSAL_S)
        expected = "has already ended" if run.standing is Standing.FINISHED else "is held by process"
        assert answer.code in (1, 2), f"{verb} was not refused: {answer}"
        assert expected in answer.said, answer

    def _settle(self, run: ModelRun, answer: Answer) -> None:
        """What a process left of a run when it was over, killed or not."""
        found = shown(self.repo, self.state)
        run.id = run.id or checks.new_id(self.runs, found)
        killed = answer.code == -signal.SIGKILL
        if not run.id:
            assert killed, f"no run was recorded: {answer}"
            return
        run.prophecy = foresee(
            run.plan, run.crew.tag, run.start, checks.calls_on_record(run, found, self.state)
        )
        assert killed or answer == Answer(run.prophecy.exit_code, ""), (answer, run.prophecy)
        finished = found.views[run.id].state == "finished"
        assert killed or finished, "the process ended before its run had"
        run.standing = Standing.FINISHED if finished else Standing.INTERRUPTED
        if finished:
            run.outcome, run.reason = run.prophecy.outcome, run.prophecy.reason
        now = look(self.repo)
        checks.delivered(run, self.repo, self.sight, now, found)
        self.sight = now
