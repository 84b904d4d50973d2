"""The answer of the pass: what it clears, what it is about, and an answer that is not whole is none."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from burnish import codec
from burnish.analysers.taint import make
from burnish.analysers.taint.adapter import Taint
from burnish.analysers.taint.reading import read_answer
from burnish.model.assessment import Cleared
from burnish.model.review import FlowStep, Severity
from burnish.ports import Source
from burnish.process.tool_setup import ToolSetup

FOUND: dict[str, Any] = {
    "kind": "finding", "class": "command", "file": "b.py", "line": 6, "end_line": 8, "what": "os.system",
    "flow": [
        {"file": "a.py", "line": 3, "text": "x = request.args['x']", "note": "the request"},
        {"file": "b.py", "line": 6, "text": "os.system(x)", "note": ""},
    ],
    "source": "request", "doubts": 0, "from": "the request", "weak_guards": 0, "framework": "flask",
}  # fmt: skip
END = {"kind": "end"}


def clean(line: int, file: str = "b.py", class_: str = "command") -> dict[str, Any]:
    return {"kind": "clean", "file": file, "line": line, "class": class_}


def test_a_flow_is_a_finding_with_its_path_severity_and_confidence() -> None:
    (found,) = read_answer([FOUND, END], frozenset({"b.py"})).findings
    assert (found.rule, found.file, found.line, found.end_line) == ("taint:command", "b.py", 6, 8)
    assert (found.severity, found.confidence) == (Severity.CRITICAL, 0.85)
    assert found.detail == "the request reaches os.system"
    assert found.flow == (
        FlowStep("a.py", 3, "the request", "x = request.args['x']"),
        FlowStep("b.py", 6, "", "os.system(x)"),
    )


@pytest.mark.parametrize(("wanted", "count"), [("a.py", 1), ("b.py", 1), ("c.py", 0)])
def test_a_flow_is_about_every_file_it_leads_through(wanted: str, count: int) -> None:
    assert len(read_answer([FOUND, END], frozenset({wanted})).findings) == count


def test_a_source_that_a_user_decides_and_doubts_weigh_less() -> None:
    def read(**changed: Any) -> Any:
        return read_answer([{**FOUND, **changed}, END], frozenset({"b.py"})).findings[0]

    assert read(source="argv").severity is Severity.MEDIUM
    assert read(doubts=2).confidence < read().confidence
    assert read(file="tests/test_b.py").severity is Severity.LOW


def test_places_are_cleared_except_beside_a_flow_and_in_a_file_that_was_not_followed_whole() -> None:
    undone = {"kind": "not_reviewed", "file": "c.py", "line": 9, "why": "f(): more than 10 steps"}
    lines = [FOUND, clean(2), clean(7), clean(7, class_="sql"), clean(3, "c.py"), undone, END]
    read = read_answer(lines, frozenset({"b.py", "c.py"}))
    assert read.cleared == (Cleared("b.py", 2, "taint:command"), Cleared("b.py", 7, "taint:sql"))
    assert [(item.path, item.why) for item in read.not_reviewed] == [("c.py", "f(): more than 10 steps")]
    assert read.covers


def test_what_was_left_out_of_files_beside_the_review_is_counted_and_not_listed() -> None:
    lines = [{"kind": "not_reviewed", "file": f"{name}.py", "line": 1, "why": "too long"} for name in "xyz"]
    (said,) = read_answer([*lines, END], frozenset({"b.py"})).not_reviewed
    assert said.path == "(callers)"
    assert said.why == "not followed whole, though it uses what is reviewed: x.py: too long, and 2 more"


@pytest.mark.parametrize("lines", [[], [FOUND], [{"kind": "finding"}, END], [{**FOUND, "flow": 3}, END]])
def test_an_answer_that_is_not_whole_is_refused(lines: list[Any]) -> None:
    with pytest.raises((ValueError, KeyError, TypeError)):
        read_answer(lines, frozenset())


def taint(**told: Any) -> Taint:
    return make(ToolSetup(env={}, options={"taint": codec.dumps(told)} if told else {}))


def test_settings_reach_the_child_and_switched_off_it_wants_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import mine\n\n\ndef f():\n    mine.run(mine.read())\n", "utf8")
    knowledge = {
        "source": [{"call": "mine.read", "kind": "files", "what": "a file"}],
        "sink": [{"call": "mine.run", "class": "command"}],
    }

    def rules(**told: Any) -> list[str]:
        answer = asyncio.run(taint(**told).analyse(Source(tmp_path, "t"), ("a.py",)))
        assert not answer.failed
        return [finding.rule for finding in answer.findings]

    assert rules(knowledge=knowledge, kinds=["request", "files"]) == ["taint:command"]
    assert rules(knowledge=knowledge, kinds=["request"]) == []
    assert rules() == []
    assert taint(enabled=False).wants(("a.py",)) == ()
    assert taint().wants(("a.py", "b.js", "c\n.py")) == ("a.py",)


def test_a_child_that_breaks_off_is_a_failed_analysis_and_clears_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n", "utf8")
    broken = replace(taint(), told={"kinds": [], "knowledge": {"sink": [{"call": "x", "class": "nonsense"}]}})
    answer = asyncio.run(broken.analyse(Source(tmp_path, "t"), ("a.py",)))
    assert "failed with exit 1: " in answer.failed
    assert "nonsense" in answer.failed
    assert (answer.findings, answer.cleared, answer.covers) == ((), (), ())
