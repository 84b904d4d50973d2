"""`burnish build`: a document built by many loops at once, each reviewed, merged when all have passed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.builds import DOCUMENT, Builds, task
from tests.repos import TestRepo


@pytest.fixture
def builds(tmp_path: Path, repo: Callable[..., TestRepo]) -> Builds:
    return Builds(tmp_path / "agents", repo({"shop.md": DOCUMENT}))


def test_a_document_is_built_by_loops_and_merged_when_all_have_passed(builds: Builds) -> None:
    said = builds.run("--effort", "low")
    assert said.code == 0, said.err
    assert "2 of 2 loops passed and are on main" in said.out
    assert sorted(builds.repo.git("ls-tree", "--name-only", "main").split()) == [
        "cart.txt",
        "shop.md",
        "till.txt",
    ]
    assert builds.steps[:2] == ["all-enumerate-implement-1", "all-plan-implement-1"]
    assert "cart-loop-review-1" in builds.steps
