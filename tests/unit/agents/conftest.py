"""Desks with and without the sandbox."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnish.model.sandbox_mode import SandboxMode
from burnish.process import bubblewrap
from tests.unit.agents.desk import Desk


@pytest.fixture(params=[SandboxMode.OFF, SandboxMode.REQUIRE], ids=["guard", "bubblewrap"])
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> Desk:
    """A test that takes this runs twice."""
    if request.param is SandboxMode.REQUIRE and not bubblewrap.usable():
        pytest.skip("bubblewrap is not usable here")
    return Desk(tmp_path, request.param)


@pytest.fixture
def plain(tmp_path: Path) -> Desk:
    return Desk(tmp_path, SandboxMode.OFF)
