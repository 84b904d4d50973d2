"""Sandbox: probes that try to reach out of it, as root and as an ordinary user; each is a real probe, or says why not."""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from burnish.process import bubblewrap
from chaos import _probe_driver
from chaos._probes import PRELUDE, PROBES, Probe
from chaos.section import Setting, Tally

NOBODY = 65534
PATH = "/usr/local/bin:/usr/bin:/bin"
IN_HOME = (".ssh/id_ed25519", ".netrc", ".git-credentials", ".aws/credentials", "notes.txt")
SHORT = (
    "ssh key", "the user's .git", "keys of the session", "bubblewrap's report of who is inside", "signal to a process outside",
    "user namespace, then hidden folder uncovered", "through a symlink in the workspace",
)  # fmt: skip
MODULE = {"x86_64": 313, "aarch64": 273}


def section(setting: Setting, tally: Tally) -> None:
    if not bubblewrap.usable():
        tally.note("skipped: bubblewrap is not usable here")
        return
    probes = dict(PROBES)
    if setting.short:
        more = random.Random(setting.seed).sample(sorted(set(PROBES) - set(SHORT)), 3)
        probes = {name: PROBES[name] for name in (*SHORT, *more)}
    python = shutil.which("python3", path="/usr/bin") or os.path.realpath(sys.executable)
    for user in (0, NOBODY) if os.getuid() == 0 else (os.getuid(),):
        with world(user, setting.seed, python) as found:
            _judge(tally, found, probes, user)
    if os.getuid() != 0:
        tally.note("skipped: the half as root, which only root can try")


@contextmanager
def world(user: int, seed: int, python: str) -> Iterator[dict[str, Any]]:
    """Folders of this user with secrets in them; those outside of the home lie where nothing is hidden by itself."""
    with ExitStack() as stack:
        tops = {
            name: Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="chaos-", dir=_place(place))))
            for name, place in {"main": "/var/tmp", "open": "/srv", "temporary": "/tmp", "other": "/home", "run": "/run"}.items()
        }  # fmt: skip
        canary = "cnry" + hashlib.sha256(f"{seed}{user}".encode()).hexdigest()[:24]
        found = _furnished(tops, canary) | {"python": python, "prelude": PRELUDE, "canary": canary}
        source = Path(bubblewrap.__file__).parents[1]
        shutil.copytree(
            source, tops["main"] / "src/burnish", ignore=shutil.ignore_patterns("__pycache__", "*.md")
        )
        shutil.copy(_probe_driver.__file__, tops["main"] / "src/driver.py")
        found |= {"main": str(tops["main"]), "module": MODULE.get(os.uname().machine, -1)}
        if os.getuid() == 0:
            for top in tops.values():
                for path in (top, *top.rglob("*")):
                    os.chown(path, user, user)
        yield found


def _place(wanted: str) -> str:
    return wanted if os.access(wanted, os.W_OK) else "/var/tmp"


def _furnished(tops: dict[str, Path], canary: str) -> dict[str, Any]:
    home, here = tops["main"] / "home", tops["open"]
    secrets = [home / name for name in IN_HOME]
    secrets += [here / "repository/.git/config", here / "state/burnish.db", home / "inbox.txt"]  # fmt: skip
    secrets += [tops["temporary"] / "file", tops["other"] / "file"]
    for path in secrets:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(canary)
    kept = {str(here / "outside/kept"): "kept", str(home / ".bashrc"): "# mine\n"}
    for name in ("repository/.git/hooks", "outside", "inbox", "state/run"):
        (here / name).mkdir(parents=True, exist_ok=True)
    for name, text in kept.items():
        Path(name).write_text(text)
    for path in (*tops.values(), *(path for top in tops.values() for path in top.rglob("*"))):
        path.chmod(0o755 if path.is_dir() else 0o644)
    return {
        "home": str(home), "secret": str(home / "notes.txt"), "other": str(tops["other"] / "file"),
        "temporary": str(tops["temporary"] / "file"), "repository": str(here / "repository"), "state": str(here / "state"),
        "outside": str(here / "outside"), "inbox": str(here / "inbox"), "workspace": str(here / "state/run/workspace"),
        "outbox": str(here / "state/run/outbox"), "kept_file": str(here / "outside/kept"), "kept": kept,
        "socket": str(tops["run"] / "service.sock"), "mounted": str(here), "handle": _handle(home / "notes.txt"),
        "hidden": [str(here / "repository/.git"), str(here / "state")],
        "watched": [str(here), str(home), str(tops["temporary"])],
    }  # fmt: skip


def _handle(path: Path) -> str:
    """What the kernel needs to open a file without its name."""
    libc = ctypes.CDLL(None, use_errno=True)
    handle = ctypes.create_string_buffer((128).to_bytes(4, sys.byteorder), 136)
    mounted = ctypes.c_int()
    libc.name_to_handle_at(-100, os.fsencode(path), handle, ctypes.byref(mounted), 0)
    return handle.raw.decode("latin1")


def _judge(tally: Tally, found: dict[str, Any], probes: dict[str, Probe], user: int) -> None:
    who = "root" if user == 0 else "ordinary user"
    asked = [{"name": name, **asdict(probe)} for name, probe in probes.items()]
    env = {"PATH": PATH, "HOME": found["home"], "PYTHONPATH": f"{found['main']}/src"}
    switch: dict[str, Any] = {"user": user, "group": user, "extra_groups": []} if os.getuid() == 0 else {}
    done = subprocess.run(
        [found["python"], f"{found['main']}/src/driver.py"],
        input=json.dumps({"world": found, "probes": asked}), capture_output=True, text=True, cwd="/", env=env, check=False, **switch,
    )  # fmt: skip
    told = {line["name"]: line for line in map(json.loads, done.stdout.splitlines())}
    unshown = []
    for name, probe in probes.items():
        one = told.get(name)
        why = _why_it_fell(one) if one else f"was not tried: {done.stderr[-300:]}"
        excuse = probe.never or probe.here or (probe.unprivileged if user else "")
        if one and not why and not one["real"] and not excuse:
            why = f"proves nothing, it does not work without a sandbox either: {one['real_said']}"
        if one and not one["real"]:
            unshown.append(f"{name} ({excuse})")
        tally.fall(f"{who}, {name}", " ".join(why.split())) if why else tally.survive(name)
    tally.note(
        f"{who}: {len(probes) - len(unshown)} of {len(probes)} probes work without a sandbox; not shown: {', '.join(unshown) or 'none'}"
    )


def _why_it_fell(one: dict[str, Any]) -> str:
    if one["got"]:
        return f"got out: {one['said']}"
    if one["planted"]:
        return f"changed {', '.join(one['planted'])}"
    if not one["tried"] or not one["isolation"].startswith("bubblewrap"):
        return f"did not run in a sandbox: {one['said']}"
    return ""
