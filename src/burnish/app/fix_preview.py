"""What a fix session would try, without doing it."""

from __future__ import annotations

import os

from burnish.app.fix_wiring import AnyRule
from burnish.app.request import ReviewRequest
from burnish.fixers._choose import code_fixers
from burnish.model.review import Finding
from burnish.process.environment import child_environment
from burnish.process.tool_setup import ToolSetup

TESTS = "tests"


def preview(request: ReviewRequest) -> tuple[tuple[Finding, str], ...]:
    """Each finding with the name of the first fixer that takes it on; empty where none does."""
    # That a test fails was found by running some command, so there is one, whichever.
    setup = ToolSetup(child_environment(os.environ), os.environ.get("PATH", ""), test_command=TESTS)
    fixers = [AnyRule(fixer) for fixer in code_fixers(setup)]
    return tuple(
        (finding, next((f.name for f in fixers if f.can(finding, unsafe=request.unsafe)), ""))
        for finding in request.given
    )
