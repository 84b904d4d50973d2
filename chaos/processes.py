"""Agents that cling to life or flood us: nothing of them is left after any end, and memory stays small."""

from __future__ import annotations

import asyncio
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from tests.integration.process.conftest import Room, make_room
from tests.integration.process.leftovers import gone, living
from tests.integration.process.test_leftovers import (
    ENDS,
    MISDEEDS,
    MOST,
    ORCHESTRATOR,
    STAYS,
    left_by,
    scenario,
)

from burnish.process import bubblewrap
from burnish.process.supervisor import run
from chaos._desk import GOOD, HONEST, Desks
from chaos._many import alone, inject
from chaos.section import Setting, Tally

MB = 1024 * 1024
MEMORY_MB = 150
LATE_S = 2.0
AFTER_S = 5.0


def section(setting: Setting, tally: Tally) -> None:
    kinds = ["guard", "bubblewrap"]
    if not bubblewrap.usable():
        kinds.remove("bubblewrap")
        tally.note("bubblewrap is not usable here: only the guard was tried")
    with alone(setting.folder):
        clinging(setting, kinds, tally)
        flooding(setting, kinds, tally)
        if not setting.short:
            whole_run(setting.folder / "whole", tally)


@dataclass(frozen=True)
class Case:
    kind: str
    misdeeds: tuple[str, ...]
    end: str
    token: str

    def __str__(self) -> str:
        return f"{'+'.join(self.misdeeds)} after {self.end} in the {self.kind}"


def clinging(setting: Setting, kinds: list[str], tally: Tally) -> None:
    """Every misdeed with every end in every isolation; in short, all misdeeds at once."""
    chance = random.Random(setting.seed)

    def token() -> str:
        # A number of seconds nobody else sleeps, in the command line of everything that is left.
        return f"{chance.randint(2000, 3000)}.{chance.randint(10**6, 10**7 - 1)}7"

    deeds = [tuple(MISDEEDS)] if setting.short else [*((misdeed,) for misdeed in MISDEEDS), tuple(MISDEEDS)]
    cases = [Case(kind, deed, end, token()) for kind, deed, end in product(kinds, deeds, ENDINGS)]
    if not setting.short:
        found = left_by(Room(setting.folder, None), token(), MISDEEDS)
        tally.note(f"the misdeeds leave {found} processes when nobody looks after them (expected {MOST})")

    def work(case: Case) -> None:
        workspace = setting.folder / f"workspace-{case.token}"
        workspace.mkdir()
        ENDINGS[case.end](make_room(case.kind, workspace), case)
        left = gone(case.token, AFTER_S)
        assert left == {}, f"{len(left)} left: {sorted(left.items())[:3]}"

    inject(tally, work, [(str(case), case) for case in cases], 1)


def succeed(room: Room, case: Case) -> None:
    done = room.run(room.command(*scenario(room, case.token, list(case.misdeeds), ENDS)))
    assert (done.exit, done.stdout.text) == (0, "ready\n"), f"exit {done.exit}, said {done.stdout.text!r}"
    assert living(case.token) == {}, "reported before all were gone"


def time_out(room: Room, case: Case) -> None:
    done = room.run(room.command(*scenario(room, case.token, list(case.misdeeds), STAYS), timeout_s=1.5))
    assert done.timed_out, f"exit {done.exit} instead of a timeout"
    assert living(case.token) == {}, "reported before all were gone"


def cancel(room: Room, case: Case) -> None:
    async def cancelled() -> None:
        ready = asyncio.Event()
        command = room.command(*scenario(room, case.token, list(case.misdeeds), STAYS))
        task = asyncio.create_task(run(command, lambda line: ready.set()))
        await ready.wait()
        task.cancel()
        ended = (await asyncio.gather(task, return_exceptions=True))[0]
        assert isinstance(ended, asyncio.CancelledError), f"ended with {ended!r}"
        assert living(case.token) == {}, "passed on before all were gone"

    asyncio.run(cancelled())


def kill_orchestrator(room: Room, case: Case) -> None:
    argv = scenario(room, case.token, list(case.misdeeds), STAYS)
    command = [sys.executable, "-c", ORCHESTRATOR, case.kind, str(room.workspace), *argv]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as orchestrator:
        assert orchestrator.stdout is not None
        assert orchestrator.stdout.readline() == b"ready\n", "the agent did not get ready"
        orchestrator.kill()


ENDINGS: dict[str, Callable[[Room, Case], None]] = {
    "success": succeed,
    "a timeout": time_out,
    "a cancellation": cancel,
    "a kill of the orchestrator": kill_orchestrator,
}

# One orchestrator of its own for each flood, so that its memory is that flood's. VmHWM, because the kernel's
# ru_maxrss is inherited from whoever started it.
FLOODED = """
import asyncio, json, os, re, sys, time
from pathlib import Path
import burnish
from burnish.ports import Sandbox
from burnish.process.child import Command
from burnish.process.supervisor import run
kind, workspace, script = sys.argv[1:]
sandbox = None if kind == "guard" else Sandbox(writable=(Path(workspace),))
command = Command(("/bin/sh", "-c", script), Path(workspace), {"PATH": "/usr/bin:/bin"}, 600.0, sandbox=sandbox)
lines = [0, 0]
def look(line):
    lines[0] += 1
    lines[1] = max(lines[1], len(line))
done = asyncio.run(run(command, look))
late_s = time.time() - float(Path(workspace, "ended").read_text())
memory_kb = int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])
out = done.stdout
print(json.dumps({"exit": done.exit, "total": out.total, "head": out.head[:300].hex(), "tail": (out.head + out.tail)[-300:].hex(),
    "text": out.text[-40:], "late_s": late_s, "memory_kb": memory_kb, "lines": lines}))
"""
NOW = "date +%s.%N > ended"


@dataclass(frozen=True)
class Flood:
    """`total` bytes are expected, which begin and end so."""

    script: str
    total: int
    head: bytes
    tail: bytes


def floods(*, short: bool) -> dict[str, Flood]:
    big, line = (10 * MB, 10 * MB) if short else (5 * 1024 * MB, 1024 * MB)
    every = "".join(f"\\{value:03o}" for value in range(256))
    binary = 20 if short else 2000
    return {
        f"{big // MB} MB on stdout": Flood(
            f"echo first; head -c {big} /dev/zero; echo; echo last", big + 12, b"first\n", b"\nlast\n"
        ),
        f"a line of {line // MB} MB": Flood(
            f"head -c {line} /dev/zero | tr '\\0' x; echo; echo short", line + 7, b"xxx", b"x\nshort\n"
        ),
        "binary": Flood(
            f"i=0; while [ $i -lt {binary} ]; do printf '{every}'; i=$((i+1)); done",
            256 * binary, bytes(range(256)), bytes(range(256)),
        ),
        "half UTF-8": Flood("printf 'caf\\303'", 4, b"caf\xc3", b"caf\xc3"),
        "an orphan that holds the pipe": Flood("setsid sleep 1234.5 & echo mine", 5, b"mine\n", b"mine\n"),
        "lines without end": Flood(
            f"yes 'a line that is repeated' | head -c {big // 5}", big // 5, b"a line", b""
        ),
    }  # fmt: skip


def flooding(setting: Setting, kinds: list[str], tally: Tally) -> None:
    most: dict[str, float] = {"memory": 0.0, "late": 0.0}
    known = floods(short=setting.short)

    def work(job: tuple[str, str]) -> None:
        kind, name = job
        workspace = setting.folder / f"flood-{kind}-{sorted(known).index(name)}"
        workspace.mkdir()
        check_flood(known[name], flooded(kind, workspace, known[name].script), most)

    jobs = [(f"{name} in the {kind}", (kind, name)) for name in known for kind in kinds]
    if setting.short:
        # Each flood in one isolation, in turn.
        jobs = [
            job for number, job in enumerate(jobs) if number % (2 * len(kinds)) in (0, 2 * len(kinds) - 1)
        ]
    inject(tally, work, jobs, 1)
    tally.note(
        f"floods: at most {most['memory']:.0f} MB of memory, reported at most {most['late']:.2f} s after the end"
    )


def flooded(kind: str, workspace: Path, script: str) -> dict[str, object]:
    command = [sys.executable, "-c", FLOODED, kind, str(workspace), f"{script}; {NOW}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr[-300:]
    told: dict[str, object] = json.loads(done.stdout)
    return told


def check_flood(flood: Flood, told: dict[str, object], most: dict[str, float]) -> None:
    memory, late = float(str(told["memory_kb"])) / 1024, float(str(told["late_s"]))
    most["memory"], most["late"] = max(most["memory"], memory), max(most["late"], late)
    assert told["exit"] == 0, f"exit {told['exit']}"
    assert told["total"] == flood.total, f"{told['total']} bytes of {flood.total}"
    assert bytes.fromhex(str(told["head"])).startswith(flood.head), "its beginning is lost"
    assert bytes.fromhex(str(told["tail"])).endswith(flood.tail), "its end is lost"
    assert memory < MEMORY_MB, f"{memory:.0f} MB of memory"
    assert late < LATE_S, f"reported {late:.2f} s after its end"


# The command line as ever; at its end it notes how much memory it had at the most.
MEASURED = r"""
import atexit, re, sys
from pathlib import Path
from burnish.cli.main import main
note = Path(sys.argv[1])
def tell():
    note.write_text(re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())[1])
atexit.register(tell)
main(sys.argv[2:])
"""
FLOODS_FIRST = "import subprocess\nsubprocess.run(['head', '-c', '{size}', '/dev/zero'])\nprint()\n"


def whole_run(folder: Path, tally: Tally) -> None:
    """Not the supervisor alone: a run whose writer prints 5 GB passes, within the same memory."""
    desk = Desks(folder).new()
    flood = FLOODS_FIRST.format(size=5 * 1024 * MB)
    writer, reviewer = desk.agent("writer", flood + GOOD), desk.agent("reviewer", HONEST)
    note = folder / "memory"
    command = [sys.executable, "-c", MEASURED, str(note), "run", "Make it good", "--implementer", writer]
    done = subprocess.run(
        [*command, "--reviewer", reviewer], cwd=desk.repo.path, capture_output=True, text=True, check=False,
        timeout=600, env={**os.environ, "BURNISH_STATE": str(desk.state)},
    )  # fmt: skip
    memory = int(note.read_text()) / 1024
    if done.returncode == 0 and memory < MEMORY_MB:
        tally.survive("a whole run")
    else:
        tally.fall(
            "a whole run with 5 GB of output",
            f"exit {done.returncode}, {memory:.0f} MB: {done.stderr[-200:]}",
        )
    tally.note(f"a whole run whose writer prints 5 GB: {memory:.0f} MB of memory")
