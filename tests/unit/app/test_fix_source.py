"""What `burnish fix` reads from a folder, and what it leaves out."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnish.app.fix_preview import preview
from burnish.app.fix_source import _readable
from burnish.app.request import ReviewRequest
from burnish.cli.review import review
from burnish.dossier.dimension import dimension_file
from burnish.errors import UsageError
from burnish.model.assessment import DimensionReport
from burnish.model.dimension import Dimension
from burnish.model.review import Finding
from burnish.model.subject import ReviewMode, Subject
from burnish.workflows.batching import make_batches

SUBJECT = Subject(ReviewMode.MODULE, "x", "t")


@pytest.mark.conformance("C-80")
def test_a_dimension_that_is_missing_or_broken_is_left_out_and_named(tmp_path: Path) -> None:
    good, bad = tmp_path / "security.json", tmp_path / "quality.json"
    good.write_text(dimension_file(DimensionReport(Dimension.SECURITY), "review-1", SUBJECT).text())
    bad.write_text("{")
    reports, warnings = _readable(tmp_path, [good, bad])
    assert [report.dimension for report in reports] == ["security"]
    assert any("quality.json is not JSON" in text for text in warnings)
    assert any("performance.json is not there" in text for text in warnings)
    with pytest.raises(UsageError, match="none of the dimension files"):
        _readable(tmp_path, [bad])


def test_what_would_be_tried_is_named_failing_tests_included() -> None:
    failing = Finding("Test fails: test_x", rule="tests:failing", file="test_a.py")
    unknown = Finding("too long", rule="lizard:length", file="a.py")
    told = preview(ReviewRequest((), {}, {}, given=(failing, unknown)))
    assert told == ((failing, "search"), (unknown, ""))


@pytest.mark.conformance("C-17")
def test_a_batch_holds_five_findings_unless_another_size_is_asked_for() -> None:
    [option] = [one for one in review.params if one.name == "batch_size"]
    assert option.default == 5
    findings = tuple(Finding(f"f{n}", file="a.py", dimension="quality", id=f"q-{n}") for n in range(12))
    assert [len(batch.findings) for batch in make_batches(findings, 5)] == [5, 5, 2]
    assert [len(batch.findings) for batch in make_batches(findings, 8)] == [8, 4]
