"""System calls that a sandboxed child is refused: a kernel filter, for what no namespace keeps apart."""

from __future__ import annotations

import errno
import os
import struct
import sys
from dataclasses import dataclass

# Keys (passwords of mounts, tickets, tokens) belong to the user, and no namespace hides them.
# A new namespace of control groups lets root mount the group that we ourselves run in, and freeze or kill us.
NEW_CGROUPS = 0x02000000
X32 = 0x40000000
# The same number on every architecture.
PIDFD_GETFD, PROCESS_MADVISE = 438, 440
AVAILABLE = "/proc/sys/kernel/seccomp/actions_avail"
_LOAD, _EQUAL, _AT_LEAST, _BITS, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000


@dataclass(frozen=True)
class _Architecture:
    """`audit` is the kernel's name of it; then the numbers of the calls."""

    audit: int
    keys: tuple[int, int, int]
    namespaces: tuple[int, int]
    # ptrace, process_vm_readv, process_vm_writev and kcmp.
    others: tuple[int, int, int, int]
    clone3: int = 435

    @property
    def reaching(self) -> tuple[int, ...]:
        """Calls that read, write or compare another process, and those that take a file of it."""
        return (*self.others, PIDFD_GETFD, PROCESS_MADVISE)


_X86_64 = _Architecture(0xC000003E, keys=(248, 249, 250), namespaces=(56, 272), others=(101, 310, 311, 312))
_I386 = _Architecture(0x40000003, keys=(286, 287, 288), namespaces=(120, 310), others=(26, 347, 348, 349))
_AARCH64 = _Architecture(0xC00000B7, keys=(217, 218, 219), namespaces=(220, 97), others=(117, 270, 271, 272))
_ARM = _Architecture(0x40000028, keys=(309, 310, 311), namespaces=(120, 337), others=(26, 376, 377, 378))
_KNOWN = {"x86_64": (_X86_64, _I386), "aarch64": (_AARCH64, _ARM)}


def filter_program(machine: str, *, apart: bool = False) -> bytes | None:
    """The filter as the kernel reads it; None where the numbers of the calls are not known.

    `apart` refuses the calls that reach into another process, which debuggers and LeakSanitizer need.
    """
    if machine not in _KNOWN or sys.byteorder != "little":
        return None
    program = [_step(_LOAD, _ARCHITECTURE)]
    for architecture in _KNOWN[machine]:
        block = _block(architecture, apart=apart)
        program += [_step(_EQUAL, architecture.audit, otherwise=len(block)), *block]
    return b"".join([*program, _refuse(errno.ENOSYS)])


def filter_file(*, apart: bool = False) -> int | None:
    """The filter in a file of memory, for bubblewrap to read; None where there is none to be had."""
    known = os.path.exists(AVAILABLE)  # noqa: PTH110
    program = filter_program(os.uname().machine, apart=apart) if known else None
    if program is None:
        return None
    fd = os.memfd_create("seccomp")
    os.write(fd, program)
    os.lseek(fd, 0, os.SEEK_SET)
    return fd


def _block(architecture: _Architecture, *, apart: bool) -> list[bytes]:
    block = [_step(_LOAD, _NUMBER)]
    if architecture is _X86_64:
        block += [_step(_AT_LEAST, X32, otherwise=1), _refuse(errno.ENOSYS)]
    for number in (*architecture.keys, *(architecture.reaching if apart else ())):
        block += [_step(_EQUAL, number, otherwise=1), _refuse(errno.EPERM)]
    # Its flags lie in memory, where a filter cannot look; every libc goes on with `clone` then.
    block += [_step(_EQUAL, architecture.clone3, otherwise=1), _refuse(errno.ENOSYS)]
    for number in architecture.namespaces:
        asks = [_step(_LOAD, _FIRST_ARGUMENT), _step(_BITS, NEW_CGROUPS, otherwise=1)]
        block += [_step(_EQUAL, number, otherwise=4), *asks, _refuse(errno.EPERM), _allow()]
    return [*block, _allow()]


def _step(code: int, value: int, *, otherwise: int = 0) -> bytes:
    """One instruction; a comparison that does not hold skips `otherwise` instructions."""
    return struct.pack("<HBBI", code, 0, otherwise, value)


def _refuse(number: int) -> bytes:
    return _step(_RETURN, _ERRNO | number)


def _allow() -> bytes:
    return _step(_RETURN, _ALLOW)
