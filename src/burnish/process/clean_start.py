"""A start with nothing of the user's keys in sight: agents of the same user can read `/proc/PID/environ`.

The environment that a process was started with stays readable there, whatever the process does to it later.
So Burnish starts itself again with the harmless variables only, and hands the rest over by a descriptor.
"""

from __future__ import annotations

import os
import sys

from burnish.process.environment import child_environment

HANDED_OVER = "BURNISH_HANDED_OVER"
PR_SET_DUMPABLE = 4
# What the interpreter and the loader read before any line of ours runs; none of it is a place for keys.
_INTERPRETER = """
    PYTHONHOME PYTHONPATH PYTHONPLATLIBDIR PYTHONSAFEPATH PYTHONNOUSERSITE PYTHONUSERBASE PYTHONEXECUTABLE
    PYTHONHASHSEED PYTHONUNBUFFERED PYTHONIOENCODING PYTHONCOERCECLOCALE PYTHONWARNINGS PYTHONDEVMODE
    PYTHONFAULTHANDLER PYTHONOPTIMIZE PYTHONPYCACHEPREFIX PYTHONMALLOC PYTHONTRACEMALLOC
    PYTHONASYNCIODEBUG PYTHONPROFILEIMPORTTIME COVERAGE_PROCESS_START VIRTUAL_ENV
    LD_LIBRARY_PATH LD_PRELOAD DYLD_LIBRARY_PATH DYLD_FALLBACK_LIBRARY_PATH __PYVENV_LAUNCHER__
"""
INTERPRETER = frozenset(_INTERPRETER.split())


def start_clean() -> None:
    """Returns in a process whose first environment holds no keys and that no process of this user may read.

    The process keeps its id, its arguments, its streams and its folder, and `os.environ` is what it was. To
    be called once, by the program itself, before it does anything: what was done already is done again.
    """
    if not _taken_over():
        _start_again()
    become_unreadable()


def become_unreadable() -> None:
    """Hide memory, descriptors and environment from other processes of this user; root reads them still."""
    import _ctypes  # as in guard.py: the public face takes ten times as long

    try:
        prctl = _ctypes.dlsym(_ctypes.dlopen(None, 0), "prctl")  # type: ignore[arg-type]
    except OSError:
        return
    _ctypes.call_function(prctl, (PR_SET_DUMPABLE, 0, 0, 0, 0))


def harmless(name: str, value: str) -> bool:
    """Whether a variable may stay where every process of this user can read it."""
    return name in INTERPRETER or name in child_environment({name: value})


def _start_again() -> None:
    kept = {name: value for name, value in os.environ.items() if harmless(name, value)}
    if len(kept) == len(os.environ) or not sys.executable or not sys.orig_argv:
        return
    descriptor = _memory()
    try:
        os.write(descriptor, b"\0".join(b"%s=%s" % pair for pair in os.environb.items()))
        os.set_inheritable(descriptor, True)
        sys.stdout.flush()
        sys.stderr.flush()
        told = {HANDED_OVER: f"{os.getpid()}:{descriptor}"}
        os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], kept | told)  # noqa: S606
    except OSError:
        # No second start here (memory, a program that was replaced): unreadable is what is left.
        os.close(descriptor)


def _memory() -> int:
    if hasattr(os, "memfd_create"):
        return os.memfd_create("burnish")
    import tempfile

    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


def _taken_over() -> bool:
    """Whether this is the second start: then the environment is what the first one had."""
    process, _, number = os.environ.pop(HANDED_OVER, "").partition(":")
    if process != str(os.getpid()) or not number.isdigit():
        return False
    with os.fdopen(int(number), "rb") as file:
        file.seek(0)
        given = file.read()
    os.environ.clear()
    for pair in given.split(b"\0"):
        name, _, value = pair.partition(b"=")
        os.environb[name] = value
    return True
