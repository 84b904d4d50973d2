"""Stands in for `python -m unittest`: serves jobs; each child goes on as the run that was asked for."""

from __future__ import annotations

import os
import sys
import time
import unittest
from traceback import format_exception_only

import burnish_search_server as server
import burnish_search_trace as trace

SAID_CHARS = 300


class Result(unittest.TestResult):
    """Tells of each test as it ends."""

    def __init__(self, job, tracer) -> None:
        super().__init__()
        self.job, self.tracer = job, tracer
        self.failfast = job.stop_first
        self._began = 0.0
        self._told = False

    def startTest(self, test) -> None:
        super().startTest(test)
        self._began, self._told = time.monotonic(), False
        self.tracer.start()
        self.job.watch()

    def stopTest(self, test) -> None:
        self.job.unwatch()
        self.tracer.stop(test.id())
        super().stopTest(test)

    def addSuccess(self, test) -> None:
        if not self._told:
            self._tell(test, "passed")

    def addFailure(self, test, err) -> None:
        self._failed(test, err)
        super().addFailure(test, err)

    def addError(self, test, err) -> None:
        self._failed(test, err)
        super().addError(test, err)

    def addSubTest(self, test, subtest, err) -> None:
        if err is not None:
            self._failed(test, err)
        super().addSubTest(test, subtest, err)

    def addSkip(self, test, reason) -> None:
        self._tell(test, "skipped")

    def addExpectedFailure(self, test, err) -> None:
        self._tell(test, "skipped")

    def addUnexpectedSuccess(self, test) -> None:
        self._tell(test, "failed")

    def _failed(self, test, err) -> None:
        said = "".join(format_exception_only(err[0], err[1]))[:SAID_CHARS]
        self._tell(test, "failed", said, self.job.frames(err[2]))

    def _tell(self, test, outcome, said="", frames=()) -> None:
        self._told = True
        took = time.monotonic() - self._began if self._began else 0.0
        self.job.tell("test", test.id(), outcome, took, said, list(frames))


class Program(unittest.TestProgram):
    """Forks before any test is loaded, and runs the tests that the job names."""

    def parseArgs(self, argv) -> None:
        found = server.Server(os.environ.pop(server.DESK))
        if not found.alone():
            os._exit(0)
        self.job = found.next_job()
        self.tracer = trace.tracer(self.job)
        self.tracer.start()
        super().parseArgs(argv)

    def runTests(self) -> None:
        self.tracer.stop("")
        tests = list(flat(self.test))
        for test in tests:
            self.job.tell("collected", test.id())
        wanted = frozenset(self.job.tests)
        suite = unittest.TestSuite(test for test in tests if not wanted or test.id() in wanted)
        suite.run(Result(self.job, self.tracer))
        self.job.end()


def flat(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from flat(test)
        else:
            yield test


if __name__ == "__main__":
    sys.argv[0] = "python -m unittest"
    # `-m` puts the current folder first, as for unittest itself.
    Program(module=None)
