"""What a child starts cannot write to the child's output, nor reach into the child itself."""

from __future__ import annotations

import os

import pytest

from tests.integration.process.conftest import Room
from tests.integration.process.test_refused_calls import CALL

# A program that starts a helper, which does what it can to speak for its parent.
FORGER = """
import os, subprocess, sys
helper = '''
import os, sys
for name in ("/proc/%d/fd/1" % os.getppid(), "/proc/%d/fd/2" % os.getppid()):
    try:
        os.write(os.open(name, os.O_WRONLY), b"forged\\\\n")
    except OSError as error:
        print(error.errno, end=" ")
'''
said = subprocess.run([sys.executable, "-I", "-S", "-c", helper], capture_output=True).stdout.decode()
print("the helper got", said.strip())
"""
ENXIO, EPERM = 6, 1
MB = 1024 * 1024


def test_a_helper_cannot_open_the_output_of_the_child_that_started_it(room: Room) -> None:
    done = room.python(FORGER, sockets=True)
    assert (done.exit, done.stdout.text, done.stderr.text) == (0, f"the helper got {ENXIO} {ENXIO}\n", "")


def test_pipes_would_take_the_forged_line(room: Room) -> None:
    """The attack itself works: without sockets the line arrives."""
    done = room.python(FORGER)
    assert "forged" in done.stdout.text


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the numbers below are of x86-64")
@pytest.mark.parametrize("number", [101, 310, 311, 312, 438, 440])
def test_calls_that_reach_into_another_process_are_refused_to_a_child_apart(caged: Room, number: int) -> None:
    code = CALL + f"print(call({number}, -1, -1, -1, -1, 0, 0))"
    assert caged.python(code, apart=True).stdout.text == f"{EPERM}\n"


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the numbers below are of x86-64")
def test_a_child_that_is_not_apart_can_still_be_debugged(caged: Room) -> None:
    """LeakSanitizer and debuggers in a gate need it."""
    traced_by_parent = 0
    assert caged.python(CALL + f"print(call(101, {traced_by_parent}, 0, 0, 0))").stdout.text == "0\n"


def test_a_flood_through_sockets_keeps_head_and_tail(room: Room) -> None:
    done = room.shell("echo first; head -c 52428800 /dev/zero; echo; echo last", sockets=True)
    assert done.exit == 0
    assert done.stdout.total == 50 * MB + len("first\n\nlast\n")
    assert done.stdout.head.startswith(b"first\n")
    assert done.stdout.tail.endswith(b"\nlast\n")


def test_lines_and_errors_through_sockets_stay_apart(room: Room) -> None:
    lines: list[bytes] = []
    command = room.command("/bin/sh", "-c", "echo one; echo wrong >&2; printf two", sockets=True)
    done = room.run(command, lines.append)
    assert lines == [b"one", b"two"]
    assert done.stderr.text == "wrong\n"


def test_a_child_killed_in_the_middle_of_its_output_through_sockets_is_over(room: Room) -> None:
    done = room.shell("echo begun; exec sleep 60", sockets=True, timeout_s=1.0)
    assert (done.timed_out, done.stdout.text) == (True, "begun\n")


def test_a_silent_child_with_sockets_stalls(room: Room) -> None:
    done = room.shell("echo begun; exec sleep 60", sockets=True, stall_s=0.5)
    assert (done.stalled, done.stdout.text) == (True, "begun\n")


def test_output_that_a_leftover_holds_open_does_not_hold_us(room: Room) -> None:
    done = room.shell("echo said; sleep 60 & exit 3", sockets=True)
    assert (done.exit, done.stdout.text) == (3, "said\n")


def test_a_reader_inside_the_child_that_goes_away_ends_the_writer(room: Room) -> None:
    """The ordinary pipe between two programs of the child is not touched by what its own output is."""
    assert room.shell("yes | head -n 1", sockets=True).stdout.text == "y\n"
