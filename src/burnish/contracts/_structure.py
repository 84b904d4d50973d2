"""Native structured answers of a dialect whose answers are written text."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from burnish.codec import dumps, loads
from burnish.contracts._schema import Schema, maybe, problems, record, value
from burnish.contracts._text import one_line
from burnish.model.agent import Reply

ISSUE = record(
    file=maybe("string", "Path relative to the repository; null where it is about no file."),
    line=maybe("integer"),
    problem=value("string", "What goes wrong."),
    suggestion=maybe("string", "What would be enough to fix it."),
)
PROBLEMS_TOLD = 20
_ITEM_CHARS = 2000


@dataclass(frozen=True)
class Structure:
    """One structured answer; `value` is None when it is not of the schema, and `wrong` says why."""

    given: Any
    value: Mapping[str, Any] | None
    wrong: str = ""

    def native(self, key: str, words: Container[str]) -> str:
        """The verdict that a malformed answer still says; empty when it says none."""
        said = self.given.get(key) if isinstance(self.given, dict) else None
        return said if isinstance(said, str) and said in words else ""

    @property
    def summary(self) -> str:
        """The first text that a malformed answer holds."""
        return next((one_line(text) for text in _texts(self.given) if " " in text.strip()), "")


def structures(reply: Reply, schema: Schema) -> list[Structure]:
    """Every structured answer of a reply, checked against the schema; several must agree."""
    if reply.structured is None:
        return []
    given = reply.structured if isinstance(reply.structured, list) else [reply.structured]
    return [_structure(one, schema) for one in given] or [_structure([], schema)]


def _structure(given: Any, schema: Schema) -> Structure:
    if isinstance(given, str):
        return Structure(_read(given), None, "the structured answer is a text, not an object")
    try:
        dumps(given)
    except (TypeError, ValueError, RecursionError) as error:
        return Structure(given, None, f"the structured answer is not valid JSON: {error}")
    wrong = problems(given, schema)
    if wrong:
        more = len(wrong) - PROBLEMS_TOLD
        told = "; ".join(wrong[:PROBLEMS_TOLD]) + (f"; and {more} more" if more > 0 else "")
        return Structure(given, None, f"the structured answer is not of the form asked for: {told}")
    return Structure(given, given)


def _read(text: str) -> Any:
    """What a text would be as an object: it can deny all the same."""
    try:
        return loads(text)
    except ValueError:
        return text


def beside(reply: Reply, given: Sequence[Structure]) -> str:
    """The message, unless it only repeats the structured answer."""
    try:
        repeats = bool(given) and loads(reply.text) in [one.given for one in given]
    except ValueError:
        repeats = False
    return "" if repeats else reply.text


def _texts(given: Any) -> Iterator[str]:
    if isinstance(given, str):
        yield given
    elif isinstance(given, list | dict):
        for one in given if isinstance(given, list) else given.values():
            yield from _texts(one)


def issue_lines(issues: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Issues as list items, one line each."""
    for issue in issues:
        place = f"{issue['file']}:{issue['line']}" if issue["line"] else issue["file"] or ""
        said = [place, issue["problem"], f"({issue['suggestion']})" if issue["suggestion"] else ""]
        words = ": ".join(filter(None, said[:2])) + (f" {said[2]}" if said[2] else "")
        yield f"- {one_line(' '.join(words.split()), _ITEM_CHARS)}"
