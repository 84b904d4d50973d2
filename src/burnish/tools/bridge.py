"""Stdio on one side, the tools of a step on the other: copied to where an agent's MCP option starts it.

It stands alone, so that any Python can run it. The socket lies beside it, and so does the token that opens
it: in its environment or on its command line the token would be there for every command of the agent.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import socket
import sys
import threading

CHUNK = 65536
SOCKET, OPENING = "socket", "opening"
PR_SET_DUMPABLE = 4


def main() -> int:
    be_unreadable()
    folder = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 - starts with each agent
    try:
        with open(os.path.join(folder, OPENING), "rb") as file:  # noqa: PTH118, PTH123
            token = file.read()
        wire = connect(os.path.join(folder, SOCKET))  # noqa: PTH118
        wire.sendall(token + b"\n")
    except OSError as error:
        return _tell(
            f"the tools of this step cannot be reached: {error.strerror or error}; they take one connection"
        )
    with wire:
        # It may wait for input for ever; the process ends when the tools do.
        threading.Thread(target=_to_tools, args=(wire,), daemon=True).start()
        with contextlib.suppress(OSError):
            while data := wire.recv(CHUNK):
                _write_all(1, data)
    return 0


def be_unreadable() -> None:
    """Other processes of the same user cannot open its files or its memory then."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


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
