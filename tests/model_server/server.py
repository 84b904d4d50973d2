"""The server: one thread a connection, every request recorded, what is answered comes from the script."""

from __future__ import annotations

import gzip
import json
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.model_server.messages import Messages
from tests.model_server.protocol import Body, Events, WireProtocol
from tests.model_server.responses import Responses
from tests.model_server.script import EXHAUSTED, Drop, Refuse, Say, Scene, Script, Stall, Turn

# A further protocol is a file with these methods, and its name here.
PROTOCOLS: tuple[WireProtocol, ...] = (Messages(), Responses())
SIDE_TEXT = "ok"
# The values of these headers are nobody's business, dummies or not.
SECRET = ("authorization", "x-api-key", "x-goog-api-key", "cookie")


@dataclass(frozen=True)
class Seen:
    """One request. `scene` is the number of the scene that answered it, -1 where the script did not;
    `exhausted` tells that it should have and had nothing more to say."""

    path: str
    at_s: float
    headers: Mapping[str, str]
    body: Body
    protocol: str = ""
    tools: tuple[str, ...] = ()
    conversation: str = ""
    said: str = ""
    scene: int = -1
    turn: Turn | None = None
    exhausted: bool = False


@dataclass
class Record:
    """All requests so far, also as lines of JSON in `file` where one is given."""

    file: Path | None = None
    requests: list[Seen] = field(default_factory=list)
    news: threading.Condition = field(default_factory=threading.Condition)

    def add(self, seen: Seen) -> None:
        with self.news:
            self.requests.append(seen)
            if self.file is not None:
                told = {
                    "at_s": round(seen.at_s, 3), "path": seen.path, "protocol": seen.protocol,
                    "conversation": seen.conversation, "scene": seen.scene, "turn": repr(seen.turn),
                    "tools": seen.tools, "headers": dict(seen.headers), "body": seen.body,
                }  # fmt: skip
                with self.file.open("a", encoding="utf8") as lines:
                    lines.write(json.dumps(told) + "\n")
            self.news.notify_all()


class ModelServer:
    """`with ModelServer([Scene(...)]) as server:` and let a CLI ask `server.url`."""

    def __init__(self, scenes: Sequence[Scene], *, port: int = 0, log: Path | None = None) -> None:
        self.script = Script(scenes)
        self.record = Record(log)
        self.closing = threading.Event()
        self._http = _Listener(("127.0.0.1", port), _Handler)
        self._http.owner = self
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True)

    def __enter__(self) -> ModelServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    @property
    def port(self) -> int:
        return int(self._http.server_address[1])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def requests(self) -> list[Seen]:
        """All of them, side requests too."""
        with self.record.news:
            return list(self.record.requests)

    @property
    def asked(self) -> list[Seen]:
        """Those that the script answered, or should have."""
        return [seen for seen in self.requests if seen.scene >= 0 or seen.exhausted]

    @property
    def elsewhere(self) -> list[str]:
        """Where a CLI wanted to go that was told to use this server as its proxy."""
        return [seen.path for seen in self.requests if not seen.path.startswith("/")]

    def wait_for(self, scene: int, *, timeout_s: float) -> Seen | None:
        """The first request that this scene answers, as soon as it is there."""
        ends = time.monotonic() + timeout_s
        with self.record.news:
            while True:
                for seen in self.record.requests:
                    if seen.scene == scene:
                        return seen
                if not self.record.news.wait(max(0.0, ends - time.monotonic())):
                    return None


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    # A stalled connection must not hold up the end: its thread sees `closing`.
    block_on_close = False
    owner: ModelServer


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Listener

    def log_message(self, *_: object) -> None:
        pass

    def handle(self) -> None:
        try:
            super().handle()
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def do_HEAD(self) -> None:
        self._record(self._plain({}))
        self._send(200, {})

    def do_GET(self) -> None:
        self._record(self._plain({}))
        if self.path.partition("?")[0].endswith("/models"):
            self._send(200, {"object": "list", "data": [], "models": [], "has_more": False})
        else:
            self._send(404, PROTOCOLS[0].refusal(404, "", "not found"))

    def do_CONNECT(self) -> None:
        """Somebody who was told that this is a proxy wants to go elsewhere."""
        self._record(self._plain({}))
        self._send(502, PROTOCOLS[0].refusal(502, "", "there is nothing but this server"))

    def do_POST(self) -> None:
        path, body = self.path.partition("?")[0], self._body()
        for protocol in PROTOCOLS:
            answer = protocol.aside(path, body)
            if answer is not None:
                self._record(self._plain(body))
                self._send(200, answer)
                return
            if protocol.serves(path):
                self._ask(protocol, body)
                return
        self._record(self._plain(body))
        self._send(404, PROTOCOLS[0].refusal(404, "", f"nothing is served at {path}"))

    def _ask(self, protocol: WireProtocol, body: Body) -> None:
        script, said = self.server.owner.script, protocol.said(body)
        headers = {name.lower(): value for name, value in self.headers.items()}
        conversation, tools = protocol.conversation(headers, body), protocol.tools(body)
        scripted = bool(tools) or script.tool_less(said)
        found = script.next(conversation, said) if scripted else None
        scene, turn = found or (-1, Say(EXHAUSTED if scripted else SIDE_TEXT))
        steps = protocol.unfold(turn, body)
        if found and len(steps) > 1:
            script.unfold(conversation, steps[1:])
        told = (protocol.name, tools, conversation, said, scene, steps[0], scripted and not found)
        plain = self._plain(body)
        self._record(Seen(plain.path, plain.at_s, plain.headers, body, *told))
        self.server.owner.closing.wait(turn.after_s) if turn.after_s else None
        self._play(protocol, steps[0], body)

    def _play(self, protocol: WireProtocol, turn: Turn, body: Body) -> None:
        if isinstance(turn, Refuse):
            error = protocol.refusal(turn.status, turn.kind, turn.message)
            self._send(turn.status, error, turn.headers)
            return
        if isinstance(turn, Drop) and not turn.events:
            self.close_connection = True
            return
        events = protocol.reply(turn, body)
        if body.get("stream") or isinstance(turn, Drop | Stall):
            self._stream(events, turn)
        else:
            self._send(200, events.whole)

    def _stream(self, events: Events, turn: Turn) -> None:
        self.send_response(200)
        for name, value in (("content-type", "text/event-stream"), ("transfer-encoding", "chunked")):
            self.send_header(name, value)
        self.end_headers()
        stops = turn.events if isinstance(turn, Drop | Stall) else len(events.events)
        pause_s = turn.pause_s if isinstance(turn, Say) else 0.0
        for number, (name, event) in enumerate(events.events[:stops]):
            self._chunk(f"event: {name}\ndata: {json.dumps(event)}\n\n".encode())
            if pause_s and number in events.deltas:
                self.server.owner.closing.wait(pause_s)
        if isinstance(turn, Drop | Stall):
            if isinstance(turn, Stall):
                self.server.owner.closing.wait(turn.seconds)
            self.close_connection = True
            return
        self._chunk(b"")

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))
        self.wfile.flush()

    def _send(self, status: int, told: Body, headers: Mapping[str, str] | None = None) -> None:
        data = json.dumps(told).encode()
        self.send_response(status)
        fields = {"content-type": "application/json", "content-length": str(len(data)), **(headers or {})}
        for name, value in fields.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _body(self) -> dict[str, Any]:
        raw = self._raw()
        if self.headers.get("content-encoding") == "gzip":
            raw = gzip.decompress(raw)
        try:
            body = json.loads(raw or b"{}")
        except ValueError:
            return {"_not_json": raw[:200].decode("latin1")}
        return body if isinstance(body, dict) else {"_not_an_object": body}

    def _raw(self) -> bytes:
        if self.headers.get("transfer-encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("content-length") or 0))
        raw = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            raw += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return raw

    def _plain(self, body: Body) -> Seen:
        headers = {k.lower(): v for k, v in self.headers.items() if k.lower() not in SECRET}
        return Seen(self.path, time.monotonic(), headers, body)

    def _record(self, seen: Seen) -> None:
        self.server.owner.record.add(seen)
