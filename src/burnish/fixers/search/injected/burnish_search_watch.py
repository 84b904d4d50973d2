"""Runs in each Python process of a test command that is no server: tells which lines each test runs.

Standard library only, and no syntax that Python 3.8 does not read.
"""

from __future__ import annotations

import atexit
import importlib.machinery
import importlib.util
import opcode
import os
import resource
import sys

import burnish_search_trace as trace

PLACE, ROOT, MEMORY = "BURNISH_SEARCH_LINES", "BURNISH_SEARCH_ROOT", "BURNISH_SEARCH_MEMORY"
ELSEWHERE = ("site-packages", ".venv", "venv", ".tox", ".nox", "node_modules")
# Runners of shell scripts that start a process for each test say in it which one that is.
NAMED_BY = ("BATS_TEST_DESCRIPTION",)
DOCTEST = "<doctest "
# What a function ends with that was not left by an exception.
ENDS = ("RETURN_VALUE", "RETURN_CONST", "YIELD_VALUE", "RETURN_GENERATOR")


def begin(site: str) -> None:
    """`site` is the folder whose sitecustomize this is; the one that would be there without us comes next."""
    memory = int(os.environ.get(MEMORY, "0"))
    if memory:
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        most = memory if hard == resource.RLIM_INFINITY else min(memory, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    sys.path[:] = [entry for entry in sys.path if os.path.realpath(entry) != site]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", sys.path)
    if spec is not None and spec.loader is not None:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))
    if os.environ.get(PLACE):
        job = Told(os.environ[PLACE], os.environ[ROOT])
        watch = MonitoredTests(job) if hasattr(sys, "monitoring") else TracedTests(job)
        atexit.register(watch.end)
        watch.start()


class Told:
    """Whom a tracer tells: a file of this process."""

    traced = ()

    def __init__(self, place: str, root: str) -> None:
        self.root = root
        self.judges = set()
        self.path = os.path.join(place, str(os.getpid()))

    def tell(self, *record: object) -> None:
        with open(self.path, "ab") as file:
            file.write((ascii(record) + "\n").encode("ascii"))

    def judge(self, name: str) -> None:
        if name not in self.judges:
            self.judges.add(name)
            self.tell("judge", name)

    def relative(self, path: str) -> str:
        if not path.endswith(".py"):
            return ""
        path = os.path.realpath(path)
        if not path.startswith(self.root + os.sep):
            return ""
        name = path[len(self.root) + 1 :]
        return "" if any(part in ELSEWHERE for part in name.split(os.sep)) else name


def test_of(job, code, module: str) -> str:
    """What the code is called if it is a test of the project, or an example of a docstring; else nothing."""
    if code.co_filename.startswith(DOCTEST):
        return code.co_filename[len(DOCTEST) :].rpartition("[")[0]
    if code.co_name.startswith("test") and job.relative(code.co_filename):
        job.judge(job.relative(code.co_filename))
        return module + "." + getattr(code, "co_qualname", code.co_name).replace("<locals>.", "")
    return ""


def outside() -> str:
    """What runs outside of any test, where a process is not one test as a whole."""
    return next((os.environ[name] for name in NAMED_BY if os.environ.get(name)), "")


class TracedTests(trace.Traced):
    """The outermost function called `test...` is the test."""

    inside = False

    def end(self) -> None:
        self.stop(outside())

    def _called(self, frame, event, arg):
        local = super()._called(frame, event, arg)
        test = (
            "" if self.inside else test_of(self.job, frame.f_code, str(frame.f_globals.get("__name__", "")))
        )
        if not test:
            return local
        self.tell(outside())
        self.inside = True

        def watched(frame, event, arg):
            if event == "return":
                last = opcode.opname[frame.f_code.co_code[frame.f_lasti]]
                self.job.tell("left", test, last in ENDS)
                self.tell(test)
                self.inside = False
            elif local is not None:
                local(frame, event, arg)
            return watched

        return watched


class MonitoredTests(trace.Monitored):
    """The same by `sys.monitoring`; `test` is the code that runs and what it is called."""

    test = (None, "")

    def start(self) -> None:
        super().start()
        watch = sys.monitoring
        events = watch.events
        watch.register_callback(trace.TOOL, events.PY_START, self._start)
        watch.register_callback(trace.TOOL, events.PY_RESUME, self._start)
        watch.register_callback(trace.TOOL, events.PY_RETURN, self._returned)
        watch.register_callback(trace.TOOL, events.PY_YIELD, self._returned)
        watch.register_callback(trace.TOOL, events.PY_UNWIND, self._thrown)
        watch.set_events(
            trace.TOOL,
            events.LINE
            | events.PY_START
            | events.PY_RESUME
            | events.PY_RETURN
            | events.PY_YIELD
            | events.PY_UNWIND,
        )

    def end(self) -> None:
        self.stop(outside())

    def _start(self, code, offset):
        if self.test[0] is not None:
            return None
        name = test_of(self.job, code, str(sys._getframe(1).f_globals.get("__name__", "")))
        if not name:
            return sys.monitoring.DISABLE
        self.tell(outside())
        self.test = (code, name)
        sys.monitoring.restart_events()
        return None

    def _returned(self, code, offset, value):
        self._left(code, True)

    def _thrown(self, code, offset, value):
        self._left(code, False)

    def _left(self, code, ended):
        if code is self.test[0]:
            self.job.tell("left", self.test[1], ended)
            self.tell(self.test[1])
            self.test = (None, "")
            sys.monitoring.restart_events()
