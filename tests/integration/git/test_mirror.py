"""The mirror keeps what runs start from, whatever the user's own repository goes through."""

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from burnish.errors import UsageError, WorkspaceError
from burnish.git.call import Git
from burnish.git.locks import Lock
from burnish.git.mirror import Mirror
from burnish.git.repository import discover
from tests.repos import TestRepo, clone, run_git

MakeRepo = Callable[..., TestRepo]


async def mirror_of(user: TestRepo, state: Path) -> Mirror:
    return Mirror(await discover(await Git.start(state), user.path), state / "mirror.git")


def whole(mirror: Mirror, commit: str) -> bool:
    """Every object of the commit and its history is there, and git itself says so."""
    at = f"--git-dir={mirror.folder}"
    run_git(mirror.folder, at, "fsck", "--strict")
    return bool(run_git(mirror.folder, at, "rev-list", "--objects", commit, check=False))


def pinned(user: TestRepo, state: Path, *names: str) -> Mirror:
    async def scenario() -> Mirror:
        mirror = await mirror_of(user, state)
        for name in names or ("r-1",):
            await mirror.pin(mirror.repository.head, name)
        return mirror

    return asyncio.run(scenario())


@pytest.mark.parametrize("packed", [True, False])
def test_a_pinned_base_survives_the_users_rewrite_and_gc(
    repo: MakeRepo, tmp_path: Path, packed: bool
) -> None:
    user = repo({"a": "one"})
    lost = user.commit("second", {"a": "two", "b": "x"})
    if packed:
        user.git("gc", "-q")
    mirror = pinned(user, tmp_path / "state")
    user.git("reset", "-q", "--hard", "HEAD~1")
    user.git("reflog", "expire", "--expire=now", "--all")
    user.git("gc", "-q", "--prune=now")
    assert user.git("cat-file", "-t", lost, check=False) == ""
    assert whole(mirror, lost)


def test_packs_are_linked_not_copied(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"a": "one"})
    user.git("gc", "-q")
    pack = next((user.path / ".git/objects/pack").glob("*.pack"))
    mirror = pinned(user, tmp_path / "state")
    assert (mirror.objects / "pack" / pack.name).stat().st_ino == pack.stat().st_ino


def test_packs_are_copied_where_links_are_not_possible(repo: MakeRepo, tmp_path: Path) -> None:
    shm = Path("/dev/shm")
    if not shm.is_dir() or shm.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("no second file system here")
    user = repo({"a": "one"})
    user.git("gc", "-q")
    state = shm / f"burnish-test-{os.getpid()}"
    try:
        assert whole(pinned(user, state), user.head)
    finally:
        shutil.rmtree(state)


def test_names_are_pinned_listed_and_given_up(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"a": "one"})
    first = user.head

    async def scenario() -> None:
        mirror = await mirror_of(user, tmp_path / "state")
        assert await mirror.refs() == {}
        await mirror.pin(first, "r-1")
        second = user.commit("second", {"a": "two"})
        await mirror.pin(second, "r-1")
        await mirror.pin(second, "r-2")
        assert await mirror.refs() == {"r-1": tuple(sorted((first, second))), "r-2": (second,)}
        await mirror.unpin("r-1")
        await mirror.unpin("never-pinned")
        assert await mirror.refs() == {"r-2": (second,)}

    asyncio.run(scenario())


@pytest.mark.parametrize("name", ["", "../x", "a/b", "a b", "x.lock", "a~1"])
def test_a_name_that_could_leave_its_place_is_refused(repo: MakeRepo, tmp_path: Path, name: str) -> None:
    user = repo({"a": "one"})
    with pytest.raises(UsageError):
        pinned(user, tmp_path / "state", name)


def test_pruning_keeps_what_is_pinned_and_drops_the_rest(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"a": "one"})
    first = user.head
    second = user.commit("second", {"a": "two"})

    async def scenario() -> Mirror:
        mirror = await mirror_of(user, tmp_path / "state")
        await mirror.pin(first, "r-1")
        await mirror.pin(second, "r-2")
        await mirror.unpin("r-2")
        await mirror.prune()
        return mirror

    mirror = asyncio.run(scenario())
    assert whole(mirror, first)
    assert run_git(mirror.folder, f"--git-dir={mirror.folder}", "cat-file", "-t", second, check=False) == b""


def test_a_shared_clone_borrows_from_others_and_our_mirror_does_not(repo: MakeRepo, tmp_path: Path) -> None:
    origin = repo({"a": "one"}, name="origin")
    run_git(tmp_path, "clone", "-q", "--shared", origin.path, tmp_path / "shared")
    shared = TestRepo(tmp_path / "shared")
    commit = shared.commit("second", {"b": "two"})
    mirror = pinned(shared, tmp_path / "state")
    shutil.rmtree(origin.path)
    assert whole(mirror, commit)
    assert not (mirror.objects / "info" / "alternates").exists()


def test_shallow_partial_and_sha256_repositories_are_mirrored(repo: MakeRepo, tmp_path: Path) -> None:
    origin = repo({"a": "one"}, name="origin")
    origin.commit("second", {"a": "two"})
    origin.git("config", "uploadpack.allowFilter", "true")
    shallow = clone(origin, tmp_path / "shallow", "--depth=1")
    partial = clone(origin, tmp_path / "partial", "--filter=blob:none")
    modern = repo({"a": "one"}, name="modern", object_format="sha256")
    for user in (shallow, partial, modern):
        mirror = pinned(user, tmp_path / f"state-{user.path.name}")
        assert whole(mirror, user.head), user.path.name


def test_a_partial_clone_that_lacks_files_is_refused_in_one_sentence(repo: MakeRepo, tmp_path: Path) -> None:
    origin = repo({"a": "one", "b": "x"}, name="origin")
    origin.git("config", "uploadpack.allowFilter", "true")
    partial = clone(origin, tmp_path / "partial", "--filter=blob:none", "--no-checkout")
    with pytest.raises(WorkspaceError, match="partial clone that lacks files") as caught:
        pinned(partial, tmp_path / "state")
    assert caught.value.hint


def test_what_a_killed_git_left_in_the_mirror_is_swept(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"a": "one"})
    mirror = pinned(user, tmp_path / "state")
    leftovers = [
        mirror.folder / "packed-refs.lock",
        mirror.folder / "shallow.lock",
        mirror.folder / "refs/burnish/base/r-2/x.lock",
        mirror.objects / "pack/tmp_pack_abc",
        mirror.objects / "pack/.tmp-1-pack-x",
        mirror.objects / "aa/tmp_obj_x",
    ]
    for path in leftovers:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"half")
    pinned(user, tmp_path / "state", "r-2")
    assert [path for path in leftovers if path.exists()] == []
    assert whole(mirror, user.head)


def test_a_mirror_whose_making_was_cut_short_is_made_again(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"a": "one"})
    for name in ("mirror.git", "mirror.git.new"):
        (tmp_path / "state" / name / "objects").mkdir(parents=True)
    assert whole(pinned(user, tmp_path / "state"), user.head)


def test_a_hostile_pack_folder_is_not_followed(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"a": "one"})
    secret = tmp_path / "secret"
    secret.write_text("canary")
    packs = user.path / ".git/objects/pack"
    (packs / "pack-1.idx").symlink_to(secret)
    (packs / "pack-1.pack").symlink_to(secret)
    mirror = pinned(user, tmp_path / "state")
    assert whole(mirror, user.head)
    assert not [
        path for path in mirror.folder.rglob("*") if path.is_file() and b"canary" in path.read_bytes()
    ]


def test_several_processes_pin_into_one_mirror_at_once(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"a": "one"})
    script = (
        "import asyncio, sys; from pathlib import Path\n"
        "from burnish.git.call import Git; from burnish.git.mirror import Mirror\n"
        "from burnish.git.repository import discover\n"
        "async def main(path, state, name):\n"
        "    mirror = Mirror(await discover(await Git.start(state), path), state / 'mirror.git')\n"
        "    await mirror.pin(mirror.repository.head, name)\n"
        "asyncio.run(main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]))\n"
    )
    children = [
        subprocess.Popen([sys.executable, "-c", script, user.path, tmp_path / "state", f"r-{number}"])
        for number in range(6)
    ]
    assert [child.wait(60) for child in children] == [0] * 6

    async def scenario() -> tuple[Mirror, int]:
        mirror = await mirror_of(user, tmp_path / "state")
        return mirror, len(await mirror.refs())

    mirror, count = asyncio.run(scenario())
    assert count == 6
    assert whole(mirror, user.head)


def test_the_lock_is_held_as_long_as_a_git_child_lives(tmp_path: Path) -> None:
    """Whoever gets the lock may sweep: so a git that outlives its Burnish must still hold it."""

    async def scenario() -> None:
        first = Lock(tmp_path / "lock", wait_s=0)
        await first.take()
        assert first.fd is not None
        child = await asyncio.create_subprocess_exec("sleep", "0.6", pass_fds=(first.fd,))
        first.release()
        with pytest.raises(WorkspaceError, match="in use"):
            await Lock(tmp_path / "lock", wait_s=0).take()
        await child.wait()
        after = Lock(tmp_path / "lock", wait_s=0)
        await after.take()
        after.release()

    asyncio.run(scenario())


def test_the_users_repository_is_not_touched_by_mirroring(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"a": "one"})
    user.git("gc", "-q")
    before = user.fingerprint(landed_aside=False)
    mirror = pinned(user, tmp_path / "state")
    assert user.fingerprint(landed_aside=False) == before
    assert whole(mirror, user.head)
