"""The morning report: sorted for reading, drawn where it belongs, and nothing of others is markup."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from burnish.app.report import since_when
from burnish.errors import UsageError
from burnish.model.agent import Usage
from burnish.model.morning import Morning, Span, Told
from burnish.model.queue import TaskState
from burnish.model.step import Role
from burnish.render import report_html, report_markdown
from burnish.render.report import Part, parts, summary
from burnish.render.timeline import LEFT, RIGHT, WIDTH, timeline
from tests.unit.render.test_tasks import view

NOW = datetime(2026, 11, 15, 6, 0, tzinfo=UTC)
EVIL = "<script>alert(1)</script> | `x` [a](http://b) @ada \x1b[31m"


def span(role: Role, start_min: float, end_min: float | None, cycle: int = 1) -> Span:
    begin = NOW - timedelta(hours=8)
    end = None if end_min is None else begin + timedelta(minutes=end_min)
    return Span(role, cycle, begin + timedelta(minutes=start_min), end)


def night() -> Morning:
    told = (
        Told(view(1, EVIL, cost_usd=1.5, branch="burnish/one"), (span(Role.IMPLEMENT, 0, 60), span(Role.REVIEW, 60, 90))),
        Told(view(2, "Two", final_verdict="MAX_CYCLES_REACHED"), (span(Role.IMPLEMENT, 30, 31),), EVIL),
        Told(view(3, "Three", state=TaskState.FAILED, final_verdict=None, message=EVIL), (span(Role.FIX, 90, None),)),
        Told(view(4, "Four", state=TaskState.IN_PROGRESS, final_verdict=None), (span(Role.FIX, 400, None),)),
        Told(view(5, "Five", state=TaskState.PENDING, final_verdict=None, waits_for=(4,))),
    )  # fmt: skip
    return Morning("shop", NOW - timedelta(hours=12), NOW, told, (), Usage(900, 100, 1.5, 60))


def test_what_needs_somebody_comes_first() -> None:
    found = parts(night().tasks)
    assert list(found) == [Part.PERSON, Part.FAILED, Part.APPROVED, Part.RUNNING, Part.WAITING]
    assert summary(night()) == "1 needs a person, 1 failed, 1 approved, 1 not over yet, 1 waiting"
    assert summary(Morning("x", NOW, NOW)) == "nothing happened, and nothing waits"


def test_the_picture_is_within_its_frame_and_true_to_scale() -> None:
    picture = timeline(night())
    assert picture is not None
    bars = {row.label: row.bars for row in picture.rows}
    one = next(found for label, found in bars.items() if label.startswith("#1"))
    assert [bar.role for bar in one] == ["implement", "review"]
    assert one[0].x == LEFT
    assert one[1].x == pytest.approx(one[0].x + one[0].width, abs=0.2)
    assert one[0].width == pytest.approx(2 * one[1].width, abs=0.2)
    assert bars["#4 Four"][0].x + bars["#4 Four"][0].width == pytest.approx(WIDTH - RIGHT, abs=0.2)
    # Nobody works on a failed task: where its last step stopped is not known.
    assert not any(label.startswith("#3") for label in bars)
    assert 3 <= len(picture.ticks) <= 10
    assert all(LEFT <= tick.x <= WIDTH - RIGHT for tick in picture.ticks)
    assert timeline(Morning("x", NOW, NOW)) is None


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))


def test_the_page_runs_nothing_loads_nothing_and_keeps_the_words_of_others_words() -> None:
    page = report_html.render(night())
    tags = Tags()
    tags.feed(page)
    names = {tag for tag, _ in tags.seen}
    assert "script" not in names
    assert "b" in names  # our own, in the cards
    for _, attributes in tags.seen:
        assert not any(name.startswith("on") or name in ("src", "style", "srcset") for name in attributes)
    assert [a["href"] for _, a in tags.seen if "href" in a] == ["data:,"]
    assert "&lt;script&gt;alert(1)" in page
    assert "\x1b" not in page
    assert "default-src 'none'" in page
    assert "prefers-color-scheme: dark" in page
    svg = page[page.index("<svg") : page.index("</svg>") + 6]
    drawn = ElementTree.fromstring(svg)
    assert len(drawn.findall(".//g")) == 3
    assert "nothing waits" in report_html.render(Morning("x", NOW, NOW))


def test_the_markdown_is_tables_whose_cells_stay_cells() -> None:
    page = report_markdown.render(night())
    rows = [line for line in page.splitlines() if line.startswith("|")]
    assert len({line.count("|") for line in rows}) <= 4
    task = next(line for line in rows if line.startswith("| 1\\."))
    assert task.count("|") == 6
    assert "<script>" not in page
    assert "@ada" not in page
    assert "\x1b" not in page
    assert "| 2 | " in page
    assert re.search(r"burnish status --why 2 +# why", page)
    assert re.search(r"burnish merge 1 +# take it", page)
    assert "burnish work --all" in page


@pytest.mark.parametrize(
    ("text", "hours"),
    [("30m", 0.5), ("12h", 12), (" 2d ", 48), ("2026-11-15T04:00:00Z", 2), ("2026-11-15T04:00:00+01:00", 3)],
)
def test_since_is_how_long_ago_or_a_time(text: str, hours: float) -> None:
    assert since_when(text, NOW) == NOW - timedelta(hours=hours)


def test_a_day_is_that_of_the_clock_on_the_wall() -> None:
    assert since_when("2026-11-14", NOW) == datetime(2026, 11, 14).astimezone()


@pytest.mark.parametrize(
    "text", ["", "yesterday", "12", "-3h", "2126-01-01", "1066-10-14", "9999999d", "\x1b[31m"]
)
def test_any_other_since_is_told_what_is_expected(text: str) -> None:
    with pytest.raises(UsageError) as told:
        since_when(text, NOW)
    assert "expected" in told.value.message
    assert "12h" in told.value.hint
