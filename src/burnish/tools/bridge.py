"""Stdio on one side, the tools of a step on the other: copied to where an agent's MCP option starts it.

It stands alone, so that any Python can run it. `BURNISH_TOOLS` names the socket, and
`BURNISH_TOOLS_TOKEN` opens it.
"""

from __future__ import annotations

import contextlib
import os
import socket
import sys
import threading

CHUNK = 65536


def main() -> int:
    place, token = os.environ.get("BURNISH_TOOLS", ""), os.environ.get("BURNISH_TOOLS_TOKEN", "")
    if not place or not token:
        return _tell(
            "expected BURNISH_TOOLS and BURNISH_TOOLS_TOKEN to be set, as Burnish does for its agents"
        )
    try:
        wire = connect(place)
        wire.sendall(token.encode() + b"\n")
    except OSError as error:
        return _tell(f"the tools at {place} cannot be reached: {error.strerror or error}")
    with wire:
        # It may wait for input for ever; the process ends when the tools do.
        threading.Thread(target=_to_tools, args=(wire,), daemon=True).start()
        with contextlib.suppress(OSError):
            while data := wire.recv(CHUNK):
                _write_all(1, data)
    return 0


def connect(place: str) -> socket.socket:
    """From its own folder: a whole path may be longer than a socket's name can be."""
    folder, name = os.path.split(place)
    before = os.open(".", os.O_RDONLY)
    wire = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        os.chdir(folder or ".")
        wire.connect(name)
    except OSError:
        wire.close()
        raise
    finally:
        os.fchdir(before)
        os.close(before)
    return wire


def _to_tools(wire: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := os.read(0, CHUNK):
            wire.sendall(data)
        wire.shutdown(socket.SHUT_WR)


def _write_all(handle: int, data: bytes) -> None:
    while data:
        data = data[os.write(handle, data) :]


def _tell(why: str) -> int:
    sys.stderr.write(f"burnish tools: {why}\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
