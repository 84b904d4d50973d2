"""A native structured answer of a dialect whose answers are written text, with the words beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from burnish.codec import dumps, loads
from burnish.contracts._schema import Schema, maybe, problems, record, value
from burnish.contracts._text import one_line, writable
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
    """`value` is None when it is not of the schema, and `wrong` says all that is wrong.

    `text` is it as text; `beside` are other words of the same answer: they must not contradict it.
    """

    value: Mapping[str, Any] | None
    wrong: str
    text: str
    beside: tuple[str, ...] = ()


def structure(reply: Reply, schema: Schema, key: str) -> Structure:
    """The structured answer of a reply that has one, checked against the schema; `key` is its verdict."""
    given = reply.structured
    try:
        given = loads(given) if isinstance(given, str) else given
        text = dumps(given)
    except (TypeError, ValueError, RecursionError) as error:
        return Structure(None, f"the structured answer is not valid JSON: {error}", writable(reply.text))
    wrong = problems(given, schema)
    if wrong:
        more = len(wrong) - PROBLEMS_TOLD
        told = "; ".join(wrong[:PROBLEMS_TOLD]) + (f"; and {more} more" if more > 0 else "")
        return Structure(None, f"the structured answer is not of the form asked for: {told}", text)
    if reply.truncated:
        return Structure(given, "the review was cut because it was too long", text)
    written = tuple(field for field in given.values() if isinstance(field, str))
    beside, differs = _beside(reply, given, schema["properties"][key]["enum"], key)
    return Structure(given, differs, text, (*written, *beside))


def issue_lines(issues: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Issues as list items, one line each."""
    for issue in issues:
        place = f"{issue['file']}:{issue['line']}" if issue["line"] else issue["file"] or ""
        said = [place, issue["problem"], f"({issue['suggestion']})" if issue["suggestion"] else ""]
        words = ": ".join(filter(None, said[:2])) + (f" {said[2]}" if said[2] else "")
        yield f"- {one_line(' '.join(words.split()), _ITEM_CHARS)}"


def _beside(
    reply: Reply, given: Mapping[str, Any], words: Sequence[str], key: str
) -> tuple[tuple[str, ...], str]:
    """The other words; and what is wrong with them, where another structured answer stands in them."""
    texts = [text for text in (reply.text, reply.report) if text and not _same(text, given)]
    others = "|".join(word for word in words if word != given[key])
    # Quoted, broken or whole: doubt does not pass.
    other = re.compile(rf"""["']{key}["']\s{{0,9}}:\s{{0,9}}["']?(?:{others})\b""", re.ASCII)
    differs = "the text beside the structured answer holds another one"
    return tuple(map(writable, texts)), differs if any(map(other.search, texts)) else ""


def _same(text: str, given: Mapping[str, Any]) -> bool:
    try:
        return bool(loads(text) == given)
    except ValueError:
        return False
