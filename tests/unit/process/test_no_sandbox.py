"""Why there is no sandbox, and the one line that gets one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from burnish.model.sandbox_mode import SandboxMode
from burnish.process import bubblewrap
from burnish.process.no_sandbox import INSTALLERS, KERNEL_SETTINGS, remedy, why_none

NOWHERE = (Path("/nonexistent"),)
AUTO = SandboxMode.AUTO


@pytest.fixture
def broken(tmp_path: Path) -> tuple[Path, ...]:
    """A bubblewrap that is installed, where the kernel does not let it work."""
    program = tmp_path / "bwrap"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    return (tmp_path,)


def as_root(command: str) -> str:
    return command if os.geteuid() == 0 else f"sudo {command}"


def test_each_reason_is_told_apart(broken: tuple[Path, ...]) -> None:
    assert why_none(AUTO, NOWHERE) == "bubblewrap is not installed"
    assert why_none(AUTO, broken) == "bubblewrap is installed, but cannot make a sandbox here"
    assert why_none(SandboxMode.OFF, broken) == "it is switched off"


@pytest.mark.skipif(not bubblewrap.usable(), reason="bubblewrap is not usable here")
def test_where_there_is_one_there_is_no_reason_unless_it_is_switched_off() -> None:
    assert why_none(AUTO) == why_none(SandboxMode.REQUIRE) == ""
    assert why_none(SandboxMode.OFF) == "it is switched off"


def test_the_line_that_installs_it_is_of_a_package_manager_that_is_here() -> None:
    told = remedy(AUTO, NOWHERE)
    known = {f"install it: {as_root(command)}" for command in INSTALLERS.values()}
    assert told in known | {"install the package bubblewrap", "bubblewrap needs Linux"}
    if os.access("/usr/bin/apt-get", os.X_OK):
        assert told == f"install it: {as_root('apt-get install bubblewrap')}"


@pytest.mark.parametrize(("name", "forbids", "allows"), KERNEL_SETTINGS)
def test_a_kernel_setting_that_forbids_it_is_named(
    broken: tuple[Path, ...], tmp_path: Path, name: str, forbids: str, allows: str
) -> None:
    for other, bad, good in KERNEL_SETTINGS:
        place = tmp_path / "sys" / other
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"{bad if other == name else good}\n")
    setting = name.replace("/", ".")
    assert remedy(AUTO, broken, tmp_path / "sys") == f"allow it: {as_root(f'sysctl -w {setting}={allows}')}"


def test_where_no_setting_forbids_it_that_is_left_to_the_user(
    broken: tuple[Path, ...], tmp_path: Path
) -> None:
    assert remedy(AUTO, broken, tmp_path / "none") == "allow user namespaces in this kernel or container"


def test_what_is_switched_off_needs_no_package() -> None:
    assert remedy(SandboxMode.OFF, NOWHERE) == "--sandbox auto uses it"
