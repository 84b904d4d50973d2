"""Commands of a reviewer that is Claude, each in a sandbox inside ours: none of them sees who started it.

In a user namespace below that of Claude a command can neither open Claude's files and memory nor trace it, in
a process namespace of its own it cannot signal it. The outbox, the tools and Claude's own folder, with
the login in it, are not there.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from burnish.agents._adapter import Room
from burnish.agents._toolbox import bridge_command
from burnish.model.agent import Request
from burnish.model.step import Role
from burnish.process import bubblewrap

PREFIX = "CLAUDE_CODE_SHELL_PREFIX"
KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN")
# Claude splits the prefix at some signs.
_PLAIN = re.compile(r"[\w./@+-]+", re.A)
_WRAPPER = """\
#!/bin/sh
# Claude gives each command, and the command line of its tools, as one argument.
{bridge}case $1 in */snapshot-zsh-*) shell=zsh ;; *) shell=bash ;; esac
exec {bwrap} -- "$shell" -c "$1"
"""


@dataclass(frozen=True)
class CommandSandbox:
    """What to add to the call: variables and files; nothing where there is no sandbox to be had."""

    env: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[Path, str] = field(default_factory=dict)


def command_sandbox(request: Request, room: Room, login: Path) -> CommandSandbox:
    wrapper = room.private / "command"
    bwrap = bubblewrap.usable() if request.role is Role.REVIEW and room.nests else None
    if bwrap is None or not _PLAIN.fullmatch(str(wrapper)):
        return CommandSandbox()
    inside = shlex.join([str(bwrap), *_sandbox(request, room, login)])
    text = _WRAPPER.format(bridge=_bridge(request), bwrap=inside)
    return CommandSandbox({PREFIX: str(wrapper)}, {wrapper: text})


def _sandbox(request: Request, room: Room, login: Path) -> list[str]:
    snapshots, tools = str(room.private / "shell-snapshots"), request.open_tools
    hidden = [room.private, request.outbox, *([tools.socket.parent] if tools else [])]
    return [
        *("--unshare-user", "--unshare-pid", "--unshare-ipc", "--die-with-parent"),
        *("--dev-bind", "/", "/"),
        *(word for folder in hidden for word in ("--tmpfs", str(folder))),
        # Its functions and aliases, which each command reads first.
        *("--ro-bind-try", snapshots, snapshots),
        *(("--ro-bind", "/dev/null", str(login)) if login.is_file() else ()),
        *(word for name in KEYS for word in ("--unsetenv", name)),
    ]


def _bridge(request: Request) -> str:
    if request.open_tools is None:
        return ""
    command = shlex.join(bridge_command(request.open_tools))
    return f'[ "$1" = {shlex.quote(command)} ] && exec {command}\n'
