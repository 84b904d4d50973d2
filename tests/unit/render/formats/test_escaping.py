"""Whatever findings say: it stays text, and nothing of it steers a terminal, a build log or a browser."""

from __future__ import annotations

import json
import re
import unicodedata
from html.parser import HTMLParser
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, settings
from markdown_it import MarkdownIt
from markdown_it.token import Token

from burnish.model.report import ReviewReport
from burnish.registry import load, names
from burnish.render.formats import _facts as facts
from burnish.render.formats.sarif import uri
from burnish.render.formats.text import render as text
from burnish.render.formats.text import styled
from tests.unit.render.formats.hostile import everywhere, words
from tests.unit.render.formats.test_sarif import VALIDATOR

few = settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
# Characters that a terminal or a reader could be steered with; a gap of ours is the one exception.
STEERING = {"Cc", "Cf", "Cs", "Co", "Cn"}


def rendered(name: str, report: ReviewReport) -> str:
    made: str = load("render.formats", name)()(report)
    return made


def steering(made: str, allowed: str = "\n") -> set[str]:
    return {letter for letter in made if letter not in allowed and unicodedata.category(letter) in STEERING}


@pytest.mark.parametrize("name", names("render.formats"))
@everywhere
def test_no_format_lets_a_character_through_that_steers_a_terminal(name: str, report: ReviewReport) -> None:
    made = rendered(name, report)
    assert steering(made, "\n\t\u200b" if name == "markdown" else "\n\t") == set()
    made.encode("utf8")


@pytest.mark.parametrize("name", ["text", "markdown", "github"])
@everywhere
def test_a_build_log_finds_no_command_but_ours(name: str, report: ReviewReport) -> None:
    ours = re.compile(
        r"::(error|warning|notice) (file=[^,:]*,(line=\d+,(endLine=\d+,)?)?)?title=[^,:]*::[^\r\n]*"
    )
    for line in rendered(name, report).split("\n"):
        if name == "github" and line:
            assert ours.fullmatch(line)
        else:
            assert not line.strip().startswith("::")
            assert "##[" not in line


@everywhere
def test_an_annotation_says_what_the_finding_says(report: ReviewReport) -> None:
    made = rendered("github", report).split("\n")
    for line, finding in zip(made, facts.sure(report), strict=False):
        properties, message = line[2:].split("::", 1)
        undone = message.replace("%0A", "\n").replace("%0D", "\r").replace("%25", "%")
        assert undone.split("\n")[0] == " ".join(facts.clean(finding.title).split())
        assert properties.count(",line=") == bool(finding.file and finding.line)


@everywhere
def test_colours_add_no_words_and_read_none_as_markup(report: ReviewReport) -> None:
    assert styled(report).plain == text(report)


@everywhere
def test_sarif_stays_valid_and_its_addresses_stay_in_the_repository(report: ReviewReport) -> None:
    log = json.loads(rendered("sarif", report))
    assert [error.message for error in VALIDATOR.iter_errors(log)] == []
    for place in _artifacts(log):
        parts = urlsplit(place["uri"])
        assert (parts.scheme, parts.netloc, parts.query, parts.fragment) == ("", "", "", "")
        assert re.fullmatch(r"[A-Za-z0-9._~%/-]*", place["uri"])
    for result in log["runs"][0]["results"]:
        assert "](" not in result["message"]["text"]


def _artifacts(value: Any) -> list[dict[str, Any]]:
    if isinstance(value, dict):
        own = [value["artifactLocation"]] if "artifactLocation" in value else []
        return own + [found for item in value.values() for found in _artifacts(item)]
    return [found for item in value for found in _artifacts(item)] if isinstance(value, list) else []


@given(path=words)
@few
def test_an_address_can_be_turned_back_into_its_path(path: str) -> None:
    if path.startswith("//") or "\ud800" in path:
        return
    assert unquote_to_bytes(uri(path)) == path.encode("utf8", "surrogateescape")


@everywhere
def test_junit_is_one_well_formed_document_with_one_case_a_finding(report: ReviewReport) -> None:
    root = ElementTree.fromstring(rendered("junit", report))
    told = [case for case in root.iter("testcase") if case.get("name") not in ("was reviewed", "no findings")]
    assert len(told) == len(report.shown)
    assert {element.tag for element in root.iter()} <= {
        "testsuites", "testsuite", "testcase", "failure", "error", "skipped", "system-out",
    }  # fmt: skip
    assert len(root.findall(".//failure")) == len(report.blockers)


@everywhere
def test_markdown_keeps_every_word_in_its_cell_or_fence(report: ReviewReport) -> None:
    made = rendered("markdown", report)
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(made)
    kinds = {token.type for token in _flat(tokens)}
    assert kinds.isdisjoint(
        {"html_block", "html_inline", "link_open", "image", "hr", "s_open", "em_open", "code_block"}
    )
    assert kinds.isdisjoint({"blockquote_open", "ordered_list_open"})
    rows = [token for token in tokens if token.type == "tr_open"]
    heads = sum(1 for token in tokens if token.type == "table_open")
    assert len(rows) == 2 + (heads - 1) + len(facts.sure(report))
    assert not re.search(r"[@#]\w", _visible(tokens))
    fences = [range(*token.map) for token in tokens if token.type == "fence" and token.map]
    outside = [line for at, line in enumerate(made.split("\n")) if not any(at in fence for fence in fences)]
    assert "://" not in "\n".join(outside)


def _flat(tokens: list[Token]) -> list[Token]:
    return [found for token in tokens for found in (token, *_flat(token.children or []))]


def _visible(tokens: list[Token]) -> str:
    """Text outside of code, where mentions and references would be linked."""
    return "\n".join(token.content for token in _flat(tokens) if token.type in ("text", "text_special"))


class Page(HTMLParser):
    """What a browser would make of a page: its elements, their attributes, and the text of scripts."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def page_of(made: str) -> Page:
    page = Page()
    page.feed(made)
    page.close()
    return page


@everywhere
def test_html_holds_no_element_handler_or_address_of_others(report: ReviewReport) -> None:
    made = rendered("html", report)
    tags = page_of(made).tags
    assert made.lower().count("<script") == 1
    assert [tag for tag, _ in tags if tag in ("img", "iframe", "object", "embed", "base")] == []
    assert len([tag for tag, _ in tags if tag == "article"]) == len(report.shown)
    for tag, attributes in tags:
        assert not [name for name in attributes if name.startswith("on") or name == "style"]
        for name in ("href", "src", "action"):
            address = attributes.get(name)
            assert (
                address is None
                or address == "data:,"
                or (tag == "a" and address.startswith(("http://", "https://")))
            )


@everywhere
def test_the_json_formats_can_be_read_by_anything(report: ReviewReport) -> None:
    for name in ("json", "rdjson", "sarif"):
        made = rendered(name, report)
        assert made.isascii()
        json.dumps(json.loads(made), ensure_ascii=False).encode("utf8")
