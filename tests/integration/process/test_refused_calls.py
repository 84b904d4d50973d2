"""System calls that a sandboxed child is refused, and those that it still has."""

from __future__ import annotations

import os

import pytest

from burnish.process import seccomp
from tests.integration.process.conftest import Room

CALL = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
def call(*words):
    ctypes.set_errno(0)
    libc.syscall(*words)
    return ctypes.get_errno()
"""
pytestmark = pytest.mark.skipif(os.uname().machine != "x86_64", reason="the numbers below are of x86-64")
EPERM, ENOSYS = 1, 38


def test_the_keys_of_the_user_are_out_of_reach_in_a_sandbox(caged: Room) -> None:
    code = (
        CALL
        + "print(call(248, b'user', b'x', b'y', 1, -1), call(249, b'user', b'x', 0, -1), call(250, 0, -3, 0))"
    )
    assert caged.python(code).stdout.text == f"{EPERM} {EPERM} {EPERM}\n"


def test_a_sandboxed_child_gets_no_namespace_of_control_groups(caged: Room) -> None:
    code = CALL + "print(call(272, 0x12000000), call(56, 0x12000000 | 17, 0, 0, 0, 0), call(435, 0, 0))"
    assert caged.python(code).stdout.text == f"{EPERM} {EPERM} {ENOSYS}\n"


def test_the_other_way_of_naming_calls_is_no_way_round_the_filter(caged: Room) -> None:
    assert caged.python(CALL + f"print(call({seccomp.X32} | 250, 0, -3, 0))").stdout.text == f"{ENOSYS}\n"


def test_threads_processes_and_other_namespaces_still_work_in_a_sandbox(caged: Room) -> None:
    code = (
        "import subprocess, threading\nthread = threading.Thread(target=print, args=('thread',))\n"
        "thread.start()\nthread.join()\nprint(subprocess.run(['/bin/echo', 'child'], capture_output=True).stdout)\n"
        + CALL
        + "print(call(272, 0x10000000))"
    )
    assert caged.python(code).stdout.text == "thread\nb'child\\n'\n0\n"


def test_a_machine_whose_calls_are_not_known_has_no_filter() -> None:
    assert seccomp.filter_program("riscv64") is None
    assert seccomp.filter_program("aarch64") is not None
