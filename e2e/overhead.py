"""CPU that Burnish adds to a call: the same call by hand and through the runner, in turn."""

from __future__ import annotations

import asyncio
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.model_server import Say, Scene

from e2e._clis import PATH, ROOT, Cli
from e2e._stage import MARK, Stage

PAIRS = 20
PROMPT = "You are the implementer. Say hello."


HELLO = '[[scene]]\nplays = 0\nturns = [{do = "say", text = "Hello."}]\n'


@dataclass(frozen=True)
class Spent:
    """User + system time in milliseconds: of our own process, and of all that it started and waited for.

    What a sandbox does inside of its own process namespace is in neither.
    """

    own_ms: float
    children_ms: float


@dataclass(frozen=True)
class Cost:
    """Medians. `by_hand` starts the CLI and reads all it prints; `by_burnish` asks it through its adapter and the
    runner, in our sandbox. The model is a process of its own: its time is in none of them."""

    agent: str
    pairs: int
    by_hand: Spent
    by_burnish: Spent

    @property
    def added_ms(self) -> float:
        return self.by_burnish.own_ms - self.by_hand.own_ms

    @property
    def line(self) -> str:
        return (
            f"{self.agent}: adds {self.added_ms:.0f} ms of CPU to a call (by hand {self.by_hand.own_ms:.0f} ms, through "
            f"Burnish {self.by_burnish.own_ms:.0f} ms; the CLI itself {self.by_hand.children_ms:.0f} ms; "
            f"median of {self.pairs} pairs)"
        )


def measure(cli: Cli, pairs: int, place: Path) -> Cost:
    folder = Path(tempfile.mkdtemp(prefix=MARK, dir=place))
    stage = Stage(cli, folder)
    hand: list[Spent] = []
    ours: list[Spent] = []
    try:
        with served(stage):
            asked = _asking(stage)
            by_hand(stage)
            asked()
            for _ in range(pairs):
                hand.append(_spent(lambda: by_hand(stage)))
                ours.append(_spent(asked))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return Cost(cli.name, pairs, _median(hand), _median(ours))


@contextmanager
def served(stage: Stage) -> Iterator[None]:
    """A model that says hello, in a process of its own."""
    script = stage.folder / "hello.toml"
    script.write_text(HELLO, "utf8")
    command = [sys.executable, "-m", "tests.model_server", str(script)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            stage.serve(server.stdout.readline().strip())
            yield
        finally:
            server.terminate()


def left_alone(cli: Cli, place: Path) -> list[str]:
    """Where it wants to go when it is called by hand with nothing turned off: shows that going elsewhere is seen."""
    folder = Path(tempfile.mkdtemp(prefix=MARK, dir=place))
    stage = Stage(cli, folder)
    try:
        with stage.script(Scene([Say("Hello.")], plays=0)) as server:
            env = {name: value for name, value in stage.environment().items() if "DISABLE" not in name}
            (stage.home / ".codex" / "config.toml").unlink(missing_ok=True)
            _call(stage, env, [word.replace("URL", server.url) for word in cli.endpoint])
            return sorted(set(server.elsewhere))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def by_hand(stage: Stage) -> None:
    done = _call(stage, {**stage.environment(), "CLAUDE_CODE_MAX_RETRIES": "1"})
    assert b"Hello." in done.stdout, (done.stdout[-300:], done.stderr[-300:])


def _call(
    stage: Stage, env: dict[str, str], options: Sequence[str] = ()
) -> subprocess.CompletedProcess[bytes]:
    program = shutil.which(stage.cli.name, path=PATH)
    assert program is not None
    [*words, last] = stage.cli.direct[1:]
    return subprocess.run(
        [program, *words, *([last, *options] if last != "-" else [*options, last])],
        cwd=stage.repo.path, env=env, input=PROMPT.encode(), capture_output=True, check=False, timeout=120,
    )  # fmt: skip


def _asking(stage: Stage) -> Callable[[], None]:
    """One question to the agent as a run asks it: session, sandbox, adapter, supervisor, reader."""
    from burnish.agents._choose import choose
    from burnish.agents._setup import AgentSetup
    from burnish.model.agent import Request
    from burnish.model.step import Role

    for name in ("inbox", "outbox"):
        (stage.folder / name).mkdir()
    agent = choose(stage.cli.name, AgentSetup(stage.environment(), stall_s=60))
    request = Request(
        Role.IMPLEMENT, PROMPT, stage.repo.path, stage.folder / "inbox", stage.folder / "outbox", 120.0
    )

    async def ask() -> None:
        session = agent.session()
        try:
            await session.spawn(request)
            reply = await session.wait(120.0)
        finally:
            await session.close()
        assert reply is not None and reply.text == "Hello.", reply

    return lambda: asyncio.run(ask())


def _spent(call: Callable[[], None]) -> Spent:
    own, children = _cpu_ms(resource.RUSAGE_SELF), _cpu_ms(resource.RUSAGE_CHILDREN)
    call()
    return Spent(_cpu_ms(resource.RUSAGE_SELF) - own, _cpu_ms(resource.RUSAGE_CHILDREN) - children)


def _cpu_ms(who: int) -> float:
    used = resource.getrusage(who)
    return (used.ru_utime + used.ru_stime) * 1000


def _median(found: list[Spent]) -> Spent:
    return Spent(
        statistics.median(one.own_ms for one in found), statistics.median(one.children_ms for one in found)
    )
