"""Nobody gets in over HTTP who does not show the token."""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any

Scope = MutableMapping[str, Any]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Any, Send], Awaitable[None]]
_REFUSED = b"expected the bearer token of this server in the Authorization header\n"


@dataclass(frozen=True)
class Bearer:
    app: App
    token: str

    async def __call__(self, scope: Scope, receive: Any, send: Send) -> None:
        if scope["type"] == "http" and not self._knows(scope):
            headers = [(b"www-authenticate", b"Bearer"), (b"content-type", b"text/plain")]
            await send({"type": "http.response.start", "status": 401, "headers": headers})
            await send({"type": "http.response.body", "body": _REFUSED})
            return
        if scope["type"] in ("http", "lifespan"):
            await self.app(scope, receive, send)

    def _knows(self, scope: Scope) -> bool:
        shown = [value for name, value in scope["headers"] if name == b"authorization"]
        wanted = f"Bearer {self.token}".encode()
        return len(shown) == 1 and hmac.compare_digest(shown[0], wanted)
