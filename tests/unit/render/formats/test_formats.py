"""Every format takes every kind of review, and says what was found, dismissed and doubted."""

from __future__ import annotations

import json
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from burnish.cli.review import FORMATS
from burnish.model.report import ReviewReport
from burnish.model.review import Severity
from burnish.registry import load, names
from burnish.render.formats import github, junit, markdown, rdjson
from tests.unit.render.formats.samples import (
    CLEAN,
    DISMISSED,
    DOUBTFUL,
    FINDINGS,
    FULL,
    GONE,
    LONG,
    NOWHERE,
    SMELL,
    SQL,
    with_findings,
)

EVERY = names("render.formats")


def rendered(name: str, report: ReviewReport) -> str:
    made: str = load("render.formats", name)()(report)
    return made


def test_the_command_line_offers_exactly_the_formats_there_are() -> None:
    assert sorted(FORMATS) == EVERY


@pytest.mark.parametrize("name", EVERY)
def test_every_format_says_every_finding_that_is_told(name: str) -> None:
    made = rendered(name, FULL)
    if name in ("json", "sarif", "rdjson"):
        made = json.dumps(json.loads(made), ensure_ascii=False)
    titles = [finding.title.replace("`", "&#96;" if name == "markdown" else "`") for finding in FINDINGS]
    assert [title for title in titles if title not in made] == []


@pytest.mark.parametrize("name", EVERY)
def test_every_format_keeps_a_dismissed_finding_visible_with_who_and_why(name: str) -> None:
    made = rendered(name, FULL)
    assert all(word in made for word in ("accepted-risk", "anna", "only a cache key"))


@pytest.mark.parametrize("name", EVERY)
def test_every_format_tells_an_empty_review(name: str) -> None:
    made = rendered(name, CLEAN)
    assert made.endswith("\n")
    assert SQL.title not in made


@pytest.mark.parametrize("name", [name for name in EVERY if name != "rdjson"])
def test_every_format_tells_that_a_dimension_failed(name: str) -> None:
    assert "the agent gave no answer in 60 minutes" in rendered(name, FULL)


@pytest.mark.parametrize("name", EVERY)
def test_no_format_tells_what_is_below_the_severity_asked_for(name: str) -> None:
    report = replace(with_findings(SQL, NOWHERE), min_severity=Severity.HIGH)
    made = rendered(name, report)
    assert SQL.title in made
    assert NOWHERE.title not in made


def test_an_annotation_has_file_lines_and_a_title() -> None:
    first, *rest = github.render(FULL).splitlines()
    assert first.startswith(
        "::error file=src/shop/orders.py,line=41,endLine=42,title=critical · ruff%3AS608::SQL built from"
    )
    levels = {line.split(" ")[0] for line in rest if DOUBTFUL.title in line or DISMISSED.title in line}
    assert levels == {"::notice"}
    assert any(line.startswith("::warning file=src/größe/été.py,line=3,") for line in rest)
    assert any(line.startswith("::error file=src/old.py,title=") for line in rest)


def test_an_annotation_escapes_what_would_end_it() -> None:
    odd = replace(SQL, file="a,b:c%.py", title="100% of,it: all", detail="one\ntwo", end_line=None)
    line = github.render(with_findings(odd)).splitlines()[0]
    assert line.startswith("::error file=a%2Cb%3Ac%25.py,line=41,title=")
    assert "::100%25 of,it: all%0Aone%0Atwo%0A" in line


def test_rdjson_has_ranges_codes_and_levels() -> None:
    page = json.loads(rdjson.render(FULL))
    told = {item["message"].split("\n")[0]: item for item in page["diagnostics"]}
    first = told[SQL.title]
    assert first["location"] == {
        "path": "src/shop/orders.py",
        "range": {"start": {"line": 41}, "end": {"line": 42}},
    }
    assert (first["severity"], first["code"]) == ("ERROR", {"value": "ruff:S608"})
    assert told[GONE.title]["location"] == {"path": "src/old.py"}
    assert told[SMELL.title]["severity"] == "WARNING"
    assert told[f"Doubtful: {DOUBTFUL.title}"]["severity"] == "INFO"
    assert len(told) == len(FINDINGS)


def test_junit_fails_only_for_what_blocks() -> None:
    root = ElementTree.fromstring(junit.render(FULL))
    failed = [case.get("name", "") for case in root.iter("testcase") if case.find("failure") is not None]
    assert len(failed) == len(FULL.blockers) == 3
    assert all(any(finding.title in name for name in failed) for finding in (SQL, LONG, GONE))
    assert (root.get("tests"), root.get("failures"), root.get("errors"), root.get("skipped")) == (
        "9", "3", "1", "1",
    )  # fmt: skip
    (skipped,) = root.iter("skipped")
    assert skipped.get("message") == "accepted-risk by anna: only a cache key"
    assert {suite.get("name") for suite in root} == {item.dimension for item in FULL.assessment.reports}


def test_junit_of_an_empty_review_has_a_passing_case_for_each_dimension() -> None:
    root = ElementTree.fromstring(junit.render(CLEAN))
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("7", "0", "0")


def test_markdown_shows_the_offending_lines_of_what_blocks() -> None:
    made = markdown.render(FULL)
    assert "```text\n60 | def checkout(cart, user):\n```" in made
    assert "größe = 3" not in made


def test_a_fence_is_longer_than_any_in_the_lines() -> None:
    made = markdown.render(with_findings(replace(SQL, snippet="a\n````\nb")))
    assert "`````text\n41 | a\n42 | ````\n43 | b\n`````" in made


def test_markdown_fits_into_a_comment_and_says_what_it_left_out() -> None:
    many = tuple(replace(SQL, id=f"sec-{number}", snippet="x" * 200) for number in range(500))
    made = markdown.render(with_findings(*many))
    assert len(made) < 65_536
    assert "more parts are not shown" in made
    assert made.rstrip().endswith("review review-20261115-130000.")
