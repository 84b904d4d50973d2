"""Output of any size and shape in little memory."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import psutil

from tests.integration.process.conftest import Room

MB = 1024 * 1024


def test_a_flood_keeps_head_and_tail_in_little_memory(room: Room) -> None:
    done = room.shell("echo first; head -c 209715200 /dev/zero; echo; echo last")
    assert done.exit == 0
    assert done.stdout.total == 200 * MB + len("first\n\nlast\n")
    assert done.stdout.head.startswith(b"first\n")
    assert done.stdout.tail.endswith(b"\nlast\n")
    assert len(done.stdout.head) + len(done.stdout.tail) <= 2 * MB
    assert f"[... {done.stdout.left_out} bytes left out ...]" in done.stdout.text


def test_a_flood_of_lines_is_handed_over_in_little_memory(room: Room) -> None:
    process = psutil.Process(os.getpid())
    before = most = process.memory_info().rss
    count = 0

    def look(line: bytes) -> None:
        nonlocal count, most
        count += 1
        if count % 50_000 == 0:
            most = max(most, process.memory_info().rss)

    room.run(room.command("/bin/sh", "-c", "yes 'a line that is repeated' | head -n 1000000"), look)
    assert count == 1_000_000
    assert most - before < 40 * MB


def test_a_line_of_100_mb_does_not_grow_us(room: Room) -> None:
    longest = 0

    def look(line: bytes) -> None:
        nonlocal longest
        longest = max(longest, len(line))

    before = psutil.Process(os.getpid()).memory_info().rss
    command = room.command("/bin/sh", "-c", "head -c 104857600 /dev/zero | tr '\\0' x; echo; echo short")
    done = room.run(command, look)
    assert done.stdout.total == 100 * MB + len("\nshort\n")
    assert longest == 8 * MB
    assert psutil.Process(os.getpid()).memory_info().rss - before < 60 * MB


MEASURED = """
import asyncio, os, resource, sys
from pathlib import Path
from burnish.process.child import Command
from burnish.process.supervisor import run
base = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
argv = ("/bin/sh", "-c", "head -c 1073741824 /dev/zero; head -c 1073741824 /dev/zero >&2")
done = asyncio.run(run(Command(argv, Path(sys.argv[1]), {"PATH": "/usr/bin:/bin"}, 100.0)))
print(done.stdout.total + done.stderr.total, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - base)
"""


def test_two_gigabytes_cost_less_than_thirty_megabytes(tmp_path: Path) -> None:
    out = subprocess.run(
        [sys.executable, "-c", MEASURED, str(tmp_path)], capture_output=True, text=True, check=True
    ).stdout.split()
    assert int(out[0]) == 2 * 1024 * MB
    assert int(out[1]) * 1024 < 30 * MB


def test_the_clock_is_kept_while_a_child_floods(room: Room) -> None:
    begun = time.monotonic()
    done = room.shell("cat /dev/zero", timeout_s=0.5)
    assert done.timed_out
    assert done.stdout.total > MB
    assert time.monotonic() - begun < 4


def test_binary_output_is_kept_as_it_is(room: Room) -> None:
    done = room.python("import os; os.write(1, bytes(range(256)))")
    assert done.stdout.head == bytes(range(256))
    assert "\ufffd" in done.stdout.text


def test_half_a_letter_at_the_end_is_shown_as_unreadable(room: Room) -> None:
    done = room.python("import os; os.write(1, 'ä'.encode()[:1])")
    assert done.stdout.text == "\ufffd"


def test_exactly_what_is_kept_is_not_called_cut(room: Room) -> None:
    whole = room.shell("printf 0123456789", keep_bytes=10).stdout
    assert (whole.text, whole.left_out) == ("0123456789", 0)
    cut = room.shell("printf 0123456789A", keep_bytes=10).stdout
    assert (cut.head, cut.tail, cut.left_out) == (b"01234", b"6789A", 1)
