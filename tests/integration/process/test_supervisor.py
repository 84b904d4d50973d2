"""One child from start to end: streams, status, clocks, errors, the same in both isolations."""

from __future__ import annotations

import asyncio
import signal
import time
from dataclasses import replace
from pathlib import Path

import pytest

from burnish.process.child import CannotStart, ProgramMissing
from burnish.process.supervisor import run
from tests.integration.process.conftest import Room


def test_a_child_gets_its_prompt_and_its_output_and_status_come_back(room: Room) -> None:
    done = room.shell("cat; echo oops >&2; exit 3", stdin=b"hello\n")
    assert (done.stdout.text, done.stderr.text, done.exit, done.status) == ("hello\n", "oops\n", 3, 3)
    assert not done.ok
    assert done.isolation == ("bubblewrap" if room.sandbox else "guard (unsandboxed)")


def test_a_child_killed_by_a_signal_has_the_status_a_shell_would_give(room: Room) -> None:
    done = room.shell("kill -SEGV $$")
    assert done.status == 128 + signal.SIGSEGV
    assert not done.ok


def test_a_child_works_in_its_folder_with_only_the_given_environment(room: Room) -> None:
    done = room.shell("pwd; env", env={"PATH": "/usr/bin:/bin", "GIVEN": "yes"})
    where, *pairs = done.stdout.text.splitlines()
    assert where == str(room.workspace)
    assert {pair for pair in pairs if not pair.startswith(("PWD=", "_=", "SHLVL=", "OLDPWD="))} == {
        "PATH=/usr/bin:/bin",
        "GIVEN=yes",
    }


def test_a_child_is_not_started_with_ignored_or_blocked_signals(room: Room) -> None:
    done = room.shell("grep -E 'Sig(Ign|Blk)' /proc/self/status")
    ignored, blocked = (int(line.split()[1], 16) for line in reversed(done.stdout.text.splitlines()))
    ours = next(
        line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("SigIgn")
    )
    # Under nohup we hand on what we were given ourselves. The C library keeps 32 and 33 for itself.
    assert (blocked, ignored & ~int(ours.split()[1], 16) & ((1 << 31) - 1)) == (0, 0)
    assert not ignored & (1 << (signal.SIGPIPE - 1))


def test_a_large_prompt_arrives_whole(room: Room) -> None:
    done = room.shell("wc -c", stdin=b"x" * 10_000_000)
    assert done.stdout.text.strip() == "10000000"


def test_a_prompt_that_nobody_reads_neither_hangs_nor_fails(room: Room) -> None:
    begun = time.monotonic()
    done = room.shell("exec 0<&-; sleep 0.2; echo fine", stdin=b"x" * 10_000_000)
    assert (done.exit, done.stdout.text) == (0, "fine\n")
    assert room.shell("echo done", stdin=b"x" * 10_000_000).exit == 0
    assert time.monotonic() - begun < 10


def test_stdin_is_a_pipe_that_can_be_opened_by_its_name(room: Room) -> None:
    assert room.shell("cat < /dev/stdin", stdin=b"by name").stdout.text == "by name"


def test_a_child_past_its_time_is_stopped_and_what_it_said_is_kept(room: Room) -> None:
    begun = time.monotonic()
    done = room.shell("echo early; sleep 60", timeout_s=0.5)
    assert (done.timed_out, done.stalled, done.exit, done.stdout.text) == (True, False, None, "early\n")
    assert time.monotonic() - begun < 5


def test_a_silent_child_stalls_but_one_that_talks_does_not(room: Room) -> None:
    silent = room.shell("echo once; sleep 60", stall_s=0.4)
    assert (silent.stalled, silent.timed_out, silent.ok) == (True, False, False)
    talking = room.shell("for i in 1 2 3 4 5 6 7; do echo $i >&2; sleep 0.1; done", stall_s=0.5)
    assert (talking.stalled, talking.exit) == (False, 0)


def test_a_finished_child_whose_orphan_holds_the_pipe_is_reported_at_once(room: Room) -> None:
    done = room.shell("setsid sleep 60 & echo mine; exit 0")
    assert (done.exit, done.stdout.text) == (0, "mine\n")
    assert done.duration_s < 2


def test_each_line_is_handed_over_as_it_comes(room: Room) -> None:
    seen: list[bytes] = []
    room.run(room.command("/bin/sh", "-c", "printf 'a\\n\\nb'; echo; printf last"), seen.append)
    assert seen == [b"a", b"", b"b", b"last"]


def test_an_error_in_the_line_reader_is_raised_and_the_child_is_killed(room: Room) -> None:
    def refuse(line: bytes) -> None:
        raise KeyError(line)

    begun = time.monotonic()
    with pytest.raises(KeyError):
        room.run(room.command("/bin/sh", "-c", "echo one; sleep 60"), refuse)
    assert time.monotonic() - begun < 5


def test_a_program_that_is_not_there_is_one_sentence(room: Room, tmp_path: Path) -> None:
    with pytest.raises(ProgramMissing, match="'no-such-program' was not found on PATH"):
        room.run(room.command("no-such-program"))


def test_the_guard_says_which_programs_cannot_be_executed(tmp_path: Path) -> None:
    room = Room(tmp_path, None)
    (tmp_path / "data").write_text("not a program")
    for program in (tmp_path / "absent", tmp_path / "data"):
        with pytest.raises(ProgramMissing, match="could not be started"):
            room.run(room.command(str(program)))
    with pytest.raises(CannotStart):
        room.run(room.command("/bin/true", cwd=tmp_path / "nowhere"))


def test_a_script_without_a_first_line_is_run_by_the_shell(room: Room) -> None:
    script = room.workspace / "script"
    script.write_text("echo from the shell\n")
    script.chmod(0o755)
    assert room.run(room.command(str(script))).stdout.text == "from the shell\n"


def test_a_sandbox_that_cannot_be_made_says_what_bubblewrap_said(caged: Room) -> None:
    assert caged.sandbox is not None
    with pytest.raises(CannotStart, match="bubblewrap could not make the sandbox: bwrap: "):
        caged.shell("true", cwd=caged.workspace / "nowhere")


def test_many_children_at_once_keep_apart(room: Room) -> None:
    async def all_of_them() -> list[str]:
        commands = [room.command("/bin/sh", "-c", f"cat; echo {n}", stdin=b"in ") for n in range(20)]
        return [done.stdout.text for done in await asyncio.gather(*map(run, commands))]

    assert asyncio.run(all_of_them()) == [f"in {n}\n" for n in range(20)]


def test_no_file_handle_is_left_open(room: Room) -> None:
    def count() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    async def several() -> tuple[int, int]:
        await run(room.command("/bin/true"))
        before = count()
        for _ in range(5):
            await run(room.command("/bin/sh", "-c", "sleep 9", timeout_s=0.05))
            await run(room.command("/bin/true"))
        return before, count()

    before, after = asyncio.run(several())
    assert after == before


def test_output_is_copied_to_disk_as_well(room: Room, tmp_path: Path) -> None:
    spill = tmp_path / "copy"
    done = room.shell(
        "echo out; sleep 0.1; echo err >&2; head -c 100000 /dev/zero", spill=spill, keep_bytes=100
    )
    assert done.stdout.left_out > 90_000
    assert spill.read_bytes() == b"out\nerr\n" + b"\0" * 100_000


def test_a_relative_program_is_never_taken_from_the_workspace(room: Room) -> None:
    fake = room.workspace / "true"
    fake.write_text("#!/bin/sh\necho fake\n")
    fake.chmod(0o755)
    path = f"{room.workspace}:{ENV_PATH}"
    assert room.run(replace(room.command("true"), env={"PATH": path})).stdout.text == ""


ENV_PATH = "/usr/bin:/bin"
