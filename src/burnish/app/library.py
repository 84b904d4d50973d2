"""For Python programs: a crew from any agents, without the command line, configuration or a database."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from pathlib import Path

from burnish.model.profile import Profile
from burnish.ports import Agent, Gate, Workspaces
from burnish.prompts.book import PromptBook
from burnish.registry import load
from burnish.store.desks import FolderDesks
from burnish.workflows.crew import Crew
from burnish.workflows.reviewing import Reviewer
from burnish.workflows.writing import Writer

REVIEW_S = 600.0


def make_crew(
    workspaces: Workspaces,
    implementer: Agent | None,
    reviewer: Agent,
    fixer: Agent | None = None,
    profile: str = "task",
    gate: Gate | None = None,
) -> Crew:
    """A crew with a profile's own contract; the fixer is the implementer unless another is given."""
    chosen: Profile = load("profiles", profile)()
    folder = Path(tempfile.mkdtemp(prefix="burnish-desks-"))
    desks = FolderDesks(folder)
    # The folder lives as long as the crew that uses it.
    weakref.finalize(desks, shutil.rmtree, folder, ignore_errors=True)
    prompts = PromptBook(instead=chosen.prompts)
    contract = load("contracts", chosen.contract)()
    return Crew(
        profile=chosen,
        writer=Writer(workspaces, desks),
        prompts=prompts,
        implementer=implementer,
        reviewer=Reviewer(reviewer, contract, workspaces, desks, prompts, REVIEW_S),
        fixer=fixer or implementer,
        checks=gate,
    )
