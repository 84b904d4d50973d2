"""A review that fixes, by an agent in every part of it: view, deep dive, plan and repair, each in its form."""

from __future__ import annotations

import json

from tests.model_server import Answer, Edit, Say, Scene

from e2e._stage import Stage
from e2e._story import FIXER, told
from e2e.loop import PROSE, view_answer
from e2e.scenario import Scenario

FILE, RISKY, SAFE = "rate.py", "    return eval(text)", "    return float(text)"
SOURCE = f"def rate(text):\n{RISKY}\n"
DIVER, PLANNER, VIEWER = "You look closer at one finding", "You are a planner", "You review one dimension"
OPTIONS = ("--dimensions", "security", "--no-tests", "--format", "json")


def dived_and_planned(stage: Stage) -> str:
    stage.repo.write(FILE, SOURCE)
    with stage.script():
        alone = stage.burnish("review", *OPTIONS, "--max-iterations", "0")
    [finding] = [found for found in json.loads(alone.out)["findings"] if found["file"] == FILE]
    name = finding["id"]
    with stage.script(
        Scene([Answer(view_answer("security"))], when=VIEWER),
        Scene([Answer(_dive(name))], when=DIVER),
        Scene([Answer(_plan(name))], when=PLANNER),
        Scene([Edit(FILE, RISKY, SAFE), Say("It is a number now.")], when=FIXER),
        Scene([Answer(view_answer("security"))], when=VIEWER),
    ) as server:
        said = stage.burnish("review", "--fix", "--agent", stage.cli.name, *OPTIONS, "--max-iterations", "1")
        assert not server.script.left, f"scenes {server.script.left} were not asked for: {said.err[-400:]}"
    assert said.code == 0, f"expected exit 0, found {said.code}: {said.err[-300:]}"
    assert "degraded" not in said.err, f"an answer was not used: {said.err[-400:]}"
    [branch] = [one for one in stage.repo.branches if one.startswith("burnish/fix-")]
    assert SAFE in stage.repo.show(branch, FILE), "the repair is not on the branch"
    with stage.script():
        told(stage.burnish("log", branch.removeprefix("burnish/fix-")), "input is run as a program")
    return "view, dive and plan came in their form, and the repair is on a branch"


def _dive(name: str) -> dict[str, object]:
    return {
        "finding_id": name,
        "root_cause": {
            "summary": "input is run as a program",
            "details": PROSE,
            "affected_scope": FILE,
            "similar_patterns": [],
        },
        "remediation_plan": {
            "approach": "read it as a number",
            "priority": "P0 - now",
            "estimated_effort": "small",
            "risk_level": "low",
            "steps": [
                {
                    "step": 1,
                    "action": "use float",
                    "files": [FILE],
                    "commands": [],
                    "rationale": "it is one",
                    "validation": "no eval is left",
                }
            ],
            "rollback_strategy": "revert it",
        },
        "impact_assessment": {"files_affected": [FILE], "tests_required": [], "breaking_changes": False},
        "reassessed_severity": "critical",
        "severity_change_reason": "whoever writes the text runs code",
        "confidence_score": 0.9,
        "references": [],
    }


def _plan(name: str) -> dict[str, object]:
    strategy = {
        "approach": "read it as a number",
        "rationale": "it is one",
        "complexity": "low",
        "estimated_duration_minutes": 2,
        "test_pattern": "",
        "rollback_plan": "revert it",
    }
    risks = {"level": "low", "concerns": [], "mitigation": "tests"}
    group = {
        "group_id": "G1",
        "group_name": "eval",
        "findings": [name],
        "fix_strategy": strategy,
        "risk_assessment": risks,
    }
    stage = {"stage": 1, "groups": ["G1"], "execution_mode": "serial", "depends_on": [], "rationale": "one"}
    return {"groups": [group], "timeline": [stage]}


SCENARIOS = (Scenario("deep dive, plan and repair of a review", dived_and_planned, may_pass=True),)
