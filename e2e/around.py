"""Around the loop: trying an agent out, time that is over, recordings that need no agent, budgets within a step."""

from __future__ import annotations

import time

from tests.model_server import Answer, Edit, Run, Say, Scene
from tests.model_server.lengths import answers_of

from e2e._clis import PATH
from e2e._stage import Stage
from e2e._story import (
    IMPLEMENTER,
    REVIEWER,
    TASK,
    approves,
    commits_once,
    ended,
    implements,
    not_passed,
    notices,
    only,
    told,
    verdict,
)
from e2e.scenario import Scenario

WORKING = Run("sleep 1", times=0)
TIME_S = 12
# Each request is 120 tokens: the step would use three times what it may.
MOST_TOKENS, MOST_REQUESTS, LONG_ANSWER = 12_000, 25, 5_000


def tried_out(stage: Stage) -> str:
    with stage.script(
        only(Answer(verdict("CHANGES_REQUESTED", "add subtracts")), when="You are a reviewer"),
        only(Edit("app.py", "    return a - b", "    return a + b"), Say("Fixed."), when="You are a fixer"),
    ):
        said = stage.burnish("agents", "test", stage.cli.name)
    assert said.code == 0, f"exit {said.code}: {said.out[-400:]} {said.err[-200:]}"
    told(said, "the bug is gone")
    return "found, reviewed and fixed"


def tried_out_without_a_key(stage: Stage) -> str:
    with stage.script(only(Say("I have fixed it."), when="", plays=0)):
        said = stage.burnish("agents", "test", stage.cli.name)
    assert said.code != 0, "an agent that only talks was called good"
    return f"an agent that only talks is told apart, exit {said.code}"


def time_is_over(stage: Stage) -> str:
    """It works and works: told that time is over, it comes to an end, and what it did is reviewed."""
    finish = Scene([*implements().turns], when="STATUS_CHECK|FINALIZE", cuts_in=True)
    with stage.script(only(WORKING, when=IMPLEMENTER), finish, approves()) as server:
        said = stage.run(TASK, "--timeout-implement", str(TIME_S))
        end = ended(said, "passed", 0)
        calls = {seen.conversation for seen in server.asked if seen.scene in (0, 1)}
    commits_once(stage, end["branch"], 1)
    return f"reminded in {'the same' if len(calls) == 1 else 'another'} session, then passed"


def never_ends(stage: Stage) -> str:
    """It does not listen: the wall clock ends it."""
    with stage.script(only(WORKING, when="", plays=0)):
        began = time.monotonic()
        end = not_passed(stage.run(TASK, "--timeout-implement", str(TIME_S)))
        took_s = time.monotonic() - began
    return f"{end['outcome']} ({end['reason']}) after {took_s:.0f} s"


def replayed(stage: Stage) -> str:
    """A recorded run, again, without the CLI and without a model: the same tree."""
    cassette = stage.folder / "cassette"
    with stage.script(implements(), approves()):
        first = ended(stage.run(TASK, "--record", str(cassette)), "passed", 0)
    with stage.script() as server:
        said = stage.burnish("run", TASK, "--agent", f"cassette:{cassette}", "--json")
        second = ended(said, "passed", 0)
        assert not server.requests, "a model was asked"
        assert "another prompt" not in notices(said), "the same task is told as another one"
        other = stage.burnish("run", "Rename add", "--agent", f"cassette:{cassette}", "--json")
        assert "another prompt" in notices(other), "a recording of another task is played in silence"
    trees = [stage.repo.tree(end["branch"]) for end in (first, second)]
    assert trees[0] == trees[1], "the replayed tree differs"
    kept = b"".join(path.read_bytes() for path in cassette.rglob("*") if path.is_file())
    assert b"dummy-key-of-e2e" not in kept, "a key is in the recording"
    return "the same tree, no model asked, no key in it; told for another task"


def budget_within_a_step(stage: Stage) -> str:
    """Stopped as soon as what it used is known, by its stream or by what it writes down, not at its end."""
    work = Scene([Run("true", times=MOST_REQUESTS), *implements().turns], when=IMPLEMENTER)
    with answers_of(LONG_ANSWER), stage.script(work, approves(REVIEWER, plays=0)) as server:
        said = stage.run(TASK, "--max-tokens", str(MOST_TOKENS))
        asked = len(server.asked)
        reviewed = any(seen.scene == 1 for seen in server.asked)
    end = not_passed(said)
    assert end["reason"] == "out_of_budget", f"{end['outcome']} ({end['reason']})"
    assert not reviewed, "a review was started all the same"
    # Those that come before its count is looked at: codex is looked at every quarter of a second.
    most = MOST_TOKENS // LONG_ANSWER + 3
    assert asked <= most, f"it was asked {asked} times, and {most} would be too much already"
    return (
        f"{end['outcome']} ({end['reason']}) within the step, after {asked} answers of {LONG_ANSWER} tokens"
    )


def not_installed(stage: Stage) -> str:
    program = stage.cli.name
    with stage.script():
        env = {
            **stage.environment(),
            "PATH": ":".join(part for part in PATH.split(":") if "cache" not in part),
        }
        said = stage.burnish("run", TASK, "--agent", program, env=env)
    assert said.code not in (0, 3), f"exit {said.code}"
    told(said, "install")
    return f"told in a sentence, exit {said.code}"


SCENARIOS = (
    Scenario("burnish agents test", tried_out),
    Scenario("burnish agents test, only talk", tried_out_without_a_key),
    Scenario("time is over, asked to finish", time_is_over, may_pass=True),
    Scenario("time is over, does not listen", never_ends),
    Scenario("recorded, replayed without the CLI", replayed, may_pass=True),
    Scenario("budget used up within a step", budget_within_a_step),
    Scenario("not installed", not_installed),
)
