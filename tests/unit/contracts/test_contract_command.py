"""`burnish contract`: list, show, parse."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from burnish.cli.contract import contract
from burnish.errors import UsageError
from tests.unit.contracts.contract_reading import NAMES

PASS = '{"verdict": "pass", "followUpPrompt": "ok"}'
DRIFT = '{"verdict": "drift", "followUpPrompt": "fix"}'


def run(*arguments: str, given: str | bytes = "") -> Result:
    return CliRunner().invoke(contract, arguments, input=given)


def test_list_names_all_and_what_carries_them() -> None:
    result = run("list")
    assert result.exit_code == 0
    assert [line.split()[0] for line in result.output.splitlines()] == sorted(NAMES)
    assert "report" in result.output


@pytest.mark.parametrize("name", NAMES)
def test_show_prints_what_is_accepted_and_the_instructions(name: str) -> None:
    result = run("show", name)
    assert result.exit_code == 0
    assert result.output.startswith(f"{name} (carrier: ")
    assert "## How to" in result.output


def test_show_tells_which_severity_blocks() -> None:
    assert "severity low or worse" in run("show", "findings", "--fail-on", "low").output


def test_parse_reads_standard_input_as_one_answer() -> None:
    result = run("parse", "json-verdict", given=DRIFT)
    assert result.exit_code == 0
    assert json.loads(result.output) == {"verdict": "fail", "native": "drift", "summary": "fix"}


def test_parse_reads_a_file_also_with_bytes_that_are_not_text(tmp_path: Path) -> None:
    file = tmp_path / "review.md"
    file.write_bytes(b"caf\xe9\n\n**Verdict: APPROVED**\n")
    result = run("parse", "verdict-line", str(file))
    assert json.loads(result.output) == {"verdict": "pass", "native": "APPROVED", "summary": "caf\ufffd"}


def test_an_unclear_text_says_why() -> None:
    answer = json.loads(run("parse", "grade", "-", given="done").output)
    assert (answer["verdict"], answer["native"]) == ("fail", "FAIL")
    assert "no grade" in answer["unclear"]


def test_jsonl_answers_line_for_line_and_never_stops() -> None:
    lines = [
        json.dumps({"output": PASS}),
        "no json",
        "",
        '{"output": 3}',
        "[]",
        '{"output": "x", "output": "y"}',
    ]
    lines += [json.dumps({"output": ""}), json.dumps({"output": f"\ud800 {DRIFT}"})]
    result = run("parse", "json-verdict", "--jsonl", given="\n".join(lines) + "\n")
    answers = [json.loads(line) for line in result.output.splitlines()]
    assert result.exit_code == 0
    assert [answer.get("native") or answer["violation"] for answer in answers] == [
        "pass", "malformed", "malformed", "malformed", "malformed", "malformed", "no_json", "drift",
    ]  # fmt: skip
    assert all("why" in answer for answer in answers[1:-1])


def test_jsonl_reads_bytes_that_are_not_utf8() -> None:
    result = run("parse", "verdict-line", "--jsonl", given=b'{"output": "\xff"}\n\xff\n')
    assert [json.loads(line).get("native") for line in result.output.splitlines()] == [
        "CHANGES_REQUESTED",
        None,
    ]


def test_compat_and_fail_on_reach_the_contract() -> None:
    assert json.loads(run("parse", "grade", "--compat", given="no ## Grade: PASS").output)["native"] == "PASS"
    medium = [
        {"id": "a", "title": "b", "severity": "medium", "category": "c", "description": "d", "file": "e", "line": 1,
         "recommendation": "f"}
    ]  # fmt: skip
    text = json.dumps({"dimension": "quality", "findings": medium})
    assert json.loads(run("parse", "findings", given=text).output)["verdict"] == "pass"
    assert json.loads(run("parse", "findings", "--fail-on", "medium", given=text).output)["verdict"] == "fail"


@pytest.mark.parametrize("file", ["missing.md", ".", "a\x00b"])
def test_a_file_that_cannot_be_read_is_a_usage_error(file: str, tmp_path: Path) -> None:
    result = run("parse", "grade", str(tmp_path / file))
    assert isinstance(result.exception, UsageError)
    assert "cannot read" in result.exception.message


def test_an_unknown_contract_is_a_usage_error_with_the_nearest_name() -> None:
    result = run("parse", "json-verdct", given=PASS)
    assert isinstance(result.exception, UsageError)
    assert "json-verdict" in result.exception.hint
