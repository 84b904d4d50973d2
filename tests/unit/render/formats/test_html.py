"""The HTML report is one file that needs nobody, and its charts count right."""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from dataclasses import replace

from burnish.render.formats._charts import by_dimension, hot_spots
from burnish.render.formats.html import MOST_FINDINGS, render
from tests.unit.render.formats.samples import DISMISSED, FINDINGS, FULL, LONG, SMELL, SQL, with_findings
from tests.unit.render.formats.test_escaping import page_of

MADE = render(FULL)


def test_it_is_a_whole_page_in_standards_mode() -> None:
    assert MADE.startswith("<!DOCTYPE html>\n<html lang=")
    assert MADE.endswith("</html>\n")


def test_it_loads_nothing() -> None:
    """The one link is for people to follow."""
    addresses = [
        (tag, attributes[name])
        for tag, attributes in page_of(MADE).tags
        for name in ("src", "href", "srcset", "data", "action")
        if attributes.get(name)
    ]
    assert addresses == [("link", "data:,"), ("a", "https://cwe.mitre.org/data/definitions/89.html")]
    assert "url(" not in MADE
    assert "@import" not in MADE


def test_the_policy_allows_our_own_style_and_script_and_nothing_else() -> None:
    policy = next(
        attributes["content"] or ""
        for tag, attributes in page_of(MADE).tags
        if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    for tag in ("style", "script"):
        (source,) = re.findall(rf"<{tag}>(.*?)</{tag}>", MADE, re.DOTALL)
        digest = b64encode(hashlib.sha256(source.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy


def test_every_finding_can_be_filtered_by_severity_dimension_and_state() -> None:
    articles = [attributes for tag, attributes in page_of(MADE).tags if tag == "article"]
    assert len(articles) == len(FINDINGS)
    found = {(item["data-severity"], item["data-dimension"], item["data-state"]) for item in articles}
    assert ("critical", "security", "open") in found
    assert ("critical", "security", "doubtful") in found
    assert ("high", "security", "dismissed") in found


def test_it_follows_the_colour_scheme_and_can_be_printed() -> None:
    assert "@media (prefers-color-scheme: dark)" in MADE
    assert "@media print" in MADE


def test_bars_are_as_long_as_their_counts() -> None:
    bars = by_dimension([SQL, DISMISSED, LONG], [report.dimension for report in FULL.assessment.reports])
    lengths = {bar.label: [(piece.severity, piece.x, piece.width) for piece in bar.pieces] for bar in bars}
    assert lengths["security"] == [("critical", "0.00", "50.00"), ("high", "50.00", "50.00")]
    assert lengths["maintainability"] == [("high", "0.00", "50.00")]
    assert lengths["quality"] == []
    assert [bar.said for bar in bars if bar.total == 2] == ["security: 1 critical, 1 high"]


def test_a_hot_spot_is_where_the_worst_is_not_where_the_most_is() -> None:
    smells = [replace(SMELL, file="many.py")] * 20
    spots = hot_spots([*smells, SQL, *(replace(LONG, file=f"f{number}.py") for number in range(20))])
    assert [spot.label for spot in spots[:2]] == ["src/shop/orders.py", "many.py"]
    assert len(spots) == 10


def test_a_failed_dimension_is_no_zero() -> None:
    assert MADE.count('<span class="number">failed</span>') == 1


def test_a_page_with_too_many_findings_says_how_many_it_left_out() -> None:
    made = render(with_findings(*[SMELL] * (MOST_FINDINGS + 3)))
    assert made.count("<article") == MOST_FINDINGS
    assert "3 more findings are not in this page" in made
