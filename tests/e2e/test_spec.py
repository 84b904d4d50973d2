"""`burnish spec`: a document through its phases, as a user runs it, with programs that play the agents."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.repos import TestRepo
from tests.specs import PASS_AT, Specs

ONE = "# Spec 042: Login\n\n## Phase 1: Model\n\nMake a model.\n"


@pytest.fixture
def made(tmp_path: Path, repo: Callable[..., TestRepo]) -> Callable[..., Specs]:
    def make(text: str = ONE, **files: str) -> Specs:
        found = repo({"specs/042-login.md": text, "app.py": "start\n", **files})
        return Specs(tmp_path / "agents", found)

    return make


@pytest.mark.conformance("O-35", "O-02", "O-37")
def test_the_seeds_example_leaves_exactly_its_files(made: Callable[..., Specs]) -> None:
    specs = made()
    specs.agent("reviewer", PASS_AT.format(at=3))
    said = specs.run()
    assert said.code == 0, said.err
    assert specs.listing == [
        ".signals/phase-1-fix-1.done",
        ".signals/phase-1-fix-2.done",
        ".signals/phase-1-review-1.done",
        ".signals/phase-1-review-2.done",
        ".signals/phase-1-review-3.done",
        "reviews/phase-1-review-1.md",
        "reviews/phase-1-review-2.md",
        "reviews/phase-1-review-3.md",
    ]
    for cycle in (1, 2, 3):
        assert f"in cycle {cycle}" in (specs.session / f"reviews/phase-1-review-{cycle}.md").read_text()
    assert specs.steps == [
        "phase-1-implement-1",
        *("phase-1-review-1", "phase-1-fix-1", "phase-1-review-2", "phase-1-fix-2", "phase-1-review-3"),
    ]
