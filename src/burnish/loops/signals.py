"""The exit signal in an agent's last words: on a line of its own, not quoted; the last one counts."""

from __future__ import annotations

import re

from burnish.contracts._inline import TooBusy
from burnish.contracts._markdown import Place, own_lines
from burnish.contracts._text import clean, writable
from burnish.model.signal import ExitSignal, ExitWord

MOST_CHARS = 2000
# Only the end of a flood is looked at: the signal is asked for as the last line.
TAIL_CHARS = 200_000
_MARKS = r"(?:\*\*|__)?"
_BARE = re.compile(rf" {{0,3}}{_MARKS}(ITERATION_DONE|TASK_COMPLETE){_MARKS}[.!]?{_MARKS}[ \t]*")
_WITH_REASON = re.compile(rf" {{0,3}}{_MARKS}(TASK_STUCK|TASK_QUESTION){_MARKS}:{_MARKS}[ \t]*(\S.*)")
_QUESTION_WORD = re.compile("QUESTION")
_QUESTION = re.compile(rf" {{0,3}}{_MARKS}QUESTION{_MARKS}:{_MARKS}[ \t]*(\S.*)")
_ANY = re.compile("ITERATION_DONE|TASK_COMPLETE|TASK_STUCK|TASK_QUESTION")


def read_signal(text: str) -> ExitSignal | None:
    """None when there is none, or when nobody can tell: the loop goes on then, which costs an iteration."""
    try:
        found = own_lines(clean(text[-TAIL_CHARS:]), _ANY)
    except TooBusy:
        return None
    live = [place == Place.LIVE for place in found.places]
    for number in range(len(found.lines) - 1, -1, -1):
        line = found.lines[number]
        if not live[number]:
            continue
        if bare := _BARE.fullmatch(line):
            return ExitSignal(ExitWord(bare[1]))
        if told := _WITH_REASON.fullmatch(line):
            more = _paragraph(found.lines[number + 1 :]) if told[1] == ExitWord.TASK_QUESTION else ()
            reason = "\n".join((told[2].strip(), *more))
            return ExitSignal(ExitWord(told[1]), writable(reason[:MOST_CHARS]).strip())
    return None


def unheard(text: str) -> str:
    """The word of a last line that does not count because of what stands before it; else nothing."""
    if read_signal(text) is not None:
        return ""
    last = text.rstrip().rpartition("\n")[2].strip()
    found = _BARE.fullmatch(last) or _WITH_REASON.fullmatch(last)
    return found[1] if found else ""


def read_question(text: str) -> ExitSignal | None:
    """What a writer of another profile asks a person: its last line, not a quoted one, is `QUESTION: ...`."""
    try:
        found = own_lines(clean(text[-TAIL_CHARS:]), _QUESTION_WORD)
    except TooBusy:
        return None
    last = max((number for number, line in enumerate(found.lines) if line.strip()), default=None)
    if last is None or found.places[last] != Place.LIVE:
        return None
    told = _QUESTION.fullmatch(found.lines[last])
    if told is None:
        return None
    return ExitSignal(ExitWord.TASK_QUESTION, writable(told[1][:MOST_CHARS]).strip())


def _paragraph(lines: list[str]) -> tuple[str, ...]:
    """A question may be longer than a line: it ends with its paragraph."""
    end = next((number for number, line in enumerate(lines) if not line.strip()), len(lines))
    return tuple(line.strip() for line in lines[:end])
