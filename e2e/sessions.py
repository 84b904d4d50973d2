"""Fixers that go on with the session of the step before them, and reviewers that never do."""

from __future__ import annotations

import os
import signal
from typing import Any

from tests.cli import Said
from tests.model_server import Edit, Say, Scene, Stall
from tests.model_server.server import Seen

from e2e._stage import Stage
from e2e._story import (
    ADD,
    FIXER,
    IMPLEMENTER,
    REVIEWER,
    RIGHT,
    SUBTRACT,
    TASK,
    WRONG,
    approves,
    commits_once,
    ended,
    notices,
    refuses,
)
from e2e.endings import begun, runs
from e2e.loop import GUARD
from e2e.scenario import Scenario

# Said in the middle of the work, so it stands in a session and in no prompt of ours.
THOUGHTS = ("The implementer thinks of a heron.", "The first fixer thinks of a walrus.")
RESUME = "--resume-fixer"
TOKENS = 120


def story() -> list[Scene]:
    """Three cycles: scene 4 is the second fixer."""
    return [
        _works(ADD, WRONG, IMPLEMENTER, THOUGHTS[0]),
        refuses("subtract takes its arguments the wrong way round", f"{REVIEWER}.*cycle 1"),
        _works(SUBTRACT, RIGHT, f"{FIXER}.*cycle 1", THOUGHTS[1]),
        refuses("an example is missing", f"{REVIEWER}.*cycle 2"),
        _works(RIGHT, GUARD, f"{FIXER}.*cycle 2", "The second fixer thinks of nothing."),
        approves(f"{REVIEWER}.*cycle 3"),
    ]


def _works(old: str, new: str, when: str, thought: str) -> Scene:
    return Scene([Edit("calc.py", old, new, thought), Say("I have changed calc.py.")], when=when)


def three_cycles(stage: Stage, *options: str) -> str:
    with stage.script(*story()) as server:
        said = stage.run(TASK, RESUME, *options)
        end = ended(said, "passed", 0)
        assert not server.script.left, f"scenes {server.script.left} were not asked for"
        asked = server.asked
    _knew(asked, 2, THOUGHTS[:1])
    _knew(asked, 4, THOUGHTS)
    _reviewers_knew_nothing(asked)
    commits_once(stage, end["branch"], 3)
    _counted_once(said, end, asked)
    assert "fresh session" not in notices(said), notices(said)
    shown = stage.burnish("show", end["run"]).out
    assert "session resumed" in shown, f"show does not tell it: {shown[-600:]}"
    return f"passed in 3 cycles, both fixers knew what was said before, no reviewer did; {len(asked)} calls, tokens exact"


def _first(asked: list[Seen], scene: int) -> str:
    return next(seen.said for seen in asked if seen.scene == scene)


def _knew(asked: list[Seen], scene: int, thoughts: tuple[str, ...]) -> None:
    missing = [thought for thought in thoughts if thought not in _first(asked, scene)]
    assert not missing, f"scene {scene} was asked without the session of before: {missing}"


def _reviewers_knew_nothing(asked: list[Seen]) -> None:
    for scene in (1, 3, 5):
        leaked = [thought for thought in THOUGHTS if thought in _first(asked, scene)]
        assert not leaked, f"the reviewer of scene {scene} was told {leaked}"


def _counted_once(said: Said, end: dict[str, Any], asked: list[Seen]) -> None:
    """Each step has what its own requests used, though a CLI that goes on tells the whole session's."""
    for role, cycle, scene in (("implement", 0, 0), ("fix", 1, 2), ("fix", 2, 4)):
        used = _change(said, role, cycle)["usage"]
        found, own = used["tokens_in"] + used["tokens_out"], TOKENS * sum(s.scene == scene for s in asked)
        assert found == own, f"{role} {cycle}: {found} tokens recorded, {own} used"
    assert end["tokens"] == TOKENS * len(asked), (
        f"{end['tokens']} tokens recorded, {TOKENS * len(asked)} used"
    )
    rates = [_rate(_change(said, "fix", cycle)["usage"]) for cycle in (1, 2)]
    assert None in rates or abs(rates[0] - rates[1]) < 1e-9, f"one model, two prices a token: {rates}"


def _rate(used: dict[str, Any]) -> float | None:
    cost: float | None = used["cost_usd"]
    return None if cost is None else cost / (used["tokens_in"] + used["tokens_out"])


def _change(said: Said, role: str, cycle: int) -> dict[str, Any]:
    found = [
        event["result"]
        for event in said.events
        if event["kind"] == "step_finished"
        and (event["step"]["role"], event["step"]["cycle"], event["result_type"]) == (role, cycle, "Change")
    ]
    assert found, f"there is no change of {role} {cycle}"
    change: dict[str, Any] = found[-1]
    assert change["resumed"] is (role == "fix"), f"{role} {cycle}: resumed is {change['resumed']}"
    return change


def unsandboxed(stage: Stage) -> str:
    return three_cycles(stage, "--sandbox", "off")


def killed(stage: Stage) -> str:
    """kill -9 while the second fixer works: the one that is asked again goes on with the first one's session."""
    with stage.script(*_stalls()) as server:
        _kill(stage)
        said = stage.burnish("resume", runs(stage)[0], "--json")
        ended(said, "passed", 0)
        again = [seen.said for seen in server.asked if seen.scene == 5]
    assert all(thought in again[0] for thought in THOUGHTS), "it did not know what was said before"
    return "the session of the first fixer outlived the kill"


def spoilt(stage: Stage) -> str:
    """A session that the CLI does not take up any more: the fixer begins anew, and the run tells it."""
    with stage.script(*_stalls()) as server:
        _kill(stage)
        [kept] = stage.folder.glob("state/repos/*/runs/r-*/desks/fix_1_1/session/transcript.jsonl")
        kept.write_text("this is no session\n" * 3, "utf8")
        said = stage.burnish("resume", runs(stage)[0], "--json")
        ended(said, "passed", 0)
        again = [seen.said for seen in server.asked if seen.scene == 5]
    assert not any(thought in again[0] for thought in THOUGHTS), "it knew what was said before"
    assert "fix 2 began a fresh session" in notices(said), f"it was not told: {notices(said)}"
    return "not taken up, told, fixed in a fresh session"


def _stalls() -> list[Scene]:
    scenes = story()
    silent = Scene([Edit("calc.py", RIGHT, f"{RIGHT}  # half"), Stall(seconds=300)], when=scenes[4].when)
    return [*scenes[:4], silent, *scenes[4:]]


def _kill(stage: Stage) -> None:
    child = begun(stage, RESUME, silent=4)
    os.kill(child.pid, signal.SIGKILL)
    stage.end(child, 30)
    left = stage.processes()
    assert not left, f"still running: {left}"


SCENARIOS = (
    Scenario("fixers resume their session", three_cycles, may_pass=True),
    Scenario("fixers resume their session, sandbox off", unsandboxed, may_pass=True),
    Scenario("fixers resume, kill -9, resume", killed, may_pass=True),
    Scenario("fixers resume, session spoilt", spoilt, may_pass=True),
)
