"""Runs as one user: each probe first without a sandbox (is it a real probe?), then inside; JSON out.

Read by whatever Python everybody may use, with only `burnish.process` of ours beside it.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import fcntl
import json
import os
import shutil
import socket
import subprocess
import sys
import termios
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from burnish.ports import Sandbox
from burnish.process.child import CannotStart, Command, Finished
from burnish.process.environment import child_environment
from burnish.process.supervisor import run

TIMEOUT_S = 20.0
JOIN_SESSION, SESSION_KEYRING, USER_KEYRING = 1, -3, -4
CREATE, SHARED_KEY = 0o1666, 0x43484153
NUMBERS = {"x86_64": (248, 250), "aarch64": (217, 219)}


@contextlib.contextmanager
def outside(world: dict[str, Any]) -> Iterator[None]:
    """Things of this user that a sandboxed program must not reach: a process, sockets, keys, memory."""
    canary = world["canary"]
    victim = subprocess.Popen(["/bin/sleep", "600"], env={"CANARY": canary}, cwd=world["outside"])
    tcp = socket.create_server(("127.0.0.1", 0))
    files, abstract = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
    files.bind(world["socket"])
    abstract.bind(f"\0chaos-{os.getpid()}")
    for server in (files, abstract):
        server.listen()
    held = os.open(world["secret"], os.O_RDONLY)
    os.set_inheritable(held, True)
    shm = Path("/dev/shm") / f"chaos-{os.getpid()}"
    shm.write_text(canary)
    libc = ctypes.CDLL(None, use_errno=True)
    memory = libc.shmget(SHARED_KEY, 4096, CREATE)
    _keys(libc, canary)
    os.environ["CANARY_VARIABLE"] = canary
    world |= {
        "victim": victim.pid, "port": tcp.getsockname()[1], "abstract": f"chaos-{os.getpid()}", "held": held,
        "shm": str(shm), "shared_key": SHARED_KEY, "driver": os.getpid(),
        "keys": NUMBERS.get(os.uname().machine, (-1, -1)),
    }  # fmt: skip
    try:
        yield
    finally:
        victim.kill()
        victim.wait()
        shm.unlink(missing_ok=True)
        libc.shmctl(memory, 0, None)
        Path(world["socket"]).unlink(missing_ok=True)


def _keys(libc: ctypes.CDLL, canary: str) -> None:
    """A keyring of our own for this session, so that no key of this machine is touched."""
    add, control = NUMBERS.get(os.uname().machine, (-1, -1))
    libc.syscall(control, JOIN_SESSION, b"chaos")
    libc.syscall(add, b"user", b"chaos", canary.encode(), len(canary), SESSION_KEYRING)


def take_terminal() -> None:
    """A terminal of our own as the controlling one, so that a child could push words into it."""
    os.setsid()
    _, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)


def program(world: dict[str, Any], code: str) -> str:
    return f"W = {world!r}\n{world['prelude']}\nprint('TRIED', flush=True)\n{code}\n"


def control(world: dict[str, Any], probe: dict[str, Any]) -> str:
    """The same program with nothing around it but, for what would touch the machine, namespaces of its own."""
    apart = ["unshare", "--user", "--map-root-user", "--mount", "--uts"] if probe["apart"] else []
    argv = [*apart, world["python"], "-I", "-S", "-c", program(world, probe["code"])]
    try:
        done = subprocess.run(
            argv,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=TIMEOUT_S,
            check=False,
            close_fds=False,
            cwd=world["workspace"],
        )
    except subprocess.TimeoutExpired:
        return "hung"
    return done.stdout + done.stderr[-300:]


def caged(world: dict[str, Any], probe: dict[str, Any]) -> Finished:
    workspace, outbox = Path(world["workspace"]), Path(world["outbox"])
    sandbox = Sandbox(
        writable=(workspace, outbox),
        readable=(Path(world["inbox"]),),
        hidden=tuple(Path(path) for path in world["hidden"]),
        network=probe["network"],
    )
    argv = (world["python"], "-I", "-S", "-c", program(world, probe["code"]))
    env = child_environment(os.environ)
    return asyncio.run(run(Command(argv, workspace, env, TIMEOUT_S, sandbox=sandbox)))


def planted(world: dict[str, Any]) -> list[str]:
    """What a probe left outside: written files, or files that are not what they were. Put back."""
    found = []
    for top in world["watched"]:
        for path in [path for path in Path(top).rglob("*") if "chaos-planted" in path.name]:
            found.append(os.fspath(path))
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    for name, text in world["kept"].items():
        path = Path(name)
        now = path.read_text("utf8", "replace") if path.is_file() else ""
        if now != text or path.stat().st_mode & 0o777 != 0o644:
            found.append(f"{name} changed")
            path.write_text(text)
            path.chmod(0o644)
    return found


def stayed(world: dict[str, Any]) -> list[str]:
    """Processes of a probe that are still there: their command line holds the canary."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if world["canary"].encode() in path.read_bytes():
                found.append(f"left process {path.parent.name}")
    return found


def fresh(world: dict[str, Any]) -> None:
    for name in ("workspace", "outbox"):
        folder = Path(world[name])
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(exist_ok=True)
        (folder / "own").write_text("own")


def tried(world: dict[str, Any], probe: dict[str, Any]) -> dict[str, Any]:
    real, inside, left = "", "", []
    if not probe["never"]:
        fresh(world)
        real = control(world, probe)
        left = planted(world)
    fresh(world)
    try:
        done = caged(world, probe)
        inside = done.stdout.text + done.stderr.text[-300:]
        isolation = done.isolation
    except CannotStart as error:
        inside, isolation = str(error), ""
    return {
        "name": probe["name"], "real": "GOT" in real or bool(left), "real_said": real[-300:],
        "tried": inside.startswith("TRIED"), "got": "GOT" in inside, "planted": [*planted(world), *stayed(world)],
        "said": inside[-400:], "isolation": isolation,
    }  # fmt: skip


def main() -> None:
    given = json.loads(sys.stdin.read())
    take_terminal()
    with outside(given["world"]):
        for probe in given["probes"]:
            print(json.dumps(tried(given["world"], probe)), flush=True)


if __name__ == "__main__":
    main()
