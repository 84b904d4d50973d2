"""Tests told one a line, as small runners do: `FAIL: name`, `[ OK ] name`, `name ... ok`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from burnish.suite_output.text import BLOCK_LINES, NAME_CHARS, Failure, Lines, first_words

_PASSED = frozenset({"PASS", "PASSED", "OK", "ok"})
_FAILED = frozenset({"FAIL", "FAILED", "ERROR"})
_AROUND = "[]:|"
# The same test has one of these when it passes and another one when it does not.
_MARKS = " ✓✔√✗✘✕✖×❌✅"
# What a summary begins with: `FAILED (failures=1)`, `OK in 0.1 s`, `FAILED: 3 tests`.
_SUMMARY = re.compile(r"\(|in \d|\d+ ")
_SURELY = re.compile(r"(?:FAIL|FAILED): \S|\[ ?(?:FAIL|FAILED) ?\] \S|\S+ \.\.\. (?:FAIL|FAILED)$")
_NUMBERED = re.compile(r"\[\d+/\d+\]$")
_AT_THE_END = re.compile(r"\s+(?:\d+%|\([\d.]+ ?m?s\))$")


def told(line: str) -> tuple[str, bool] | None:
    """The test that a line is about and whether it passed."""
    words = line[: 2 * NAME_CHARS].split()
    if words and _NUMBERED.match(words[0]):
        del words[0]
    first, last = (_outcome(words[0]), _outcome(words[-1])) if len(words) > 1 else (None, None)
    if words[:1] == ["["] and words[2:3] == ["]"]:
        first, words = _outcome(words[1]), words[2:]
    if first is not None:
        name = _AT_THE_END.sub("", " ".join(words[1:]).strip(_MARKS)).strip(_MARKS)
        return (name[:NAME_CHARS], first) if not _SUMMARY.match(name) else None
    if last is not None and words[-2].endswith(("...", ":", "|")):
        name = " ".join(words[:-1]).rstrip(".:| ").strip(_MARKS)
        return (name[:NAME_CHARS], last) if name else None
    return None


def _outcome(word: str) -> bool | None:
    word = word.strip(_AROUND)
    return True if word in _PASSED else False if word in _FAILED else None


def plain(lines: Lines) -> Iterator[Failure]:
    """Where nothing is told to have passed, only `FAIL: name`: other words may be about anything."""
    tests = [(at, *one) for at, line in enumerate(lines) if (one := told(line))]
    if not any(passed for _, _, passed in tests):
        tests = [one for one in tests if _SURELY.match(lines[one[0]])]
    ends = [at for at, _, _ in tests[1:]] + [len(lines)] * bool(tests)
    for (at, name, passed), end in zip(tests, ends, strict=True):
        if not passed:
            block = lines[at + 1 : min(end, at + BLOCK_LINES)]
            yield Failure(name, first_words(block), block=tuple(block), innermost_last=True)
