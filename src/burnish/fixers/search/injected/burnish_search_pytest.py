"""A plugin for the project's own pytest: it serves jobs; each child goes on as the run that was asked for."""

from __future__ import annotations

import os
import unittest
from traceback import format_exception_only

import burnish_search_server as server
import burnish_search_trace as trace
import pytest

SAID_CHARS = 300
SKIPS = (pytest.skip.Exception, unittest.SkipTest)
# What would run the tests elsewhere, in another order, or not all of them.
OFF = (
    ("numprocesses", None), ("dist", "no"), ("tx", []), ("looponfail", False), ("cov_source", None),
    ("lf", False), ("failedfirst", False), ("newfirst", False), ("stepwise", False),
)  # fmt: skip
state = {}
ahead = []


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_load_initial_conftests(early_config):
    """Before anything of the project is imported; the parent stays here for ever."""
    desk = os.environ.pop(server.DESK, "")
    if desk:
        found = server.Server(desk)
        if not found.alone():
            os._exit(0)
        if found.probe():
            ahead.append(found)
        else:
            _begin(found.next_job())
        _off(early_config.known_args_namespace)
    yield


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config):
    if state or ahead:
        _off(config.option)


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session):
    """The latest place to fork at, if no conftest has brought in the project."""
    if ahead and ahead[0].ahead():
        _begin(ahead.pop().next_job())
    job = state.get("job")
    if job is not None:
        session.config.option.maxfail = 1 if job.stop_first else 0
        if job.tests:
            session.config.args = list(job.tests)


def _begin(job) -> None:
    state["job"] = job
    state["trace"] = trace.tracer(job)
    state["trace"].start()


def _off(options) -> None:
    for name, value in OFF:
        if hasattr(options, name):
            setattr(options, name, value)


def pytest_collection_finish(session):
    if state:
        state["trace"].stop("")
        for item in session.items:
            state["job"].tell("collected", item.nodeid)


def pytest_collectreport(report):
    if state and report.failed:
        state["job"].tell("test", report.nodeid, "error", 0.0, str(report.longrepr)[-SAID_CHARS:], [])


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    if state:
        state["trace"].start()
        state["job"].watch()
    yield
    if state:
        state["job"].unwatch()
        state["trace"].stop(item.nodeid)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    if not state:
        return
    job, report = state["job"], outcome.get_result()
    said, frames = "", []
    if report.failed and call.excinfo is not None:
        said = "".join(format_exception_only(call.excinfo.type, call.excinfo.value))[:SAID_CHARS]
        frames = job.frames(call.excinfo.tb)
    if report.when == "call" or not report.passed:
        job.tell("test", report.nodeid, report.outcome, call.duration, said, frames)


class Short:
    """Reports without a traceback: to lay out a failure costs more than many a test."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item, call):
        if not state or call.excinfo is None or call.excinfo.errisinstance(SKIPS):
            return None
        return pytest.TestReport(
            nodeid=item.nodeid,
            location=item.location,
            keywords=dict.fromkeys(item.keywords, 1),
            outcome="failed",
            longrepr="failed",
            when=call.when,
            duration=call.duration,
        )


def pytest_configure(config):
    config.pluginmanager.register(Short(), "burnish_search_short")


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session):
    if state:
        state["job"].end()
