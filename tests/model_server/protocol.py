"""What one wire protocol must know, so that a further one is one more file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from tests.model_server.script import Answer, Turn

Body = Mapping[str, Any]
PIECE_CHARS = 40


@dataclass(frozen=True)
class ToolCall(Turn):
    """A call of one of the CLI's tools, by its own name; `free_text` is for tools that take no JSON."""

    name: str
    arguments: Mapping[str, Any]
    text: str = ""
    free_text: str | None = None


@dataclass(frozen=True)
class Events:
    """One answer as it goes over the wire: whole, or as named events. `deltas` are the numbers of those
    after which a slow model pauses."""

    whole: Body
    events: Sequence[tuple[str, Body]]
    deltas: frozenset[int] = frozenset()


class WireProtocol(Protocol):
    name: str

    def serves(self, path: str) -> bool:
        """Whether a POST to this path asks the model."""
        ...

    def aside(self, path: str, body: Body) -> Body | None:
        """The answer to a POST that needs no model, such as counting tokens."""
        ...

    def tools(self, body: Body) -> tuple[str, ...]: ...
    def conversation(self, headers: Mapping[str, str], body: Body) -> str: ...
    def said(self, body: Body) -> str:
        """All text of the request: instructions and messages, without the descriptions of tools."""
        ...

    def unfold(self, turn: Turn, body: Body) -> Sequence[Turn]:
        """The same as `Say`, `Answer` or calls of tools that this CLI has."""
        ...

    def reply(self, turn: Turn, body: Body) -> Events: ...
    def refusal(self, status: int, kind: str, message: str) -> Body: ...


def pieces(text: str) -> list[str]:
    return re.findall(f"(?s).{{1,{PIECE_CHARS}}}", text)


def texts_in(value: object) -> list[str]:
    """Every string below `value`, in order."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        return [text for inner in value.values() for text in texts_in(inner)]
    if isinstance(value, list | tuple):
        return [text for inner in value for text in texts_in(inner)]
    return []


def text_of(turn: Turn) -> str:
    """The words of a turn that says something, whatever else it does."""
    text = getattr(turn, "text", "")
    assert isinstance(text, str)
    return text if not isinstance(turn, Answer) else ""
