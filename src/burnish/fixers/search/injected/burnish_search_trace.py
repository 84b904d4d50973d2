"""Which lines of the project a test runs: `sys.monitoring` where there is one, else `sys.settrace`."""

from __future__ import annotations

import sys
import threading

TOOL = 3


def tracer(job):
    if not job.traced:
        return Silent()
    return Monitored(job) if hasattr(sys, "monitoring") else Traced(job)


class Silent:
    def start(self) -> None:
        """Nothing is wanted."""

    def stop(self, test: str) -> None:
        """Nothing was taken."""


class Lines:
    """`wanted` are the files to look at, as paths below the root; without any, all of the project."""

    def __init__(self, job) -> None:
        self.job = job
        self.wanted = frozenset(job.traced)
        self.names = {}
        self.hit = {}

    def name(self, filename: str) -> str:
        known = self.names.get(filename)
        if known is None:
            found = self.job.relative(filename)
            known = self.names[filename] = found if not self.wanted or found in self.wanted else ""
        return known

    def tell(self, test: str) -> None:
        """What was run since the last time."""
        found = {}
        for (filename, _), lines in self.hit.items():
            if lines:
                found.setdefault(self.name(filename), set()).update(lines)
                lines.clear()
        self.job.tell("lines", test, {name: sorted(lines) for name, lines in found.items()})


class Traced(Lines):
    def start(self) -> None:
        threading.settrace(self._called)
        sys.settrace(self._called)

    def stop(self, test: str) -> None:
        sys.settrace(None)
        threading.settrace(None)
        self.tell(test)

    def _called(self, frame, event, arg):
        code = frame.f_code
        filename = code.co_filename
        if not self.name(filename):
            return None
        lines = self.hit.setdefault((filename, code), set())
        add = lines.add

        def line(frame, event, arg):
            add(frame.f_lineno)
            return line

        return line


class Monitored(Lines):
    def start(self) -> None:
        watch = sys.monitoring
        if watch.get_tool(TOOL) is None:
            watch.use_tool_id(TOOL, "burnish-search")
            watch.register_callback(TOOL, watch.events.LINE, self._line)
        watch.set_events(TOOL, watch.events.LINE)
        watch.restart_events()

    def stop(self, test: str) -> None:
        sys.monitoring.set_events(TOOL, 0)
        self.tell(test)

    def _line(self, code, number):
        if self.name(code.co_filename):
            self.hit.setdefault((code.co_filename, ""), set()).add(number)
        return sys.monitoring.DISABLE
