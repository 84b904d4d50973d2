"""The Messages protocol, as Claude Code speaks it."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.model_server.protocol import Body, Events, ToolCall, pieces, text_of, texts_in
from tests.model_server.script import Answer, Edit, Read, Run, Say, Turn, Use, Write

KINDS = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    529: "overloaded_error",
}
STRUCTURED = "StructuredOutput"
TOKENS = {"input_tokens": 100, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0}
TOKENS_OUT = 20


class Messages:
    name = "messages"

    def serves(self, path: str) -> bool:
        return path.endswith("/messages")

    def aside(self, path: str, body: Body) -> Body | None:
        return {"input_tokens": 42} if path.endswith("/messages/count_tokens") else None

    def tools(self, body: Body) -> tuple[str, ...]:
        return tuple(str(tool.get("name")) for tool in body.get("tools") or ())

    def conversation(self, headers: Mapping[str, str], body: Body) -> str:
        first: Body = next(iter(body.get("messages") or ()), {})
        return headers.get("x-claude-code-session-id", "") or "".join(texts_in(first))

    def said(self, body: Body) -> str:
        return "\n".join([*texts_in(body.get("system")), *texts_in(body.get("messages"))])

    def unfold(self, turn: Turn, body: Body) -> Sequence[Turn]:
        turn = turn.placed(self.said(body)) if isinstance(turn, Write) else turn
        match turn:
            case Edit(path, old, new, text):
                place = _placed(path, self.said(body))
                change = {"file_path": place, "old_string": old, "new_string": new, "replace_all": False}
                # It refuses to edit what it has not read.
                return [ToolCall("Read", {"file_path": place}, text), ToolCall("Edit", change)]
            case Write(path, content, text):
                place = _placed(path, self.said(body))
                return [ToolCall("Write", {"file_path": place, "content": content}, text)]
            case Read(path):
                return [ToolCall("Read", {"file_path": _placed(path, self.said(body))})]
            case Run(command, text):
                return [ToolCall("Bash", {"command": command, "description": "as scripted"}, text)]
            case Use():
                return [ToolCall(turn.name, turn.given(self.said(body)))]
            case Answer(data):
                if STRUCTURED in self.tools(body):
                    return [ToolCall(STRUCTURED, data), Say("Done.")]
                return [Say(json.dumps(data))]
        return [turn]

    def reply(self, turn: Turn, body: Body) -> Events:
        blocks: list[dict[str, Any]] = []
        if text_of(turn):
            blocks.append({"type": "text", "text": text_of(turn)})
        if isinstance(turn, ToolCall):
            call = {"id": f"toolu_{uuid.uuid4().hex[:20]}", "name": turn.name, "input": dict(turn.arguments)}
            blocks.append({"type": "tool_use", **call})
        stop = "tool_use" if isinstance(turn, ToolCall) else "end_turn"
        head = {
            "id": f"msg_{uuid.uuid4().hex[:20]}", "type": "message", "role": "assistant",
            "model": body.get("model"), "stop_sequence": None,
        }  # fmt: skip
        usage = {**TOKENS, "output_tokens": TOKENS_OUT}
        whole = {**head, "content": blocks, "stop_reason": stop, "usage": usage}
        started: Body = {**head, "content": [], "stop_reason": None, "usage": {**TOKENS, "output_tokens": 1}}
        events: list[Body] = [{"type": "message_start", "message": started}]
        for index, block in enumerate(blocks):
            events += _block(index, block)
        ends = {"stop_reason": stop, "stop_sequence": None}
        events.append({"type": "message_delta", "delta": ends, "usage": {"output_tokens": TOKENS_OUT}})
        events.append({"type": "message_stop"})
        deltas = (number for number, event in enumerate(events) if event["type"] == "content_block_delta")
        return Events(whole, [(event["type"], event) for event in events], frozenset(deltas))

    def refusal(self, status: int, kind: str, message: str) -> Body:
        kind = kind or KINDS.get(status, "api_error")
        return {
            "type": "error",
            "error": {"type": kind, "message": message},
            "request_id": f"req_{uuid.uuid4().hex[:20]}",
        }


def _block(index: int, block: Mapping[str, Any]) -> list[Body]:
    if block["type"] == "text":
        empty: dict[str, Any] = {"type": "text", "text": ""}
        deltas: list[Body] = [{"type": "text_delta", "text": piece} for piece in pieces(block["text"])]
    else:
        empty = {**block, "input": {}}
        told = json.dumps(block["input"])
        deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in pieces(told)]
    return [
        {"type": "content_block_start", "index": index, "content_block": empty},
        *({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": index},
    ]


def _placed(path: str, said: str) -> str:
    """Its tools want absolute paths; where it works stands in its instructions."""
    found = re.findall(r"[Ww]orking directory: (\S+)", said)
    # The last one: a session that was gone on with tells where it was before as well.
    return str(Path(found[-1], path)) if found else path
