"""Outside of a sandbox an agent can write into our own git directories: nothing it leaves there is executed."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from burnish.git.files import remove_folder
from burnish.git.witness import Witness
from tests.integration.git.hostile import Traps
from tests.integration.git.sides import Side, side_of
from tests.repos import TestRepo

MakeRepo = Callable[..., TestRepo]
ATTRIBUTES = "* filter=evil diff=evil merge=evil\n*.long filter=long diff=evil2\n"


class Tampering:
    """Every setting that names a program, made once and put where git may find it as often as wanted."""

    def __init__(self, folder: Path) -> None:
        self.traps = Traps(folder)
        self.settings, included = folder / "settings", folder / "included"
        self.traps.configure(included, "included")
        self.traps.configure(self.settings, "config")
        with self.settings.open("a") as config:
            config.write(f"[include]\n\tpath = {included}\n[extensions]\n\tworktreeConfig = true\n")
            config.write(
                f"[core]\n\thooksPath = {folder / 'hooks'}\n\tattributesFile = {folder / 'attributes'}\n"
            )
        self.traps.hook(folder / "hooks", "hook")
        (folder / "attributes").write_text(ATTRIBUTES)
        self.common = folder / "common"
        for part in ("objects", "refs", "info"):
            (self.common / part).mkdir(parents=True)
        (self.common / "HEAD").write_text("ref: refs/heads/work\n")
        self.files(self.common)

    def files(self, git_dir: Path) -> None:
        for name in ("config", "config.worktree"):
            (git_dir / name).write_bytes((git_dir / name).read_bytes() if (git_dir / name).is_file() else b"")
            with (git_dir / name).open("ab") as config:
                config.write(self.settings.read_bytes())
        shutil.copytree(self.traps.folder / "hooks", git_dir / "hooks", symlinks=True)
        (git_dir / "info/attributes").write_text(ATTRIBUTES)

    def commondir(self, git_dir: Path) -> None:
        """The settings of another folder, named as the one that worktrees share."""
        (git_dir / "commondir").write_text(f"{self.common}\n")

    def links(self, git_dir: Path) -> None:
        (git_dir / "config").unlink()
        (git_dir / "config").symlink_to(self.settings)
        shutil.rmtree(git_dir / "info")
        (git_dir / "info").symlink_to(self.common / "info")

    def folders(self, git_dir: Path) -> None:
        """Folders in place of files: git would refuse to work."""
        (git_dir / "config").unlink()
        (git_dir / "config").mkdir()
        (git_dir / "commondir").mkdir()


async def after_it_ended(side: Side, tampering: Tampering, how: str) -> None:
    """All that we call git for once an agent has ended, with an agent that tampered before each."""
    stores = (side.workspaces.store.git_dir, side.mirror.folder)

    def again() -> None:
        for store in stores:
            for name in ("commondir", "hooks"):
                remove_folder(store / name)
            if (store / "info").is_symlink():
                (store / "info").unlink()
            (store / "info").mkdir(exist_ok=True)
            remove_folder(store / "config")
            (store / "config").touch()
            getattr(tampering, how)(store)
        shutil.copyfile(tampering.settings, side.git.config)

    start = await side.user_tree.snapshot()
    async with side.workspaces.open(start.tree, "implement") as workspace:
        (workspace.path / ".gitattributes").write_text(ATTRIBUTES)
        (workspace.path / "app.py").write_text("better\n")
        (workspace.path / "b.long").write_text("new\n")
        again()
        result = (await workspace.snapshot()).tree
        await side.workspaces.last_subject(workspace.path)
    again()
    commit = await side.workspaces.commit(result, side.base, "Result")
    again()
    await side.workspaces.advance(commit, side.base)
    again()
    await side.workspaces.diff(side.base, result, 100_000)
    await side.workspaces.touched(side.base, result)
    again()
    await side.workspaces.keep(result, "kept")
    again()
    async with side.workspaces.open(result, "review") as workspace:
        again()
        await workspace.snapshot()
    again()
    await side.lander.branch(commit, "burnish/r-1")
    again()
    await side.lander.apply(start.tree, result)
    again()
    await side.user_tree.snapshot_again()
    again()
    await side.mirror.pin(side.base, "other")
    again()
    await side.mirror.prune()


@pytest.mark.parametrize("how", ["files", "commondir", "links", "folders"])
@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_settings_that_an_agent_left_in_our_stores_are_never_executed(
    repo: MakeRepo, tmp_path: Path, how: str, object_format: str
) -> None:
    user = repo({"app.py": "one\n", "a.txt": "two\n"}, object_format=object_format)
    user.write("a.txt", "dirty\n")
    tampering = Tampering(tmp_path / "traps")

    async def whole() -> None:
        async with side_of(user, tmp_path / "state") as side:
            await after_it_ended(side, tampering, how)

    asyncio.run(whole())
    assert tampering.traps.sprung == []
    assert (user.path / "app.py").read_text() == "better\n"
    assert user.show("burnish/r-1", "app.py") == "better\n"


def test_an_ignore_file_in_our_stores_hides_nothing_from_a_snapshot(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"app.py": "one\n"})

    async def whole() -> list[bytes]:
        async with side_of(user, tmp_path / "state") as side:
            (side.workspaces.store.git_dir / "info/exclude").write_text("backdoor.py\n")
            return await side.names(await side.edited({"backdoor.py": "new\n"}))

    assert b"backdoor.py" in asyncio.run(whole())


def test_tampering_with_our_stores_is_still_seen_and_named(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"app.py": "one\n"})

    async def whole() -> list[str]:
        async with side_of(user, tmp_path / "state") as side:
            witness = Witness(side.user_tree)
            before = await witness.look()
            with (side.workspaces.store.git_dir / "config").open("a") as config:
                config.write('[filter "evil"]\n\tclean = touch /tmp/x\n')
            with side.git.config.open("a") as config:
                config.write("[alias]\n\tx = !y\n")
            return await witness.differences(before, await witness.look())

    told = sorted(one.partition(" in Burnish's own state folder changed")[0] for one in asyncio.run(whole()))
    assert [name.rpartition("/")[0].rpartition("/")[2] for name in told] == ["git", "run.git"]
