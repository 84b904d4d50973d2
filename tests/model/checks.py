"""What must hold after every rule, whatever was done."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from burnish.model.events import Noticed, Recorded, RunFinished, StepFailed, StepFinished
from burnish.model.review import Verdict
from burnish.model.run_view import RunView
from burnish.model.step import Role
from burnish.render.runs import table
from tests.model.hands import Shown
from tests.model.plans import draft_of, target
from tests.model.world import HEADS, ModelRun, Sight, Standing, Way, tree_of
from tests.repos import TestRepo, run_git


def new_id(runs: list[ModelRun], found: Shown) -> str:
    """The one run that is recorded and that the model does not know; nothing where there is none."""
    unknown = sorted(found.views.keys() - {run.id for run in runs})
    assert len(unknown) <= 1, f"one order made several runs: {unknown}"
    return unknown[0] if unknown else ""


def runs_are_as_known(runs: list[ModelRun], sight: Sight, repo: TestRepo, found: Shown) -> None:
    known = {run.id: run for run in runs if run.standing is not Standing.ABSENT}
    assert found.views.keys() == known.keys(), "not the runs that there should be"
    for name, run in known.items():
        view, events = found.views[name], found.events[name]
        state = {Standing.LIVE: "running"}.get(run.standing, str(run.standing))
        assert (view.state, view.outcome, view.reason) == (state, run.outcome, run.reason)
        if run.standing is Standing.FINISHED:
            assert view.branch == run.branch
            assert bool(view.receipt and Path(view.receipt).is_file()) == (run.outcome != "cancelled")
        stale = run.stale(sight, repo)
        assert bool(view.stale) == stale, f"stale should be {stale}: {view.stale!r}"
        assert ("stale" in table([view])) == stale
        history_is_kept(run, events)
        if view.outcome == "passed":
            passed_rightly(run, view, events)


def history_is_kept(run: ModelRun, events: tuple[Recorded, ...]) -> None:
    """What was recorded stays as it is, no step is finished twice, and a run ends once."""
    assert events[: len(run.events)] == run.events, "what was recorded is another thing now"
    if run.standing is Standing.FINISHED and run.events and isinstance(run.events[-1].event, RunFinished):
        assert events == run.events, "something was recorded after the end"
    run.events = events
    steps = Counter(
        entry.event.step.key for entry in events if isinstance(entry.event, StepFinished | StepFailed)
    )
    assert [key for key, times in steps.items() if times > 1] == [], "a step was finished twice"
    ends = sum(isinstance(entry.event, RunFinished) for entry in events)
    assert ends == (run.standing is Standing.FINISHED)


def calls_on_record(run: ModelRun, found: Shown, state: Path) -> dict[str, int]:
    """An agent may be called again after a kill, and says how often; the recorded answer is the one that counts."""
    calls = {}
    [store] = state.glob(f"repos/*/runs/{run.id}/run.git")
    for entry in found.events[run.id]:
        event = entry.event
        if isinstance(event, StepFinished) and event.step.role in (Role.IMPLEMENT, Role.FIX):
            blob = f"{event.result['commit']}:{target(run.plan, run.crew.tag)}"
            text = run_git(store, f"--git-dir={store}", "cat-file", "blob", blob, check=False).decode()
            if f" {event.step.role} " in (last := text.splitlines()[-1:] or [""])[0]:
                calls[f"{event.step.role} {max(event.step.cycle, 1)}"] = int(last[0].split()[-1])
    return calls


def passed_rightly(run: ModelRun, view: RunView, events: tuple[Recorded, ...]) -> None:
    """An approved review of the very tree that is delivered, and a green gate on it."""
    ended = [entry.event for entry in events if isinstance(entry.event, StepFinished)]
    last = {role: [event.result for event in ended if event.step.role is role] for role in Role}
    tree = [*last[Role.IMPLEMENT], *last[Role.FIX]][-1]["tree"]
    review, gate = last[Role.REVIEW][-1], last[Role.GATE][-1]
    assert (review["verdict"], review["tree"]) == (Verdict.PASS, tree)
    assert (gate["exit"], gate["tree"]) == (0, tree)
    assert view.cycles == len(last[Role.REVIEW]) == run.prophecy.reviews


def delivered(run: ModelRun, repo: TestRepo, before: Sight, now: Sight, found: Shown) -> None:
    """A result is landed as the model says, once, and at the latest when its landing is on record."""
    recorded = any(
        isinstance(entry.event, StepFinished) and entry.event.step.role is Role.LAND
        for entry in found.events[run.id]
    )
    must = recorded or run.standing is Standing.FINISHED
    if run.delivered:
        assert now == before, "landed a second time"
        return
    delivery = run.delivery(before)
    if delivery.way is Way.BRANCH and (must or now != before):
        run.commit = _check_branch(run, repo, now, delivery.branch)
    if must or now != before:
        assert now == run.landed(before, delivery), "landing changed something else, or not what it should"
    run.delivered = must
    run.branch = delivery.branch if must and delivery.way is Way.BRANCH else None


def _check_branch(run: ModelRun, repo: TestRepo, now: Sight, branch: str) -> str:
    tip = now.refs.get(HEADS + branch, "")
    assert tip, f"no branch {branch} was landed; there are {sorted(now.branches)}"
    assert run.commit in ("", tip), "the same result was committed twice"
    assert tree_of(repo, tip) == run.prophecy.tree
    made = f"{run.base_commit}..{tip}"
    steps = repo.git("log", "--format=%(trailers:key=Step-Id,valueonly,separator=%x2C)", made).splitlines()
    steps = [step for step in steps if step]
    assert len(steps) == len(set(steps)) == run.prophecy.writes
    assert int(repo.git("rev-list", "--count", made)) == run.commits
    return tip


def draft_is_kept(run: ModelRun, found: Shown, state: Path) -> None:
    """What a writer had written when it was cut short is under a ref that its run names."""
    notes = [entry.event.text for entry in found.events[run.id] if isinstance(entry.event, Noticed)]
    refs = [text.split("is kept under ")[1].split()[0] for text in notes if "is kept under " in text]
    [store] = state.glob(f"repos/*/runs/{run.id}/run.git")
    path, data = draft_of(run.crew.tag)
    found_there = [
        run_git(store, f"--git-dir={store}", "cat-file", "blob", f"{ref}:{path}", check=False) for ref in refs
    ]
    assert data in found_there, f"the draft of {run.id} is under none of {refs}"
