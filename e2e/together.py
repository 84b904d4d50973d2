"""Several CLIs in one run: another vendor's to review, one that takes over, and the command that tries one out."""

from __future__ import annotations

from tests.model_server import Refuse
from tests.model_server.script import FOR_EVER

from e2e._clis import CLIS, Cli
from e2e._stage import Stage
from e2e._story import (
    IMPLEMENTER,
    REVIEWER,
    TASK,
    approves,
    commits_once,
    ended,
    implements,
    only,
    told,
)
from e2e.scenario import Scenario

PROTOCOLS = {"claude": "messages", "codex": "responses"}


def other_than(stage: Stage) -> Cli:
    return next(cli for cli in CLIS if cli.name != stage.cli.name)


def reviewed_by_another(stage: Stage) -> str:
    """This one implements, and nobody said who reviews."""
    other = other_than(stage)
    if not other.version():
        return f"not tested: {other.name} is not installed"
    stage.company = CLIS
    with stage.script(implements(), approves()) as server:
        said = stage.burnish("run", TASK, "--implementer", stage.cli.name, "--json")
        end = ended(said, "passed", 0)
        spoken = [server.asked[0].protocol, server.asked[-1].protocol]
    assert spoken == [PROTOCOLS[stage.cli.name], PROTOCOLS[other.name]], f"asked over {spoken}"
    told(said, f"took {other.name} to review")
    commits_once(stage, end["branch"], 1)
    return f"{stage.cli.name} implemented, {other.name} was taken to review"


USED_UP = Refuse(
    429, "You have hit your usage limit.", "usage_limit_reached", {"retry-after": "600"}, times=FOR_EVER
)


def taken_over(stage: Stage) -> str:
    """Its quota is used up: the next of the chain does it, and the run says who did what."""
    other = other_than(stage)
    if not other.version():
        return f"not tested: {other.name} is not installed"
    stage.company = CLIS
    mine = f"(?s){IMPLEMENTER}"
    with stage.script(only(USED_UP, when=mine), implements(), approves()) as server:
        said = stage.run(TASK, "--fallback", other.name, "--reviewer", other.name)
        end = ended(said, "passed", 0)
        first = [seen.protocol for seen in server.asked if seen.scene == 0]
    assert set(first) == {PROTOCOLS[stage.cli.name]}, f"first asked over {first}"
    [change] = [event for event in said.events if event.get("result_type") == "Change"]
    assert change["result"]["agent"] == other.name, f"recorded as done by {change['result']['agent']}"
    told(said, f"implement: {other.name} stood in for {stage.cli.name}: quota")
    commits_once(stage, end["branch"], 1)
    return f"{other.name} took over, and is recorded as the one who did it"


def not_approved(stage: Stage) -> str:
    """Nobody is left to review but analysers: that they find nothing must not be a pass."""
    with stage.script(implements(), only(USED_UP, when=REVIEWER)):
        said = stage.run(TASK, "--fallback", "embedded")
    assert said.code == 4, f"exit {said.code}: {said.out[-300:]}"
    assert said.events[-1]["kind"] == "run_interrupted", said.events[-1]
    told(said, "embedded: found nothing that blocks")
    told(said, "that is no approval")
    return "left to be resumed: analysers found nothing, and that is no approval"


def listed(stage: Stage) -> str:
    with stage.script():
        said = stage.burnish("agents")
    assert said.code == 0, said.err
    told(said, stage.cli.name)
    assert stage.cli.version() in said.out, f"its version is not told: {said.out[-300:]}"
    return "named with its version"


SCENARIOS = (
    Scenario("another vendor reviews", reviewed_by_another, may_pass=True),
    Scenario("quota used up, the next of the chain", taken_over, may_pass=True),
    Scenario("quota used up, embedded stands in", not_approved),
    Scenario("burnish agents", listed),
)
