"""What Claude Code says it used: message by message while it works, and by model at its end."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from burnish.agents import _json_lines as lines
from burnish.model.agent import Usage

_CACHED = "cacheReadInputTokens"


class MessageUsage:
    """The sum over all messages. A message comes in several lines: some with the whole message's input and
    a placeholder for its output, and its real output at its end, where partial messages were asked for."""

    def __init__(self) -> None:
        self._spent: dict[str, Usage] = {}
        # The message that is being written: by whom (a sub-agent has a name), and its id.
        self._writing: dict[str, str] = {}

    def message(self, message: dict[str, Any]) -> Usage | None:
        return self._count(lines.text(message, "id"), message_usage(lines.inner(message, "usage")))

    def partial(self, found: dict[str, Any]) -> Usage | None:
        """From a `stream_event`: its message began, or came to its end."""
        writer, event = lines.text(found, "parent_tool_use_id"), lines.inner(found, "event")
        match lines.text(event, "type"):
            case "message_start":
                message = lines.inner(event, "message")
                self._writing[writer] = lines.text(message, "id")
                return self.message(message)
            case "message_delta":
                return self._count(self._writing.get(writer, ""), message_usage(lines.inner(event, "usage")))
        return None

    def _count(self, name: str, used: Usage | None) -> Usage | None:
        if used is None:
            return None
        known = self._spent.get(name, Usage())
        self._spent[name] = replace(
            used,
            tokens_in=max(used.tokens_in, known.tokens_in),
            tokens_out=max(used.tokens_out, known.tokens_out),
            cached_in=max(used.cached_in, known.cached_in),
        )
        return sum(self._spent.values(), Usage())


def message_usage(found: dict[str, Any]) -> Usage | None:
    usage = Usage(
        sum(lines.count(found, f"{kind}input_tokens") for kind in ("", "cache_read_", "cache_creation_")),
        lines.count(found, "output_tokens"),
        cached_in=lines.count(found, "cache_read_input_tokens"),
    )
    return usage if usage.tokens else None


def result_usage(found: dict[str, Any]) -> Usage | None:
    """By model where told: `usage` leaves out the last message of a call that was stopped."""
    models = [model for model in lines.inner(found, "modelUsage").values() if isinstance(model, dict)]
    if not models:
        return message_usage(lines.inner(found, "usage"))
    kinds = ("inputTokens", _CACHED, "cacheCreationInputTokens")
    guessed = any(lines.text(model, "costBasis") == "unknown" for model in models)
    return Usage(
        sum(lines.count(model, kind) for model in models for kind in kinds),
        sum(lines.count(model, "outputTokens") for model in models),
        None if guessed else lines.number(found, "total_cost_usd"),
        cached_in=sum(lines.count(model, _CACHED) for model in models),
    )
