"""A folder in which nothing that is there can be changed, and a sandbox inside of ours."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from burnish.ports import Sandbox
from burnish.process import bubblewrap, isolation, mounts
from tests.integration.process.conftest import Room

BEFORE = {"app.py": "x = 1\n", "src/deep.py": "y = 1\n", "src/more/deeper.py": "z = 1\n", ".hidden": "h\n"}


@pytest.fixture
def kept(caged: Room) -> Room:
    for name, text in BEFORE.items():
        path = caged.workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert caged.sandbox is not None
    return replace(caged, sandbox=Sandbox(kept=(caged.workspace,), readable=caged.sandbox.readable))


def unchanged(room: Room) -> bool:
    return {name: (room.workspace / name).read_text() for name in BEFORE} == BEFORE


def test_nothing_that_is_there_can_be_changed_by_any_means(kept: Room) -> None:
    attempts = (
        "echo w > app.py",
        "rm -f app.py",
        "mv app.py other.py",
        "echo w > t && mv -f t app.py",
        "sed -i s/1/2/ app.py",
        "chmod 777 app.py",
        "ln -f .hidden app.py",
        "echo w > src/deep.py",
        "echo w > src/new.py",
        "rm -rf src",
        "mv src away",
        "truncate -s 0 .hidden",
    )
    for attempt in attempts:
        assert kept.shell(attempt).exit != 0, f"it could: {attempt}"
    assert unchanged(kept)


def test_a_namespace_of_its_own_does_not_uncover_what_lies_below(kept: Room) -> None:
    here = kept.workspace
    assert kept.sandbox is not None
    able = replace(kept, sandbox=replace(kept.sandbox, nests=isolation.can_nest()))
    for attempt in (
        f"umount {here}/app.py && echo w > {here}/app.py",
        f"mount -o remount,rw,bind {here}/app.py && echo w > {here}/app.py",
        f"mkdir /tmp/m && mount --bind {here} /tmp/m && echo w > /tmp/m/app.py",
        f"mkdir /tmp/m && mount --rbind {here} /tmp/m && umount /tmp/m/app.py && echo w > /tmp/m/app.py",
    ):
        done = able.shell(f"unshare --user --map-root-user --mount sh -c '{attempt}'")
        assert done.exit != 0, f"it could: {attempt}"
        assert "uid_map" not in done.stderr.text or not isolation.can_nest(), done.stderr.text
    assert unchanged(kept)


def test_what_tests_write_beside_the_files_is_no_trouble(kept: Room) -> None:
    tests = (
        "import unittest, app\nclass T(unittest.TestCase):\n    def test(self): self.assertEqual(app.x, 1)\n"
    )
    (kept.workspace / "test_app.py").write_text(tests)
    done = kept.shell("python3 -m unittest -q && mkdir build && echo done > build/log && mktemp")
    assert done.exit == 0, done.stderr.text
    assert (kept.workspace / "build/log").read_text() == "done\n"
    assert unchanged(kept)


def test_a_link_at_the_top_is_no_reason_to_leave_the_rest_open(kept: Room) -> None:
    (kept.workspace / "link.py").symlink_to("app.py")
    (kept.workspace / "nowhere").symlink_to("gone")
    assert kept.shell("echo w > link.py").exit != 0
    assert unchanged(kept)


def test_with_very_many_entries_the_whole_folder_is_read_only(kept: Room) -> None:
    for number in range(mounts.MOST_KEPT + 1):
        (kept.workspace / f"{number}.txt").touch()
    assert kept.shell("cat app.py").stdout.text == BEFORE["app.py"]
    assert kept.shell("echo w > new").exit != 0
    assert kept.shell("echo w > app.py").exit != 0


def test_a_child_can_make_a_sandbox_of_its_own_where_ours_says_so(caged: Room) -> None:
    bwrap = bubblewrap.usable()
    assert bwrap is not None and caged.sandbox is not None
    if not isolation.can_nest():
        pytest.skip("this kernel does not allow a sandbox in a sandbox")
    inner = f"{bwrap} --unshare-user --ro-bind / / --dev /dev sh -c 'echo in; echo w > {caged.workspace}/new'"
    nested = replace(caged, sandbox=replace(caged.sandbox, nests=True))
    done = nested.shell(f"{inner}; echo out > made; cat /proc/self/status")
    assert done.stdout.text.startswith("in\n"), done.stderr.text
    assert not (caged.workspace / "new").exists()
    assert (caged.workspace / "made").read_text() == "out\n"
    # No more rights than without: none at all, and what only root may write stays unwritten.
    assert "CapEff:\t0000000000000000" in done.stdout.text
    assert "CapBnd:\t0000000000000000" in done.stdout.text
    assert nested.shell("echo x > /proc/sys/kernel/core_pattern || echo x > /etc/made").exit != 0
    assert not Path("/etc/made").exists()
