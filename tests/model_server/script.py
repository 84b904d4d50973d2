"""What the model answers, turn by turn, in words that belong to no protocol and to no CLI."""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

# Told when the script has no more to say, so that a test sees it in the CLI's output as well.
EXHAUSTED = "THE SCRIPT HAS NOTHING MORE TO SAY"
FOR_EVER = 0


@dataclass(frozen=True)
class Turn:
    """One answer. `after_s` is waited before it; it is given `times` times, `FOR_EVER` for ever."""

    after_s: float = field(default=0.0, kw_only=True)
    times: int = field(default=1, kw_only=True)


@dataclass(frozen=True)
class Say(Turn):
    """Plain text. `pause_s` is waited between its pieces."""

    text: str
    pause_s: float = field(default=0.0, kw_only=True)


@dataclass(frozen=True)
class Answer(Turn):
    """What a schema asks for: through the CLI's tool for it where it offers one, else as JSON text."""

    data: Mapping[str, Any]


@dataclass(frozen=True)
class Edit(Turn):
    """`path` counts from the CLI's working folder; `old` and `new` are whole lines, as patches need them."""

    path: str
    old: str
    new: str
    text: str = "I will edit it."


@dataclass(frozen=True)
class Write(Turn):
    """A new file, or another content for one that is there. `told` is a pattern with one group, for a path
    that stands in the prompt."""

    path: str
    content: str
    text: str = "I will write it."
    told: str = ""

    def placed(self, said: str) -> Write:
        found = re.search(self.told, said) if self.told else None
        return replace(self, path=found[1]) if found else self


@dataclass(frozen=True)
class Read(Turn):
    path: str


@dataclass(frozen=True)
class Run(Turn):
    """A command line in the CLI's shell."""

    command: str
    text: str = "I will run it."


@dataclass(frozen=True)
class Use(Turn):
    """A tool of an MCP server. `told` are arguments that stand in the prompt: a pattern with one group each."""

    server: str
    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    told: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"mcp__{self.server}__{self.tool}"

    def given(self, said: str) -> dict[str, Any]:
        found = {name: re.search(pattern, said) for name, pattern in self.told.items()}
        return {**self.arguments, **{name: match[1] for name, match in found.items() if match}}


@dataclass(frozen=True)
class Refuse(Turn):
    """An HTTP status with the protocol's own error form; `kind` is its word for what is wrong."""

    status: int
    message: str = "scripted refusal"
    kind: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Drop(Turn):
    """The connection is closed after `events` pieces of the stream (0: before the status line)."""

    events: int = 2
    text: str = "This sentence is never heard to its"


@dataclass(frozen=True)
class Stall(Turn):
    """The stream begins and then nothing comes for `seconds`; then the connection is closed."""

    seconds: float = 600.0
    events: int = 2
    text: str = "Let me think"


@dataclass(frozen=True)
class Scene:
    """The turns of one conversation. `when` (a regular expression) must be in what the CLI sent first.

    It is played for `plays` conversations, `FOR_EVER` for all. `without_tools` also takes requests
    that offer no tools, which otherwise are side requests such as a title for the session. One that
    `cuts_in` is played as soon as its words are said, whatever the conversation has left.
    """

    turns: Sequence[Turn]
    when: str = ""
    plays: int = 1
    without_tools: bool = False
    cuts_in: bool = False


class Script:
    """Deals out turns; requests of several conversations may come at once."""

    def __init__(self, scenes: Sequence[Scene]) -> None:
        self._scenes = list(scenes)
        self._played = [0] * len(self._scenes)
        self._now: dict[str, tuple[int, list[Turn]]] = {}
        self._lock = threading.Lock()

    def tool_less(self, said: str) -> bool:
        """Whether a request without tools is one for the script."""
        return any(
            scene.without_tools and self._open(number, scene, said)
            for number, scene in enumerate(self._scenes)
        )

    def unfold(self, conversation: str, turns: Sequence[Turn]) -> None:
        """Put turns before what the conversation has left: one turn may need several requests."""
        with self._lock:
            number, left = self._now[conversation]
            self._now[conversation] = (number, [*turns, *left])

    def next(self, conversation: str, said: str) -> tuple[int, Turn] | None:
        """The scene's number and its next turn for this conversation, or None: nothing is left for it."""
        with self._lock:
            number, left = self._now.get(conversation, (-1, []))
            found = self._take(said, cuts_in=True)
            if found is not None or not left:
                found = self._take(said) if found is None else found
                if found is None:
                    return None
                number, left = found, list(self._scenes[found].turns)
            turn, rest = left[0], left[1:]
            if turn.times == FOR_EVER:
                rest = left
            elif turn.times > 1:
                rest = [replace(turn, times=turn.times - 1), *rest]
            self._now[conversation] = (number, rest)
            return number, turn

    @property
    def left(self) -> list[int]:
        """Numbers of the scenes that were not played as often as they should be."""
        with self._lock:
            return [
                number
                for number, scene in enumerate(self._scenes)
                if scene.plays != FOR_EVER and self._played[number] < scene.plays
            ]

    def _take(self, said: str, *, cuts_in: bool = False) -> int | None:
        for number, scene in enumerate(self._scenes):
            if scene.turns and scene.cuts_in is cuts_in and self._open(number, scene, said):
                self._played[number] += 1
                return number
        return None

    def _open(self, number: int, scene: Scene, said: str) -> bool:
        more = scene.plays == FOR_EVER or self._played[number] < scene.plays
        return more and re.search(scene.when, said) is not None
