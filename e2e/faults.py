"""What a service does on bad days: refused keys, limits, errors, broken and silent streams, answers in no form."""

from __future__ import annotations

import re
import time

from tests.model_server import Drop, Refuse, Say, Stall
from tests.model_server.script import FOR_EVER

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
    only,
    told,
)
from e2e.scenario import Scenario

RETRY_AFTER_S = 3
STOPPED = 4
# Start-up, and the CLI's own attempts: far below what they take when they are left alone.
SOON_S = 60.0


def bad_key(stage: Stage) -> str:
    with stage.script(
        only(Refuse(401, "invalid x-api-key", times=FOR_EVER), when=IMPLEMENTER, plays=0)
    ) as server:
        began = time.monotonic()
        said = stage.run(TASK)
        took_s = time.monotonic() - began
        asked = len(server.asked)
    end = ended(said, "failed", 1)
    told(said, "not logged in", "log in", "login", "authenticat")
    assert took_s < SOON_S, f"it took {took_s:.0f} s to give up"
    return f"{end['outcome']} ({end['reason']}) after {asked} requests"


def limited(stage: Stage) -> str:
    """The queue waits for the end of a limit, then goes on."""
    slow = Refuse(429, "rate limited, slow down", headers={"retry-after": str(RETRY_AFTER_S)}, times=FOR_EVER)
    with stage.script(only(slow, when=IMPLEMENTER), implements(), approves()) as server:
        added = stage.burnish("add", TASK, "-a")
        assert added.code == 0, added.err
        said = stage.burnish("work", "--agent", stage.cli.name)
        assert said.code == 0, f"expected exit 0, found {said.code}: {said.out[-300:]} {said.err[-300:]}"
        first = [seen.at_s for seen in server.asked if seen.scene == 0]
        second = [seen.at_s for seen in server.asked if seen.scene == 1]
        assert second, "it was not asked again"
        waited_s = second[0] - first[-1]
    assert waited_s >= RETRY_AFTER_S, f"asked again after {waited_s:.1f} s"
    [branch] = [name for name in stage.repo.branches if name != "main"]
    commits_once(stage, branch, 1)
    return f"asked again after {waited_s:.0f} s (told {RETRY_AFTER_S}), then passed"


def always_limited(stage: Stage) -> str:
    """A limit that lasts longer than a run waits leaves it to be resumed, and the command it names goes on."""
    slow = Refuse(429, "rate limited, slow down", headers={"retry-after": "600"}, times=FOR_EVER)
    with stage.script(only(slow, when=IMPLEMENTER, plays=0)) as server:
        began = time.monotonic()
        said = stage.run(TASK, "--max-time", "50s")
        took_s = time.monotonic() - began
        asked = len(server.asked)
    told(said, "limit")
    assert said.code == STOPPED, f"expected exit {STOPPED}, found {said.code}: {said.err[-300:]}"
    assert took_s < SOON_S, f"it took {took_s:.0f} s to give up"
    with stage.script(implements(), approves()):
        [command] = set(re.findall(r"burnish (resume r-\w+)", said.err))
        ended(stage.burnish(*command.split(), "--json"), "passed", 0)
    return f"left after {asked} requests, resumed as it said, passed"


def server_error(stage: Stage) -> str:
    with stage.script(
        only(Refuse(500, "internal error", times=FOR_EVER), when=IMPLEMENTER, plays=0)
    ) as server:
        began = time.monotonic()
        said = stage.run(TASK)
        took_s = time.monotonic() - began
        asked = len(server.asked)
    end = ended(said, "failed", 1)
    assert took_s < SOON_S, f"it took {took_s:.0f} s to give up"
    return f"{end['outcome']} ({end['reason']}) after {asked} requests"


def overloaded(stage: Stage) -> str:
    with stage.script(only(Refuse(529, "Overloaded", times=FOR_EVER), when=IMPLEMENTER, plays=0)) as server:
        said = stage.run(TASK)
        asked = len(server.asked)
    end = ended(said, "failed", 1)
    return f"{end['outcome']} ({end['reason']}) after {asked} requests"


def too_long(stage: Stage) -> str:
    """It must not compact and try again for ever."""
    told_so = {
        "claude": Refuse(400, "prompt is too long: 250000 tokens > 200000 maximum", times=FOR_EVER),
        "codex": Refuse(400, "Your input exceeds the context window of this model.", "context_length_exceeded", times=FOR_EVER),
    }  # fmt: skip
    with stage.script(only(told_so[stage.cli.name], when="", plays=0)) as server:
        began = time.monotonic()
        said = stage.run(TASK)
        took_s = time.monotonic() - began
        asked = len(server.asked)
    end = ended(said, "failed", 1)
    told(said, "too long", "context")
    assert took_s < SOON_S, f"it took {took_s:.0f} s to give up"
    return f"{end['outcome']} ({end['reason']}) after {asked} requests"


def error_in_review(stage: Stage) -> str:
    """What was implemented is kept, and is no pass."""
    with stage.script(
        implements(), only(Refuse(500, "internal error", times=FOR_EVER), when=REVIEWER, plays=0)
    ):
        end = not_passed(stage.run(TASK))
    commits_once(stage, end["branch"], 1)
    return f"{end['outcome']} ({end['reason']}), the change is on {end['branch']}"


def dropped_once(stage: Stage) -> str:
    with stage.script(only(Drop(), *implements().turns, when=IMPLEMENTER), approves()) as server:
        end = ended(stage.run(TASK), "passed", 0)
        asked = len(server.asked)
    commits_once(stage, end["branch"], 1)
    return f"passed after {asked} requests"


def dropped_for_ever(stage: Stage) -> str:
    with stage.script(only(Drop(times=FOR_EVER), when=IMPLEMENTER, plays=0)) as server:
        said = stage.run(TASK)
        asked = len(server.asked)
    end = ended(said, "failed", 1)
    return f"{end['outcome']} ({end['reason']}) after {asked} requests"


def stalled(stage: Stage) -> str:
    """Our own timer ends it: `timeouts.stall_s` is 10 here."""
    with stage.script(only(Stall(seconds=300, times=FOR_EVER), when=IMPLEMENTER, plays=0)):
        began = time.monotonic()
        said = stage.run(TASK)
        took_s = time.monotonic() - began
    end = not_passed(said)
    told(said, "printed nothing", "stall", "silent")
    assert took_s < SOON_S, f"it took {took_s:.0f} s to give up"
    return f"{end['outcome']} ({end['reason']}) after {took_s:.0f} s"


def schema_ignored(stage: Stage) -> str:
    """A reviewer that chats: asked once more with what was wrong, then the profile's rule."""
    chat = only(Say("Looks good to me, ship it!", times=FOR_EVER), when=REVIEWER, plays=0)
    with stage.script(implements(), chat) as server:
        said = stage.run(TASK, "--cycles", "1")
        reviews = [seen for seen in server.asked if seen.scene == 1]
    end = not_passed(said)
    calls = len({seen.conversation for seen in reviews})
    assert calls == 2, f"the reviewer was asked {calls} times, not once and once more"
    again = "Your last answer could not be used"
    assert again in reviews[-1].said, "the second question does not say what was wrong with the first answer"
    return f"asked twice, then {end['outcome']} ({end['reason']})"


SCENARIOS = (
    Scenario("401", bad_key),
    Scenario("429 with retry-after, in the queue", limited, may_pass=True),
    Scenario("429 for longer than a run waits", always_limited, may_pass=True),
    Scenario("500", server_error),
    Scenario("529 overloaded", overloaded),
    Scenario("400 prompt too long", too_long),
    Scenario("500 in the review", error_in_review),
    Scenario("dropped stream", dropped_once, may_pass=True),
    Scenario("dropped streams for ever", dropped_for_ever),
    Scenario("stall", stalled),
    Scenario("schema ignored", schema_ignored),
)
