"""SARIF 2.1.0 as the standard's own schema wants it, with what Burnish knows and others have no place for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema.validators import validator_for

from burnish.model.report import ReviewReport
from burnish.render.formats.sarif import render, uri
from tests.unit.render.formats.samples import CLEAN, DISMISSED, FULL, GONE, LONG, NOWHERE, SMELL, SQL

DATA = Path(__file__).resolve().parents[3] / "data" / "sarif" / "sarif-2.1.0.json"
SCHEMA: dict[str, Any] = json.loads(DATA.read_text("utf8"))
VALIDATOR = validator_for(SCHEMA)(SCHEMA)


def run_of(report: ReviewReport) -> dict[str, Any]:
    run: dict[str, Any] = json.loads(render(report))["runs"][0]
    return run


def result_of(identity: str) -> dict[str, Any]:
    found: dict[str, Any] = next(
        item for item in run_of(FULL)["results"] if item["properties"]["id"] == identity
    )
    return found


@pytest.mark.parametrize("report", [FULL, CLEAN], ids=["full", "empty"])
def test_it_is_valid_by_the_schema_of_the_standard(report: ReviewReport) -> None:
    assert [error.message for error in VALIDATOR.iter_errors(json.loads(render(report)))] == []


def test_the_schema_refuses_what_is_no_sarif() -> None:
    log = json.loads(render(FULL))
    log["runs"][0]["results"][0]["level"] = "critical"
    assert not VALIDATOR.is_valid(log)


def test_a_result_has_rule_level_place_and_fingerprint() -> None:
    result = result_of(SQL.id)
    rules = run_of(FULL)["tool"]["driver"]["rules"]
    assert (result["ruleId"], result["level"]) == ("ruff:S608", "error")
    assert rules[result["ruleIndex"]]["id"] == "ruff:S608"
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "src/shop/orders.py", "uriBaseId": "%SRCROOT%"}
    assert (place["region"]["startLine"], place["region"]["endLine"]) == (41, 42)
    assert place["region"]["snippet"]["text"] == SQL.snippet
    assert result["partialFingerprints"] == {"burnish/v1": "a" * 16}
    assert "What to do: Pass values" in result["message"]["text"]


def test_a_rule_carries_its_weakness_and_a_score_for_security_only() -> None:
    rules = {rule["id"]: rule["properties"] for rule in run_of(FULL)["tool"]["driver"]["rules"]}
    assert rules["ruff:S608"]["security-severity"] == "9.5"
    assert set(rules["ruff:S608"]["tags"]) == {"security", "external/cwe/cwe-089"}
    assert "security-severity" not in rules["lizard:length"]


def test_what_was_there_before_is_unchanged_and_what_was_not_compared_is_left_open() -> None:
    assert result_of(SQL.id)["baselineState"] == "new"
    assert result_of(LONG.id)["baselineState"] == "unchanged"
    assert "baselineState" not in result_of(SMELL.id)


def test_a_dismissed_finding_is_suppressed_with_who_and_why() -> None:
    (said,) = result_of(DISMISSED.id)["suppressions"]
    assert said["kind"] == "external"
    assert said["status"] == "accepted"
    assert said["justification"] == "accepted-risk by anna: only a cache key"
    assert result_of(SQL.id)["suppressions"] == []


def test_the_way_of_untrusted_input_is_a_code_flow() -> None:
    (flow,) = result_of(SQL.id)["codeFlows"]
    steps = [step["location"]["physicalLocation"] for step in flow["threadFlows"][0]["locations"]]
    assert [step["region"]["startLine"] for step in steps] == [12, 41]
    assert steps[0]["region"]["snippet"]["text"] == 'name = request.args["name"]'
    first, last = flow["threadFlows"][0]["locations"]
    assert (first["kinds"], last["kinds"]) == (["acquire", "taint"], ["danger", "taint"])
    assert (first["executionOrder"], last["executionOrder"]) == (1, 2)
    assert "codeFlows" not in result_of(LONG.id)


def test_a_finding_without_line_or_file_has_no_region_or_no_place() -> None:
    (place,) = result_of(GONE.id)["locations"]
    assert "region" not in place["physicalLocation"]
    assert result_of(NOWHERE.id)["locations"] == []
    assert result_of(NOWHERE.id)["ruleId"] == "action-items/requirement-coverage"


def test_what_went_wrong_are_notifications_and_a_failed_dimension_is_no_success() -> None:
    (call,) = run_of(FULL)["invocations"]
    told = [(item["level"], item["message"]["text"]) for item in call["toolExecutionNotifications"]]
    assert call["executionSuccessful"] is False
    assert ("error", "performance was not reviewed: the agent gave no answer in 60 minutes") in told
    assert ("warning", "lizard did not run: it printed nothing that can be read") in told
    assert ("warning", "security: passed over: claude: not installed") in told
    assert ("warning", "quality: codex edited app.py") in told
    assert ("note", "Not assessed: business logic") in told
    assert run_of(CLEAN)["invocations"][0]["executionSuccessful"] is True


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a b/c#d?e.py", "a%20b/c%23d%3Fe.py"),
        ("c:/x.py", "c%3A/x.py"),
        ("été.py", "%C3%A9t%C3%A9.py"),
        ("100%.py", "100%25.py"),
        ("bad\udcff.py", "bad%FF.py"),
        ("//host/x", "/host/x"),
    ],
)
def test_a_path_becomes_a_relative_address(path: str, expected: str) -> None:
    assert uri(path) == expected
