"""Failing tests as the test runners of Python name them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from burnish.suite_output.text import Failure, Lines, cut, first_words, last_words

_PYTEST_SUMMARY = re.compile(
    r"^(FAILED|ERROR|SUBFAIL\S*(?: \([^)]*\))?) (\S+?\.\w+)(?:::(.+?))?(?: - (.*))?$"
)
_PYTEST_HEADER = re.compile(r"^_{2,} (?:ERROR (?:at (?:setup|teardown) of|collecting) )?(.+?) _{2,}$")
_UNITTEST = re.compile(r"^(?:FAIL|ERROR): (\S+(?: \([^)]*\))?)")
# zope.testrunner and green, which build on unittest.
_IN_TEST = re.compile(r"^(?:Failure|Error) in (?:test )?([\w.]+(?: \([\w.]+\))?)$")
_TRIAL = re.compile(r"^(\[(?:FAIL|ERROR)\])$")
_DOCTEST = re.compile(r'^File "([^"]+)", line \d+, in (\S+)$')
_DOCTEST_END = re.compile(r"\*{4}|Trying:|\d+ items? ")
_DOCTEST_LINE = "Failed example:"
_SCENARIO_LISTS = ("Failing scenarios:", "Errored scenarios:")
_SCENARIO = re.compile(r"^  (\S+\.feature:\d+)  (.+)$")


def pytest(lines: Lines) -> Iterator[Failure]:
    blocks = cut(lines, _PYTEST_HEADER, lambda line: line.startswith(("====", "---- Captured", "-----")))
    for line in lines:
        found = _PYTEST_SUMMARY.match(line)
        if not found:
            continue
        file, test, said = found[2], found[3] or "", found[4] or ""
        block = blocks.take(test.replace("::", ".") if test else file)
        yield Failure(
            name=f"{file}::{test}" if test else file,
            said=said or _error_line(block),
            file=file,
            block=tuple(block),
            innermost_last=True,
            collecting=not test,
        )


def _error_line(block: Lines) -> str:
    return next((line[1:].strip() for line in reversed(block) if line.startswith("E  ")), "")


def unittest(lines: Lines) -> Iterator[Failure]:
    """Django's, nose2's and unittest's own, below a ruler; `FAIL: name` alone may be anybody's."""
    if not any(line.startswith("=====") for line in lines):
        return
    blocks = cut(lines, _UNITTEST, lambda line: line.startswith(("=====", "Ran ")))
    for name, block in blocks.named:
        collecting = "unittest.loader._FailedTest" in name
        yield Failure(name, last_words(block), block=tuple(block), innermost_last=True, collecting=collecting)


def in_test(lines: Lines) -> Iterator[Failure]:
    for name, block in cut(lines, _IN_TEST, lambda line: line.lstrip().startswith("Ran ")).named:
        yield Failure(name, last_words(block), block=tuple(block), innermost_last=True)


def trial(lines: Lines) -> Iterator[Failure]:
    """Twisted's names the tests below what they have in common."""
    for _, block in cut(lines, _TRIAL, lambda line: line.startswith(("====", "----"))).named:
        names = []
        while block and block[-1]:
            names.append(block.pop())
        for name in reversed(names):
            yield Failure(name, last_words(block), block=tuple(block), innermost_last=True)


def doctest(lines: Lines) -> Iterator[Failure]:
    """One for each docstring: its examples are steps of one test."""
    for at, line in enumerate(lines[:-1]):
        found = _DOCTEST.match(line)
        if found and lines[at + 1] == _DOCTEST_LINE:
            ends = (n for n in range(at, len(lines)) if _DOCTEST_END.match(lines[n]))
            block = lines[at : next(ends, len(lines))]
            said = " ".join(part.strip() for part in block[2:] if part.strip())
            yield Failure(found[2], said[:200], file=found[1], block=tuple(block), innermost_last=True)


def behave(lines: Lines) -> Iterator[Failure]:
    for start in [at for at, line in enumerate(lines) if line in _SCENARIO_LISTS]:
        for line in lines[start + 1 :]:
            found = _SCENARIO.match(line)
            if not found:
                break
            block = _scenario(lines, found[1])
            yield Failure(
                found[2], first_words(block[-3:]), file=found[1].partition(":")[0], block=tuple(block)
            )


def _scenario(lines: Lines, place: str) -> Lines:
    """What is printed below the scenario of that place."""
    start = next((at for at, line in enumerate(lines) if line.endswith(f"# {place}")), len(lines))
    end = next((at for at in range(start, len(lines)) if not lines[at]), len(lines))
    return lines[start + 1 : end]


READERS = (pytest, unittest, in_test, trial, doctest, behave)
