"""What agents were not allowed, and why they gave no answer, is told to people."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnish.errors import AgentFailed, AgentLimited
from burnish.model.agent import Reply, Request
from burnish.model.agent_events import AgentTrouble
from burnish.model.change import FailureKind
from burnish.model.step import Role
from burnish.workflows.writing import failure
from tests.loops import Drive, edits, passing, profile_named

TASK = profile_named("task")


def told(drive: Drive) -> list[str]:
    return [note.text for note in drive.notes()]


def test_a_step_whose_agent_was_not_allowed_something_has_a_note(tmp_path: Path) -> None:
    def implement(request: Request) -> Reply:
        return Reply(str(edits()(request)), denied=("Bash curl x", "Write /etc/x", "Edit a", "Edit b"))

    def review(request: Request) -> Reply:
        return Reply(passing(TASK), denied=("Edit \x1b[31mapp.py",))

    drive = Drive(tmp_path, TASK, review, implement=implement)
    drive.run()
    assert "implement was not allowed: Bash curl x, Write /etc/x, Edit a, and 1 more" in told(drive)
    assert not [note for note in told(drive) if "\x1b" in note]
    assert [note for note in told(drive) if note.startswith("review was not allowed: Edit ")]


def test_an_agent_that_was_allowed_everything_has_none(tmp_path: Path) -> None:
    drive = Drive(tmp_path, TASK, lambda request: passing(TASK))
    drive.run()
    assert not [note for note in told(drive) if "not allowed" in note]


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (AgentFailed("codex is not logged in", hint="run: codex login"), FailureKind.EXIT),
        (AgentLimited("codex is limited", hint="run: codex login"), FailureKind.LIMITED),
    ],
)
def test_a_failure_that_is_known_says_what_to_do(error: AgentFailed, kind: FailureKind) -> None:
    error.trouble = AgentTrouble.NOT_LOGGED_IN
    found = failure(Role.FIX, error)
    assert (found.kind, found.trouble) == (kind, "not_logged_in")
    assert found.message.endswith("(run: codex login)")


def test_a_change_records_which_program_and_model_made_it(tmp_path: Path) -> None:
    def implement(request: Request) -> Reply:
        return Reply(str(edits()(request)), version="2.1.325", model="opus")

    drive = Drive(tmp_path, TASK, lambda request: passing(TASK), implement=implement)
    change = drive.run().history.changes[0]
    assert (change.agent_version, change.model) == ("2.1.325", "opus")
