"""The one way git is called: clock, bounds, environment, no child left behind."""

import asyncio
import os
import time
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from burnish.errors import UsageError, WorkspaceError
from burnish.git.call import Git, Place, find_git

HERE = Place(None, work_tree=Path("/"))


def fake_git(folder: Path, script: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "git"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return program


async def started(tmp_path: Path, script: str) -> Git:
    return replace(await Git.start(tmp_path / "state"), program=fake_git(tmp_path / "bin", script))


def gone(pid_file: Path) -> bool:
    pid = int(pid_file.read_text())
    return not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


def test_a_git_that_hangs_is_stopped_with_its_children(tmp_path: Path) -> None:
    async def scenario() -> None:
        git = await started(tmp_path, f"sleep 60 & echo $! > {tmp_path}/pid; wait")
        with pytest.raises(WorkspaceError, match=r"git fetch did not finish within 0\.5 s"):
            await git("fetch", at=HERE, timeout_s=0.5)

    began = time.monotonic()
    asyncio.run(scenario())
    assert time.monotonic() - began < 5
    assert gone(tmp_path / "pid")


def test_a_cancelled_call_leaves_no_git_behind(tmp_path: Path) -> None:
    async def scenario() -> None:
        git = await started(tmp_path, f"sleep 60 & echo $! > {tmp_path}/pid; wait")
        task = asyncio.create_task(git("fetch", at=HERE))
        while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text():
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(scenario())
    assert gone(tmp_path / "pid")


def test_a_call_may_be_cancelled_at_any_moment_of_its_start(tmp_path: Path) -> None:
    async def scenario() -> None:
        git = await started(
            tmp_path, f"echo $$ >> {tmp_path}/pids; sleep 60 & echo $! >> {tmp_path}/pids; wait"
        )
        for step in range(24):
            task = asyncio.create_task(git("fetch", at=HERE))
            await asyncio.sleep(step * 0.0005)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    began = time.monotonic()
    asyncio.run(scenario())
    assert time.monotonic() - began < 10
    for pid in (tmp_path / "pids").read_text().split():
        assert not psutil.pid_exists(int(pid)) or psutil.Process(int(pid)).status() == psutil.STATUS_ZOMBIE


def test_a_git_that_hangs_in_the_middle_of_a_flood_is_stopped(tmp_path: Path) -> None:
    async def scenario() -> None:
        git = await started(tmp_path, "head -c 3000000 /dev/zero; head -c 3000000 /dev/zero >&2; sleep 60")
        with pytest.raises(WorkspaceError, match="did not finish"):
            await git("log", at=HERE, timeout_s=0.5)

    began = time.monotonic()
    asyncio.run(scenario())
    assert time.monotonic() - began < 5


def test_a_stray_process_that_holds_the_pipe_does_not_hold_us(tmp_path: Path) -> None:
    async def scenario() -> None:
        git = await started(tmp_path, f"setsid sleep 30 & echo $! > {tmp_path}/pid; sleep 60")
        with pytest.raises(WorkspaceError, match="did not finish"):
            await git("log", at=HERE, timeout_s=0.3)

    began = time.monotonic()
    asyncio.run(scenario())
    assert time.monotonic() - began < 10
    os.kill(int((tmp_path / "pid").read_text()), 9)


def test_a_flood_is_stopped_and_told(tmp_path: Path) -> None:
    async def scenario() -> None:
        git = replace(await started(tmp_path, "yes"), max_output_bytes=1 << 20)
        with pytest.raises(WorkspaceError, match="more than 1 MB"):
            await git("log", at=HERE)

    asyncio.run(scenario())


def test_a_flood_on_stderr_neither_blocks_nor_fills_memory(tmp_path: Path) -> None:
    async def scenario() -> bytes:
        git = await started(tmp_path, "head -c 3000000 /dev/zero >&2; echo done")
        answer = await git.ask("log", at=HERE)
        assert len(answer.err) <= 64 * 1024
        return answer.out

    assert asyncio.run(scenario()) == b"done\n"


def test_the_first_words_of_git_are_in_the_error(tmp_path: Path) -> None:
    async def scenario() -> None:
        git = await Git.start(tmp_path / "state")
        with pytest.raises(WorkspaceError, match="git rev-parse failed: not a git repository"):
            await git("rev-parse", "HEAD", at=Place(None, work_tree=tmp_path))

    asyncio.run(scenario())


def test_a_full_disk_comes_with_advice(tmp_path: Path) -> None:
    async def scenario() -> str:
        git = await started(tmp_path, "echo 'error: unable to write: No space left on device' >&2; exit 128")
        with pytest.raises(WorkspaceError) as caught:
            await git("write-tree", at=HERE)
        return caught.value.hint

    assert "disk space" in asyncio.run(scenario())


def test_the_environment_is_an_allow_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_SSH_COMMAND", "evil")
    monkeypatch.setenv("GIT_DIR", "/elsewhere")
    monkeypatch.setenv("SECRET_TOKEN", "canary")

    async def scenario() -> bytes:
        return await (await started(tmp_path, "env"))("log", at=HERE)

    names = {line.split("=")[0] for line in asyncio.run(scenario()).decode().splitlines()} - {
        "PWD",
        "_",
        "SHLVL",
    }
    assert names == {
        "PATH", "HOME", "LC_ALL", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_GLOBAL", "GIT_ATTR_NOSYSTEM",
        "GIT_TERMINAL_PROMPT", "GIT_NO_REPLACE_OBJECTS", "GIT_NO_LAZY_FETCH", "GIT_ALLOW_PROTOCOL",
        "GIT_OPTIONAL_LOCKS",
    }  # fmt: skip


def test_a_git_that_fails_before_reading_its_input_is_reported_not_the_broken_pipe(tmp_path: Path) -> None:
    async def scenario() -> None:
        git = await started(tmp_path, "exec 0<&-; echo 'fatal: no' >&2; exit 128")
        with pytest.raises(WorkspaceError, match="git update-index failed: no"):
            await git("update-index", at=HERE, stdin=b"x" * 5_000_000)

    asyncio.run(scenario())


def test_no_git_an_old_git_and_a_git_of_the_repository_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not found"):
        find_git("")
    fake_git(tmp_path / "bin", "echo git version 2.20.1")
    with pytest.raises(UsageError, match=r"needs git 2\.38 or newer, found 2\.20\.1"):
        asyncio.run(Git.start(tmp_path / "state", search=os.fspath(tmp_path / "bin")))
    with pytest.raises(UsageError, match="not found"):
        find_git("bin:./bin")


def test_our_configuration_is_written_again_when_it_was_edited(tmp_path: Path) -> None:
    git = asyncio.run(Git.start(tmp_path))
    good = git.config.read_bytes()
    git.config.write_text("[core]\n\tfsmonitor = evil\n")
    assert asyncio.run(Git.start(tmp_path)).config.read_bytes() == good


def test_a_git_child_inherits_the_lock_it_works_under(tmp_path: Path) -> None:
    async def scenario() -> None:
        git = await started(tmp_path, "ls /proc/self/fd")
        descriptor = os.open(tmp_path / "lock", os.O_CREAT | os.O_RDWR)
        try:
            for hold, inherited in ((descriptor, True), (None, False)):
                place = Place(None, work_tree=Path("/"), hold=hold)
                assert (str(descriptor) in (await git("log", at=place)).decode().split()) is inherited
        finally:
            os.close(descriptor)

    asyncio.run(scenario())
