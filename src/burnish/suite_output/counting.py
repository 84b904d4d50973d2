"""How many tests a command says it ran, as the known runners count them."""

from __future__ import annotations

import re
from dataclasses import dataclass

_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_NUMBERS = re.compile(
    r"(?<!\d)(\d{1,9}) "
    r"(passed|passing|failed|failing|failures?|errors?|skipped|pending|todo|ignored|xfailed|xpassed)\b"
)
_FAILED = {"failed", "failing", "failure", "failures", "error", "errors"}
_PASSED = {"passed", "passing", "xpassed"}
# Lines in which a runner counts its tests, in words that _NUMBERS knows.
_COUNTING = re.compile(
    r"^(?:=*[ ]?\d+ [a-z]+(?:, \d+ [a-z]+)* in [\d.:() hms]+=*"  # pytest
    r"|=*[ ]?no tests ran in [\d.]+s.*"
    r"|[ ]*Tests:?[ ]+\d.*"  # jest, vitest
    r"|test result: \w+\. .*"  # cargo
    r"|[ ]*\d+ (?:passing|pending|failing)\b.*)$",  # mocha
    re.MULTILINE,
)
_UNITTEST = re.compile(
    r"^Ran (\d{1,9}) tests? in [\d.]+s\n+(?:OK|FAILED|NO TESTS RAN)(?: \((.*)\))?", re.MULTILINE
)
_RSPEC = re.compile(r"^(\d{1,9}) examples?, (\d{1,9}) failures?(?:, (\d{1,9}) pending)?", re.MULTILINE)
_TAP = re.compile(r"^# (pass|fail|skipped) (\d{1,9})$", re.MULTILINE)
_TAP_WORDS = {"pass": "passed", "fail": "failed", "skipped": "skipped"}
_TAP_LINE = re.compile(r"^(not )?ok \d{1,9}\b([^\n]*)$", re.MULTILINE)
_TAP_PLAN = re.compile(r"^1\.\.(\d{1,9})\b", re.MULTILINE)
_TAP_LEFT = re.compile(r"#\s*(?:skip|todo)", re.IGNORECASE)
_PROVE = re.compile(r"^Files=\d{1,9}, Tests=(\d{1,9}),[^\n]*\nResult: (\w+)", re.MULTILINE)
_PROVE_FAILED = re.compile(r"^[ \t]*Failed (\d{1,9})/\d{1,9} subtests", re.MULTILINE)
# Ran, failed, failed otherwise, skipped; of other runners, each of which counts on one line.
_OTHERS = tuple(
    re.compile(form, re.MULTILINE)
    for form in (
        # minitest, Test::Unit
        r"^(\d{1,9}) (?:runs|tests), \d+ assertions, (\d{1,9}) failures, (\d{1,9}) errors"
        r", (\d{1,9}) (?:skips|pendings)",
        r"^OK \((\d{1,9}) tests?, \d+ assertions?\)()()()",  # PHPUnit
        r"^(\d{1,9}) tests?, (\d{1,9}) failures?()(?:, (\d{1,9}) (?:skipped|excluded))?$",  # ExUnit, bats
        r"^\s*Executed (\d{1,9}) tests?, with ()(\d{1,9}) failures?()",  # XCTest
        r"^\d+% tests passed, ()(\d{1,9}) tests? failed out of (\d{1,9})()",  # CTest
    )
)
_GO = re.compile(r"^ok[ ]+\t\S+\t(?!.*no tests to run).*$", re.MULTILINE)
_MAVEN = re.compile(r"Tests run: (\d{1,9}), Failures: (\d{1,9}), Errors: (\d{1,9}), Skipped: (\d{1,9})")


@dataclass(frozen=True)
class Counted:
    """A sum over all runners that a gate starts."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0


def count_tests(output: str) -> Counted | None:
    """None when no runner we know has counted its tests there."""
    text = _COLOURS.sub("", output)
    found = [_summed(match[0]) for match in _COUNTING.finditer(text)]
    found += [_unittest(int(ran), words) for ran, words in _UNITTEST.findall(text)]
    found += [_of(int(ran), int(bad), int(left or 0)) for ran, bad, left in _RSPEC.findall(text)]
    found += [_of(int(ran), int(a) + int(b), int(left)) for ran, a, b, left in _MAVEN.findall(text)]
    found += [Counted(**{_TAP_WORDS[word]: int(number)}) for word, number in _TAP.findall(text)]
    found += _tap(text) if not _TAP.search(text) else []
    found += [_prove(int(ran), word, text) for ran, word in _PROVE.findall(text)]
    found += [_other(*match) for form in _OTHERS for match in form.findall(text)]
    found += [Counted(passed=1) for _ in _GO.finditer(text)]
    if not found:
        return None
    return Counted(*(sum(getattr(one, name) for one in found) for name in ("passed", "failed", "skipped")))


def _of(ran: int, failed: int, skipped: int) -> Counted:
    return Counted(ran - failed - skipped, failed, skipped)


def _unittest(ran: int, words: str) -> Counted:
    """`failures=1, errors=2, skipped=3`: whatever is neither of the first two was not really tried."""
    counts = {word.strip(): int(number) for word, number in re.findall(r"([a-z ]+)=(\d{1,9})", words)}
    failed = counts.pop("failures", 0) + counts.pop("errors", 0)
    return _of(ran, failed, sum(counts.values()))


def _tap(text: str) -> list[Counted]:
    """The lines of tests themselves; what a plan promises beyond them has failed."""
    lines = [(bool(bad), bool(_TAP_LEFT.search(rest))) for bad, rest in _TAP_LINE.findall(text)]
    plans = [int(number) for number in _TAP_PLAN.findall(text)]
    if not lines or not plans:
        return []
    failed = sum(bad and not left for bad, left in lines)
    skipped = sum(left for _, left in lines)
    missing = max(0, sum(plans) - len(lines))
    return [Counted(len(lines) - failed - skipped, failed + missing, skipped)]


def _prove(ran: int, result: str, text: str) -> Counted:
    failed = sum(int(number) for number in _PROVE_FAILED.findall(text))
    return _of(ran, min(ran, failed) if result == "PASS" else min(ran, max(1, failed)), 0)


def _other(ran: str, failed: str, others: str, skipped: str) -> Counted:
    if not ran:  # CTest counts the failed ones first
        ran, others = others, ""
    return _of(int(ran), int(failed or 0) + int(others or 0), int(skipped or 0))


def _summed(line: str) -> Counted:
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for number, word in _NUMBERS.findall(line):
        counts["passed" if word in _PASSED else "failed" if word in _FAILED else "skipped"] += int(number)
    return Counted(**counts)
