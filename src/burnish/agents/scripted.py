"""Agent `scripted`: the shipped fake. A scenario file says what it answers, edits, breaks and leaves behind.

Also a program, `python -m burnish.agents.scripted scenario.toml`, and that is how the agent itself runs.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from burnish.agents._misdeeds import MISDEEDS
from burnish.agents._scenario import ScriptedStep, load, pick
from burnish.errors import UsageError

if TYPE_CHECKING:
    from burnish.agents._setup import AgentSetup
    from burnish.agents.command import CommandAgent

NO_STEP = 64
CHUNK = b"The quick brown fox jumps over the lazy dog. 0123456789\n" * 1024


def make(spec: str, setup: AgentSetup) -> CommandAgent:
    """`spec` is the scenario's path; it is checked now, so that a mistake in it is not an agent's failure."""
    from dataclasses import replace

    from burnish.agents.command import CommandAgent

    scenario = (setup.start / spec).absolute()
    load(scenario)
    # -I: the folder it works in must not be where its modules come from.
    argv = (sys.executable, "-I", "-m", "burnish.agents.scripted", str(scenario))
    package = Path(__file__).resolve().parent.parent
    wider = replace(setup, readable=(*setup.readable, package, scenario))
    return CommandAgent(f"scripted:{spec}", argv, wider, ours=True)


def main(arguments: list[str], environ: Mapping[str, str]) -> int:
    """The program. Exit 64 when no step of the scenario fits."""
    if len(arguments) != 1:
        return _complain("usage: python -m burnish.agents.scripted SCENARIO.toml")
    try:
        steps = load(Path(arguments[0]))
    except UsageError as error:
        return _complain(f"{error.message} ({error.hint})" if error.hint else error.message)
    ignores = pick(steps, environ, "")
    prompt = "" if ignores and ignores.ignore_stdin else sys.stdin.buffer.read().decode("utf8", "replace")
    step = pick(steps, environ, prompt)
    if step is None:
        where = ", ".join(f"{key}={environ.get(key, '')}" for key in ("BURNISH_ROLE", "BURNISH_CYCLE"))
        return _complain(f"no step in {arguments[0]} fits {where}")
    return act(step, prompt, environ)


def act(step: ScriptedStep, prompt: str, environ: Mapping[str, str]) -> int:
    time.sleep(step.delay_s)
    if step.echo_prompt:
        _print(prompt.encode())
    _edit(step)
    for name in step.misdeeds:
        MISDEEDS[name](step)
    for line in _probe(step):
        _print(line)
    _noise(step)
    output = environ.get("BURNISH_OUTPUT", "")
    if step.output_file is not None and output:
        Path(output).write_text(step.output_file, "utf8")
    if step.report is not None and output:
        Path(output).with_name("report.md").write_text(step.report, "utf8")
    if step.usage and output:
        Path(output).with_name("usage.json").write_text(_usage(step.usage), "utf8")
    if step.reply:
        _print(step.reply.encode() + b"\n")
    if step.stderr:
        os.write(2, step.stderr.encode() + b"\n")
    time.sleep(step.stall_s)
    if step.exit_by_signal:
        number = signal.Signals[step.exit_by_signal]
        if number not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    return step.exit


def _usage(said: Mapping[str, object]) -> str:
    """As JSON, by hand: loading a library for it would cost more than all else this program does."""
    values = (
        f'"{key}": "{value}"' if isinstance(value, str) else f'"{key}": {value}'
        for key, value in said.items()
    )
    return "{" + ", ".join(values) + "}"


def _edit(step: ScriptedStep) -> None:
    for name, content in step.write.items():
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf8")
    for name, content in step.append.items():
        with Path(name).open("a", encoding="utf8") as file:
            file.write(content)
    for change in step.replace:
        path = Path(change["path"])
        path.write_text(path.read_text("utf8").replace(change["old"], change["new"]), "utf8")
    for name in step.delete:
        Path(name).unlink(missing_ok=True)


def _probe(step: ScriptedStep) -> Iterator[bytes]:
    """Reaching for what is not the agent's; tells how far it got."""
    if step.write_outside:
        yield _tried("write", step.write_outside, lambda: Path(step.write_outside).write_text("escaped\n"))
    for name in step.show:
        try:
            yield Path(name).read_bytes()
        except OSError as error:
            yield f"read {name}: {error.strerror}\n".encode()
    if step.connect:
        host, _, port = step.connect.rpartition(":")
        yield _tried("connect", step.connect, lambda: socket.create_connection((host, int(port)), 3).close())


def _tried(what: str, target: str, deed: object) -> bytes:
    assert callable(deed)
    try:
        deed()
    except OSError as error:
        return f"{what} {target}: {error.strerror or error}\n".encode()
    return f"{what} {target}: done\n".encode()


def _noise(step: ScriptedStep) -> None:
    for fd, size in ((1, step.flood_stdout), (2, step.flood_stderr)):
        _flood(fd, size, CHUNK)
    if step.long_line:
        _flood(1, step.long_line, b"x" * len(CHUNK))
        _print(b"\n")
    if step.binary:
        _print(bytes(range(256)) * 4 + b"\n")
    if step.half_utf8:
        _print("half a letter: ä".encode()[:-1])


def _flood(fd: int, size: int, pattern: bytes) -> None:
    while size > 0:
        size -= os.write(fd, pattern[:size])


def _print(data: bytes) -> None:
    while data:
        data = data[os.write(1, data) :]


def _complain(text: str) -> int:
    os.write(2, text.encode() + b"\n")
    return NO_STEP


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], os.environ))
