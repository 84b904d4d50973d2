"""Which tests of an output failed and which passed, whichever of the known runners wrote it."""

from __future__ import annotations

import re

from burnish.suite_output import others, python
from burnish.suite_output.plain import plain, told
from burnish.suite_output.text import NAME_CHARS, Failure, lines_of

_PASSES = (
    # pytest -v, also with xdist, and -rA
    re.compile(r"^(\S+\.py::.+?) PASSED(?: +\[ *\d+%\])?$"),
    re.compile(r"^(?:\[gw\d+\] \[ *\d+%\] )?PASSED (\S+\.py::.+)$"),
    re.compile(r"^(?:    )*ok \d+(?: -)? ?((?:(?!# (?:SKIP|TODO)).)*)$", re.I),
    re.compile(r"^\s*--- PASS: (\S+)"),
    re.compile(r"^test (\S+) \.\.\. ok$"),
    re.compile(r"^\s*[✓✔√] (.+?)(?: \([\d.]+ ?m?s\))?$"),
    # doctest -v
    re.compile(r"^ +\d+ tests? in ([\w.]+)$"),
)
# The first line of a verbose unittest, whose second one is the docstring of the test.
_DESCRIBED = re.compile(r"^(\w+ \([\w.]+\))$")
_DESCRIPTION = re.compile(r"^\S.* \.\.\. ok$")
# Of these the first that says anything; what it finds is added up.
_COUNTS = (
    re.compile(r"^\s*Ran (\d+) tests?\b", re.M),
    re.compile(r"^1\.\.(\d+)\b", re.M),
    re.compile(r"^(\d+) scenarios? passed, (\d+) failed", re.M),
    re.compile(r"^(\d+) tests? in \d+ items?", re.M),
    re.compile(r"\b(\d+) (?:passed|passing|failed|failing|errors?)\b"),
)


def failures(output: str) -> tuple[Failure, ...]:
    """Every failing test that the output names."""
    lines = lines_of(output)
    for read in (*python.READERS, *others.READERS, plain):
        found = tuple({failure.name: failure for failure in read(lines)}.values())
        if found:
            return found
    return ()


def passes(output: str) -> tuple[str, ...]:
    """Every test that the output names as passed; few runners do so without being asked."""
    named: dict[str, None] = {}
    plain_names: dict[str, None] = {}
    lines = lines_of(output)
    for before, line in zip(["", *lines], lines, strict=False):
        described = _DESCRIBED.match(before)
        if described and _DESCRIPTION.match(line):
            named[described[1]] = None
        elif name := _passed(line):
            named[name] = None
        elif (one := told(line)) and one[1]:
            plain_names[one[0]] = None
    by_unittest = {name: None for name in plain_names if _DESCRIBED.match(name)}
    # `Applying 0001_initial... OK` stands among Django's tests and is none.
    return tuple(named | (by_unittest or plain_names))


def _passed(line: str) -> str:
    for form in _PASSES:
        # No name is longer, and a long line costs some of these forms much time.
        if match := form.match(line[: 2 * NAME_CHARS]):
            return match[1].strip()[:NAME_CHARS]
    return ""


def count_of(output: str) -> int:
    """How many tests were run, as the runner says itself; 0 where it does not."""
    text = "\n".join(lines_of(output))
    for form in _COUNTS:
        if counts := [int(number) for match in form.finditer(text) for number in match.groups() if number]:
            return sum(counts)
    return 0


__all__ = ["count_of", "failures", "passes"]
