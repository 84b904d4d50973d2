"""A CLI that is none: prints a recorded stream at a pace and ends as its plan says. `fake_cli.py PLAN ARGUMENT...`

The plan is a TOML file: `stream` and, for a session that goes on, `resumed`; `stderr`, `exit`, `pace_s`,
`linger_s` (not for a session that goes on); `replace` is written over the file that its first link in the home leads to, as a renewed login.
`transcript` is added to the file in which a CLI of this name writes the session `session` down; `refuses`: what it says on stderr
instead of going on with one; `notes`: a file that gets a line about each call.
"""

from __future__ import annotations

import json
import os
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

HOMES = ("CLAUDE_CONFIG_DIR", "CODEX_HOME")


def main(plan: dict[str, Any], arguments: list[str]) -> int:
    if arguments == ["--version"]:
        say("fake-cli 9.8.7 (made up)")
        return 0
    prompt = sys.stdin.buffer.read().decode()
    home = next((Path(os.environ[name]) for name in HOMES if name in os.environ), Path())
    if plan.get("replace"):
        renew(home, plan["replace"])
    on = "resume" in arguments or "--resume" in arguments
    if plan.get("notes"):
        with Path(plan["notes"]).open("a") as file:
            file.write(json.dumps(seen(arguments, prompt, home)) + "\n")
    if on and plan.get("refuses"):
        sys.stderr.write(plan["refuses"])
        return 1
    if plan.get("transcript"):
        write_down(home, plan["session"], plan["transcript"])
    for line in plan["resumed" if on else "stream"].splitlines():
        say(told(arguments, prompt, home) if line == "@told" else line)
        time.sleep(plan.get("pace_s", 0))
    sys.stderr.write(plan.get("stderr", ""))
    sys.stderr.flush()
    time.sleep(0 if on else plan.get("linger_s", 0))
    return int(plan.get("exit", 0))


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def told(arguments: list[str], prompt: str, home: Path) -> str:
    """A Claude answer that tells how the program was called."""
    text = json.dumps(seen(arguments, prompt, home))
    return json.dumps({"type": "result", "subtype": "success", "is_error": False, "result": text})


def seen(arguments: list[str], prompt: str, home: Path) -> dict[str, Any]:
    files = {str(path.relative_to(home)): _read(path) for path in sorted(home.rglob("*")) if path.is_file()}
    return {
        "argv": arguments,
        "prompt": prompt,
        "env": dict(os.environ),
        "files": files,
        "cwd": str(Path.cwd()),
    }


def write_down(home: Path, session: str, text: str) -> None:
    if "CODEX_HOME" in os.environ:
        path = home / "sessions" / "2026" / "11" / "15" / f"rollout-2026-11-15T18-00-57-{session}.jsonl"
    else:
        folder = "".join(letter if letter.isalnum() else "-" for letter in str(Path.cwd()))
        path = home / "projects" / folder / f"{session}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        file.write(text)


def renew(home: Path, content: str) -> None:
    """In the place of the link, as programs do that write a new file and rename it."""
    link = next(path for path in sorted(home.rglob("*")) if path.is_symlink())
    (home / "new").write_text(content)
    (home / "new").replace(link)


def _read(path: Path) -> str:
    return path.read_text("utf8", "replace")[:1000]


if __name__ == "__main__":
    sys.exit(main(tomllib.loads(Path(sys.argv[1]).read_text("utf8")), sys.argv[2:]))
