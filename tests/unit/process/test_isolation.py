"""Which isolation is chosen, and what is said when it cannot be had."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnish.errors import UsageError
from burnish.model.sandbox_mode import SandboxMode
from burnish.ports import Sandbox
from burnish.process import bubblewrap
from burnish.process.isolation import isolation, usable_sandbox

NOWHERE = (Path("/nonexistent"),)


def broken(tmp_path: Path) -> tuple[Path, ...]:
    program = tmp_path / "bwrap"
    program.write_text("#!/bin/sh\necho 'no permissions' >&2\nexit 1\n")
    program.chmod(0o755)
    return (tmp_path,)


def test_auto_goes_without_a_sandbox_where_there_is_none(tmp_path: Path) -> None:
    assert usable_sandbox(SandboxMode.AUTO, Sandbox(), NOWHERE) is None
    assert usable_sandbox(SandboxMode.AUTO, Sandbox(), broken(tmp_path)) is None
    assert isolation(SandboxMode.AUTO, Sandbox(), NOWHERE) == "guard (unsandboxed)"


def test_require_refuses_with_a_sentence_and_a_hint(tmp_path: Path) -> None:
    with pytest.raises(
        UsageError, match=r"a sandbox is required, but bubblewrap \(bwrap\) is not installed"
    ) as why:
        usable_sandbox(SandboxMode.REQUIRE, Sandbox(), NOWHERE)
    assert "install bubblewrap" in why.value.hint
    with pytest.raises(UsageError, match="cannot make a sandbox here"):
        usable_sandbox(SandboxMode.REQUIRE, Sandbox(), broken(tmp_path))


def test_off_means_off_even_where_it_would_work() -> None:
    assert usable_sandbox(SandboxMode.OFF, Sandbox()) is None


@pytest.mark.skipif(not bubblewrap.usable(), reason="bubblewrap is not usable here")
def test_auto_and_require_take_the_sandbox_where_it_works() -> None:
    for mode in (SandboxMode.AUTO, SandboxMode.REQUIRE):
        assert usable_sandbox(mode, Sandbox(network=False)) == Sandbox(network=False)
        assert isolation(mode, Sandbox(network=False)) == "bubblewrap, no network"
