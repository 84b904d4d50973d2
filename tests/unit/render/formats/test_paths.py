"""The way of untrusted input stands in every format that people read, numbered, and folded honestly."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module

import pytest

from burnish.cli.findings import _story
from burnish.codec import plain
from burnish.dossier.dimension import entry
from burnish.dossier.texts import dimension_text
from burnish.mcp.answers import _brief
from burnish.model.assessment import DimensionReport
from burnish.model.dimension import Dimension
from burnish.model.flow import MOST_SHOWN, flow_lines, flow_title, shown_steps
from burnish.model.ledger import LedgerEntry, LedgerState
from burnish.model.review import FlowStep
from tests.unit.render.formats.samples import FULL, SQL, with_findings

LONG_WAY = tuple(FlowStep(f"m{number}.py", number, "passed on", f"f({number})") for number in range(1, 41))
READ_BY_PEOPLE = ("text", "html", "markdown", "github", "rdjson", "junit")


def made(form: str, *flow: FlowStep) -> str:
    found = replace(SQL, flow=flow)
    text: str = import_module(f"burnish.render.formats.{form}").render(with_findings(found))
    return text


@pytest.mark.parametrize("form", READ_BY_PEOPLE)
def test_steps_come_in_order_with_place_code_and_what_happens(form: str) -> None:
    text = made(
        form, FlowStep("a.py", 3, "from the request", "name = args()"), FlowStep("b.py", 9, "", "run(name)")
    )
    places = [text.index(words) for words in ("a.py:3", "name = args()", "from the request", "b.py:9")]
    assert places == sorted(places)
    assert "run(name)" in text
    assert "2 steps" in text


@pytest.mark.parametrize("form", READ_BY_PEOPLE)
def test_a_long_way_is_folded_and_says_how_much_of_it(form: str) -> None:
    text = made(form, *LONG_WAY)
    assert f"40 steps, {MOST_SHOWN} shown" in text
    assert f"{len(LONG_WAY) - MOST_SHOWN} steps are not shown" in text
    assert "m1.py:1" in text
    assert "m40.py:40" in text
    assert "m20.py:20" not in text


def test_what_is_shown_and_what_is_left_out_make_the_whole() -> None:
    for length in (0, 1, MOST_SHOWN, MOST_SHOWN + 1, 40):
        flow = LONG_WAY[:length]
        lines = shown_steps(flow)
        assert sum(line.left_out or 1 for line in lines) == length
        assert [line.number for line in lines if line.step] == [
            number for number, step in enumerate(flow, 1) if any(line.step == step for line in lines)
        ]
    assert "shown" not in flow_title(LONG_WAY[:MOST_SHOWN])
    assert len(list(flow_lines(LONG_WAY[:MOST_SHOWN], str))) == MOST_SHOWN


def test_programs_get_every_step() -> None:
    for form in ("json", "sarif"):
        assert "m20.py" in made(form, *LONG_WAY)


def test_the_dossier_has_the_path_for_people_and_for_programs() -> None:
    text = dimension_text(DimensionReport(Dimension.SECURITY, findings=(SQL,)))
    assert "Path, 2 steps:" in text
    assert "1. src/shop/web.py:12" in text
    assert entry(SQL).metadata["flow"][0]["line"] == 12


def test_the_ledger_and_host_agents_get_the_path() -> None:
    known = LedgerEntry("a" * 16, 3, LedgerState.OPEN, SQL, "2026-11-01", "2026-11-15", ())
    shown = list(_story(known))
    assert "  path, 2 steps:" in shown
    assert "    2. src/shop/orders.py:41" in shown
    assert _brief(plain(SQL))["path"][0] == "path, 2 steps"
    assert "path" not in _brief(plain(replace(SQL, flow=())))


@pytest.mark.parametrize("form", ["text", "html", "markdown", "json", "sarif"])
def test_what_gave_way_is_listed_and_is_no_finding(form: str) -> None:
    text: str = import_module(f"burnish.render.formats.{form}").render(FULL)
    assert "ruff:S605" in text or "ruff&#58;S605" in text
    assert "src/shop/tools.py" in text


def test_what_gave_way_is_counted_nowhere_among_findings() -> None:
    text: str = import_module("burnish.render.formats.text").render(FULL)
    assert "Cleared by the data flow (1)" in text
    assert "Critical (1)" in text
