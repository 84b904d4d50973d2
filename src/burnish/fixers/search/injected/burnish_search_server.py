"""Runs in the project's own interpreter and knows nothing of Burnish: jobs from a folder, a fork each.

Whoever calls `next_job` becomes the server: it never comes back there, only in the children, each with one
job. The files of a candidate are written before the fork and put back after it. Standard library only, and
no syntax that Python 3.8 does not read.
"""

from __future__ import annotations

import ast
import gc
import importlib.util
import os
import resource
import select
import signal
import sys
import time
import warnings

DESK = "BURNISH_SEARCH_DESK"
IDLE_S = 0.002
AFTER_A_HANG_S = 0.3
TIMERS = ((signal.SIGPROF, signal.ITIMER_PROF, 1), (signal.SIGALRM, signal.ITIMER_REAL, 4))
MOST_BYTES = 256 * 1024 * 1024


class Server:
    """`desk` holds `jobs/<n>`, written whole by the other side, and gets `done/<n>`."""

    def __init__(self, desk: str) -> None:
        self.desk = desk
        self.root = os.path.realpath(os.getcwd())

    def alone(self) -> bool:
        """Whether we are the first: a test command may start several runners."""
        try:
            os.close(os.open(os.path.join(self.desk, "taken"), os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        except FileExistsError:
            return False
        return True

    def probe(self) -> bool:
        """Whether this is a child that goes ahead to see if it can serve from further on.

        The parent waits for it, and ends with it if it could; in the parent this is False otherwise.
        """
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            pid = os.fork()
        if pid == 0:
            return True
        os.waitpid(pid, 0)
        if os.path.exists(os.path.join(self.desk, "ahead")):
            os._exit(0)
        return False

    def ahead(self) -> bool:
        """In the child of `probe`: nothing of the project may be loaded yet, or edits would not be seen."""
        if any(self._own(getattr(module, "__file__", None)) for module in list(sys.modules.values())):
            os._exit(0)
        os.close(os.open(os.path.join(self.desk, "ahead"), os.O_CREAT | os.O_WRONLY))
        return True

    def _own(self, file: object) -> bool:
        if not isinstance(file, str) or os.sep + "site-packages" + os.sep in file:
            return False
        return os.path.realpath(file).startswith(self.root + os.sep)

    def next_job(self) -> Job:
        gc.collect()
        if hasattr(gc, "freeze"):
            gc.freeze()
        number = 1
        while True:
            path = os.path.join(self.desk, "jobs", str(number))
            while not os.path.exists(path):
                time.sleep(IDLE_S)
            with open(path, "rb") as file:
                told = ast.literal_eval(file.read().decode("ascii"))
            job = self._forked(number, told)
            if job is not None:
                return job
            number += 1

    def _forked(self, number, told):
        """The job in the child, None in the server when the child is over."""
        before = self._written(told["edits"])
        ours, theirs = os.pipe()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            pid = os.fork()
        if pid == 0:
            os.close(ours)
            _limited(told)
            return Job(self, theirs, told)
        os.close(theirs)
        began = time.monotonic()
        ended = bool(select.select([ours], [], [], told["limit_s"])[0])
        _kill(pid)
        status = os.waitpid(pid, 0)[1]
        os.close(ours)
        for path, data in before:
            _write(path, data)
        self._finish(number, (ended, status, round(time.monotonic() - began, 4)))
        return None

    def _finish(self, number, ending):
        """What the child told, and how it ended, under a name that appears at once."""
        told = os.path.join(self.desk, "told")
        with open(told, "ab") as file:
            file.write(("\n" + ascii(("end", *ending)) + "\n").encode("ascii"))
        os.replace(told, os.path.join(self.desk, "done", str(number)))

    def _written(self, edits):
        """The candidate's files, written over those that are there; what they were."""
        before = []
        for name, changes in edits:
            path = os.path.join(self.root, name)
            with open(path, "rb") as file:
                data = file.read()
            before.append((path, data))
            for start, end, text in sorted(changes, reverse=True):
                data = data[:start] + text + data[end:]
            _write(path, data)
        return before


class Job:
    """One job in a child."""

    def __init__(self, server: Server, over: int, told) -> None:
        self.root = server.root
        self._over = over
        self.tests = told["tests"]
        self.traced = told["traced"]
        self.stop_first = told["stop_first"]
        self.test_limit_s = told["test_limit_s"]
        self._slowest_s = 0.0
        self._began = 0.0
        self._file = open(os.path.join(server.desk, "told"), "wb", buffering=0)

    def tell(self, *record: object) -> None:
        self._file.write((ascii(record) + "\n").encode("ascii"))

    def relative(self, path: str) -> str:
        """A path below the root as the other side knows it; empty for any other."""
        path = os.path.realpath(path)
        return path[len(self.root) + 1 :] if path.startswith(self.root + os.sep) else ""

    def frames(self, traceback) -> list:
        found = []
        while traceback is not None and len(found) < 200:
            name = self.relative(traceback.tb_frame.f_code.co_filename)
            if name:
                found.append((name, traceback.tb_lineno))
            traceback = traceback.tb_next
        return found

    def watch(self) -> None:
        """From now on a test has its time; whatever swallows the first signal gets another."""
        self._began = time.process_time()
        if self.test_limit_s:
            # What computes is measured by what it uses, so that a busy machine makes no test fail.
            for number, timer, times in TIMERS:
                signal.signal(number, self._too_long)
                signal.setitimer(timer, times * self.test_limit_s, 0.5)

    def unwatch(self) -> None:
        if self.test_limit_s:
            for _, timer, _ in TIMERS:
                signal.setitimer(timer, 0)
            self._slowest_s = max(self._slowest_s, time.process_time() - self._began)

    def _too_long(self, number: int, frame: object) -> None:
        """Where one test did not end, the next ones get less time: such a bug makes many of them hang."""
        self.test_limit_s = min(self.test_limit_s, max(AFTER_A_HANG_S, 4 * self._slowest_s))
        self._began = time.process_time()
        raise TooLong("the test did not end in time")

    def end(self) -> None:
        """No farewell of the test runner: reports and caches would only cost time."""
        used = os.times()
        self.tell("used", _address_space(), used.user + used.system)
        self.tell("finished")
        # What the tests left running may hold the pipe open.
        os.write(self._over, b"!")
        os._exit(0)


class TooLong(BaseException):
    """A test that did not end. No `except Exception` stops it."""


def _limited(told) -> None:
    os.setsid()
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)
    if told["cpu_limit_s"]:
        # Nobody listens for it, so it ends the process.
        signal.setitimer(signal.ITIMER_PROF, told["cpu_limit_s"])
    # What a candidate compiles must not be there for the next one.
    sys.dont_write_bytecode = bool(told["edits"])
    for what, most in (
        (resource.RLIMIT_AS, told["memory_bytes"]),
        (resource.RLIMIT_FSIZE, MOST_BYTES),
        (resource.RLIMIT_CORE, 0),
    ):
        hard = resource.getrlimit(what)[1]
        allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
        if allowed or what == resource.RLIMIT_CORE:
            resource.setrlimit(what, (allowed, hard))


def _address_space() -> int:
    """The most it ever had; 0 where the system does not tell."""
    try:
        with open("/proc/self/status", "rb") as file:
            lines = file.read().splitlines()
    except OSError:
        return 0
    return max((int(line.split()[1]) * 1024 for line in lines if line.startswith(b"VmPeak:")), default=0)


def _kill(pid: int) -> None:
    for kill in (os.killpg, os.kill):
        try:
            kill(pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            continue


def _write(path: str, data: bytes) -> None:
    """A new file, so that a hard link elsewhere keeps its content; and no compiled one stays beside it."""
    mode = os.stat(path).st_mode & 0o777
    os.unlink(path)
    handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    os.chmod(path, mode)
    try:
        os.unlink(importlib.util.cache_from_source(path))
    except (OSError, NotImplementedError, ValueError):
        pass
