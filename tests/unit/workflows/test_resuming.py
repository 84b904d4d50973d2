"""Fixers that go on with the session of the step before them, where that is set; reviewers never do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from burnish import registry
from burnish.errors import AgentTimedOut
from burnish.git.memory import MemoryWorkspaces
from burnish.model.agent import Reply, Request
from burnish.model.agent_session import FixerSession
from burnish.model.change import Change
from burnish.model.history import History
from burnish.model.step import Role, Step
from burnish.store.desks import FolderDesks
from burnish.workflows.resuming import Wish, wish_of
from tests.loops import Answer, Drive, cycle_of, edits, failing, passing, profile_named, says

TASK = profile_named("task")
THREE = says(failing(TASK), failing(TASK), passing(TASK))


def remembers(*, resumes: bool = True) -> Answer:
    """A writer whose session is kept, and which goes on with one where it is asked to."""

    def write(request: Request) -> Reply:
        said, use = str(edits()(request)), request.sessions
        resumed = resumes and use is not None and use.goes_on is not None
        return Reply(said, session="s-1", kept=use is not None, resumed=resumed, fresh_why="it was lost")

    return write


def drive(folder: Path, session: FixerSession, fix: Answer | None = None) -> Drive:
    made = Drive(folder, TASK, THREE, implement=remembers(), fix=fix or remembers())
    made.fixer_session = session
    return made


def notes(drive: Drive) -> list[str]:
    return [note.text for note in drive.notes() if "session" in note.text]


def changes(drive: Drive) -> list[Change]:
    return list(drive.run().history.changes)


def test_every_session_is_fresh_and_gone_unless_it_is_set_otherwise(tmp_path: Path) -> None:
    fresh = drive(tmp_path, FixerSession.FRESH)
    found = changes(fresh)
    assert [change.resumed or bool(change.session) for change in found] == [False] * 3
    assert {request.sessions for role in Role for request in asked(fresh, role)} == {None}
    assert not notes(fresh)


def asked(drive: Drive, role: Role) -> list[Request]:
    return drive.asked(role) if role in drive.agents else []


def test_each_fixer_goes_on_with_the_session_of_the_writing_step_before_it(tmp_path: Path) -> None:
    going_on = drive(tmp_path, FixerSession.RESUME)
    found, desks = changes(going_on), FolderDesks(tmp_path)
    assert [change.session for change in found] == ["implement//0//1", "fix//1//1", "fix//2//1"]
    assert [change.resumed for change in found] == [False, True, True]
    [implementer], fixers = going_on.asked(Role.IMPLEMENT), going_on.asked(Role.FIX)
    assert implementer.sessions is not None
    assert implementer.sessions.goes_on is None
    uses = [fixer.sessions for fixer in fixers]
    assert [use.goes_on for use in uses if use] == [desks.session(change.session) for change in found[:2]]
    assert [use.keep for use in uses if use] == [desks.session(change.session) for change in found[1:]]
    assert not notes(going_on)


@pytest.mark.conformance("G-77")
@pytest.mark.parametrize("name", registry.names("profiles"))
def test_no_setting_makes_a_reviewer_anything_but_fresh(tmp_path: Path, name: str) -> None:
    profile = profile_named(name)
    loop = Drive(tmp_path, profile, says(failing(profile), passing(profile)), remembers(), remembers())
    loop.fixer_session = FixerSession.RESUME
    loop.run()
    reviews = loop.asked(Role.REVIEW)
    assert len(reviews) > 1
    assert [request.sessions for request in reviews] == [None] * len(reviews)
    assert any(request.sessions and request.sessions.goes_on for request in loop.asked(Role.FIX))


def test_a_session_that_could_not_be_gone_on_with_is_told_with_its_reason(tmp_path: Path) -> None:
    forgets = drive(tmp_path, FixerSession.RESUME, remembers(resumes=False))
    assert [change.resumed for change in changes(forgets)] == [False] * 3
    assert notes(forgets) == [f"fix {cycle} began a fresh session: it was lost" for cycle in (1, 2)]


def test_an_agent_that_keeps_no_session_is_told_as_such(tmp_path: Path) -> None:
    plain = drive(tmp_path, FixerSession.RESUME, edits())
    changes(plain)
    assert notes(plain) == [
        "fix 1 began a fresh session: the agent asked did not take it up",
        "fix 2 began a fresh session: the step before kept no session",
    ]


def test_a_fixer_that_failed_is_asked_again_in_a_fresh_session(tmp_path: Path) -> None:
    tried: list[int] = []

    def fix(request: Request) -> str | Reply:
        tried.append(cycle_of(request))
        if len(tried) == 1:
            raise AgentTimedOut("it took too long")
        return remembers()(request)

    profile = profile_named("spec")
    made = Drive(tmp_path, profile, says(failing(profile), passing(profile)), implement=remembers(), fix=fix)
    made.fixer_session = FixerSession.RESUME
    made.run()
    uses = [request.sessions for request in made.asked(Role.FIX)]
    assert [bool(use and use.goes_on) for use in uses] == [True, False]
    assert notes(made) == ["fix 1 began a fresh session: it is asked again"]


def test_a_fixer_of_what_no_agent_made_has_nothing_to_go_on_with(tmp_path: Path) -> None:
    task = MemoryWorkspaces({"app.py": "start\n"}).task("Add a check")
    given = Change(Role.IMPLEMENT, task.start, "tree", task.start_tree)
    history, step = History(task).add(given), Step(Role.FIX, 1)
    assert wish_of(history, step) == Wish()
    history = history.add(replace(given, agent="claude", session="fix//1//1"))
    assert wish_of(history, replace(step, cycle=2)) == Wish(after="fix//1//1")
