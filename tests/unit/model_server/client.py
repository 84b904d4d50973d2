"""A CLI without the CLI: asks the server over HTTP and collects what comes back."""

from __future__ import annotations

import http.client
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.model_server import ModelServer


@dataclass(frozen=True)
class Heard:
    status: int
    headers: Mapping[str, str]
    data: bytes
    broken: bool = False

    @property
    def json(self) -> dict[str, Any]:
        found = json.loads(self.data)
        assert isinstance(found, dict)
        return found

    @property
    def events(self) -> list[tuple[str, dict[str, Any]]]:
        found = []
        for block in self.data.decode().split("\n\n"):
            lines = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
            if "data" in lines:
                found.append((lines["event"], json.loads(lines["data"])))
        return found


def post(
    server: ModelServer,
    path: str,
    body: object,
    headers: Mapping[str, str] | None = None,
    timeout_s: float = 5,
) -> Heard:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=timeout_s)
    try:
        connection.request("POST", path, json.dumps(body), dict(headers or {}))
        answer = connection.getresponse()
        told = {name.lower(): value for name, value in answer.getheaders()}
        try:
            return Heard(answer.status, told, answer.read())
        except http.client.IncompleteRead as error:
            return Heard(answer.status, told, error.partial, broken=True)
    finally:
        connection.close()


@dataclass
class Claude:
    """One conversation over Messages."""

    server: ModelServer
    prompt: str = "Fix it"
    tools: tuple[str, ...] = ("Read", "Edit", "Bash")
    session: str = "s-1"
    stream: bool = True
    system: str = "Primary working directory: /home/x/repo\n"
    timeout_s: float = 5
    said: list[dict[str, Any]] = field(default_factory=list)

    def ask(self) -> Heard:
        body = {
            "model": "m", "stream": self.stream, "system": [{"type": "text", "text": self.system}],
            "messages": [{"role": "user", "content": self.prompt}],
            "tools": [{"name": name, "description": "a tool"} for name in self.tools],
        }  # fmt: skip
        headers = {"x-claude-code-session-id": self.session, "x-api-key": "a-secret-key"}
        return post(self.server, "/v1/messages?beta=true", body, headers, self.timeout_s)


@dataclass
class Codex:
    """One conversation over Responses; `lite` sends the tools inside of the input."""

    server: ModelServer
    prompt: str = "Fix it"
    tools: tuple[tuple[str, str], ...] = (("function", "exec_command"), ("custom", "apply_patch"))
    session: str = "s-1"
    stream: bool = True
    lite: bool = False

    def ask(self) -> Heard:
        tools = [{"type": kind, "name": name, "description": "a tool"} for kind, name in self.tools]
        body: dict[str, Any] = {"model": "m", "stream": self.stream, "instructions": "You are an agent."}
        body["input"] = [{"role": "user", "content": [{"type": "input_text", "text": self.prompt}]}]
        if self.lite:
            group = {"type": "namespace", "name": "functions", "tools": tools}
            body["input"].insert(0, {"type": "additional_tools", "role": "developer", "tools": [group]})
        else:
            body["tools"] = tools
        headers = {"session-id": self.session, "authorization": "Bearer a-secret-key"}
        return post(self.server, "/v1/responses", body, headers)
