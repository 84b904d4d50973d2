"""The Responses protocol, as Codex speaks it."""

from __future__ import annotations

import json
import shlex
import time
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from tests.model_server.protocol import Body, Events, ToolCall, pieces, text_of, texts_in
from tests.model_server.script import Answer, Edit, Read, Run, Say, Turn, Use, Write

KINDS = {
    400: "invalid_request_error",
    401: "invalid_request_error",
    403: "invalid_request_error",
    404: "invalid_request_error",
    429: "rate_limit_exceeded",
}
TOKENS_IN, TOKENS_OUT = 100, 20
PATCH = "apply_patch"
# Newer models get their tools inside of the input, and call them from JavaScript.
MORE_TOOLS = "additional_tools"
JAVASCRIPT = "exec"
SHELLS = ("exec_command", "shell_command", "shell")


class Responses:
    name = "responses"

    def serves(self, path: str) -> bool:
        return path.endswith("/responses")

    def aside(self, path: str, body: Body) -> Body | None:
        return None

    def tools(self, body: Body) -> tuple[str, ...]:
        return tuple(str(tool.get("name") or tool.get("type")) for tool in _offered(body))

    def conversation(self, headers: Mapping[str, str], body: Body) -> str:
        told = headers.get("session_id") or headers.get("session-id") or body.get("prompt_cache_key")
        return str(told or "".join(texts_in(body.get("input"))[:1]))

    def said(self, body: Body) -> str:
        spoken = [item for item in body.get("input") or () if item.get("type") != MORE_TOOLS]
        return "\n".join([*texts_in(body.get("instructions")), *texts_in(spoken)])

    def unfold(self, turn: Turn, body: Body) -> Sequence[Turn]:
        turn = turn.placed(self.said(body)) if isinstance(turn, Write) else turn
        match turn:
            case Edit(path, old, new, text):
                patch = f"*** Update File: {path}\n@@\n{_marked('-', old)}{_marked('+', new)}"
                code = "import sys; p, a, b = sys.argv[1:]; t = open(p).read(); assert a in t; open(p, 'w').write(t.replace(a, b, 1))"
                return [self._change(patch, shlex.join(["python3", "-c", code, path, old, new]), text, body)]
            case Write(path, content, text):
                patch = f"*** Add File: {path}\n{_marked('+', content)}"
                return [
                    self._change(patch, f"printf %s {shlex.quote(content)} > {shlex.quote(path)}", text, body)
                ]
            case Read(path):
                return [self._shell(f"cat {shlex.quote(path)}", "", body)]
            case Run(command, text):
                return [self._shell(command, text, body)]
            case Use():
                given = turn.given(self.said(body))
                return [
                    _javascript(turn.name, given, "")
                    if JAVASCRIPT in self.tools(body)
                    else ToolCall(turn.name, given)
                ]
            case Answer(data):
                return [Say(json.dumps(data))]
        return [turn]

    def _change(self, patch: str, command: str, text: str, body: Body) -> ToolCall:
        """By its patch tool; models that it does not know are not offered one."""
        kinds = {str(tool.get("name")): tool.get("type") for tool in _offered(body)}
        whole = f"*** Begin Patch\n{patch}*** End Patch\n"
        if JAVASCRIPT in kinds:
            return _javascript(PATCH, whole, text)
        if kinds.get(PATCH) == "custom":
            return ToolCall(PATCH, {}, text, free_text=whole)
        if PATCH in kinds:
            return ToolCall(PATCH, {"input": whole}, text)
        return self._shell(command, text, body)

    def _shell(self, command: str, text: str, body: Body) -> ToolCall:
        if JAVASCRIPT in self.tools(body):
            return _javascript(SHELLS[0], {"cmd": command}, text)
        name = next((name for name in SHELLS if name in self.tools(body)), SHELLS[0])
        if name == "exec_command":
            return ToolCall(name, {"cmd": command}, text)
        return ToolCall(name, {"command": command if name != "shell" else ["sh", "-c", command]}, text)

    def reply(self, turn: Turn, body: Body) -> Events:
        items: list[dict[str, Any]] = []
        if text_of(turn):
            content = [{"type": "output_text", "text": text_of(turn), "annotations": []}]
            items.append({"type": "message", "id": _id("msg"), "role": "assistant", "content": content})
        if isinstance(turn, ToolCall):
            items.append(_called(turn))
        items = [{**item, "status": "completed"} for item in items]
        usage = {
            "input_tokens": TOKENS_IN, "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": TOKENS_OUT, "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": TOKENS_IN + TOKENS_OUT,
        }  # fmt: skip
        whole: dict[str, Any] = {
            "id": _id("resp"), "object": "response", "created_at": int(time.time()), "status": "completed",
            "model": body.get("model"), "output": items, "usage": usage, "error": None,
            "incomplete_details": None, "parallel_tool_calls": True, "tools": [], "tool_choice": "auto",
        }  # fmt: skip
        began = {**whole, "status": "in_progress", "output": [], "usage": None}
        events: list[Body] = [{"type": "response.created", "response": began}]
        for index, item in enumerate(items):
            events += _item(index, item)
        events.append({"type": "response.completed", "response": whole})
        named = [(e["type"], {**e, "sequence_number": number}) for number, e in enumerate(events)]
        deltas = (number for number, event in enumerate(events) if event["type"].endswith(".delta"))
        return Events(whole, named, frozenset(deltas))

    def refusal(self, status: int, kind: str, message: str) -> Body:
        kind = kind or KINDS.get(status, "server_error")
        return {"error": {"message": message, "type": kind, "code": kind, "param": None}}


def _offered(body: Body) -> list[Body]:
    """Every tool, also those in groups."""
    more = [item for item in body.get("input") or () if item.get("type") == MORE_TOOLS]
    tools = [tool for holder in (body, *more) for tool in holder.get("tools") or ()]
    inner = [tool for group in tools if group.get("type") == "namespace" for tool in group.get("tools") or ()]
    return [*(tool for tool in tools if tool.get("type") != "namespace"), *inner]


def _javascript(tool: str, argument: object, text: str) -> ToolCall:
    code = f"text(JSON.stringify(await tools.{tool}({json.dumps(argument)})))"
    return ToolCall(JAVASCRIPT, {}, text, free_text=code)


def _called(turn: ToolCall) -> dict[str, Any]:
    call = {"call_id": _id("call"), "name": turn.name}
    if turn.free_text is not None:
        return {"type": "custom_tool_call", "id": _id("ctc"), **call, "input": turn.free_text}
    return {"type": "function_call", "id": _id("fc"), **call, "arguments": json.dumps(turn.arguments)}


def _item(index: int, item: Mapping[str, Any]) -> list[Body]:
    """The events of one item: announced, filled piece by piece, done."""
    at: dict[str, Any] = {"item_id": item["id"], "output_index": index}
    if item["type"] == "message":
        return _message(index, item)
    field, kind = ("input", "custom_tool_call_input")
    if item["type"] == "function_call":
        field, kind = ("arguments", "function_call_arguments")
    return [
        {"type": "response.output_item.added", "output_index": index,
         "item": {**item, "status": "in_progress", field: ""}},
        *({"type": f"response.{kind}.delta", **at, "delta": piece} for piece in pieces(item[field])),
        {"type": f"response.{kind}.done", **at, field: item[field]},
        {"type": "response.output_item.done", "output_index": index, "item": item},
    ]  # fmt: skip


def _message(index: int, item: Mapping[str, Any]) -> list[Body]:
    part = item["content"][0]
    at: dict[str, Any] = {"item_id": item["id"], "output_index": index, "content_index": 0}
    return [
        {"type": "response.output_item.added", "output_index": index,
         "item": {**item, "status": "in_progress", "content": []}},
        {"type": "response.content_part.added", **at, "part": {**part, "text": ""}},
        *({"type": "response.output_text.delta", **at, "delta": piece} for piece in pieces(part["text"])),
        {"type": "response.output_text.done", **at, "text": part["text"]},
        {"type": "response.content_part.done", **at, "part": part},
        {"type": "response.output_item.done", "output_index": index, "item": item},
    ]  # fmt: skip


def _marked(sign: str, text: str) -> str:
    return "".join(f"{sign}{line}\n" for line in text.splitlines())


def _id(kind: str) -> str:
    return f"{kind}_{uuid.uuid4().hex[:16]}"
