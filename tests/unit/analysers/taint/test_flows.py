"""Small programs in flows/*.txt: each line `# BAD` is found, and no other; `# CLEAN` and `# OPEN` stand so."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnish.analysers.taint.finding.report import Report
from tests.unit.analysers.taint.follow import follow, known, marked, programs

FOLDER = Path(__file__).with_name("flows")
HEAD = "from lab import source, sink\n"
KNOWN = known()


def problems(files: dict[str, str], report: Report) -> list[str]:
    found = {(file, line) for file, line, _ in report.findings}
    clean = {(file, line) for file, line, _ in report.clean_places()}
    bad = marked(files, "BAD")
    said = [
        *(f"missed: {place}" for place in bad - found),
        *(f"false alarm: {place}" for place in found - bad),
        *(f"not clean: {place}" for place in marked(files, "CLEAN") - clean),
        *(f"called clean: {place}" for place in marked(files, "OPEN") & clean),
        *(f"called clean and bad: {place}" for place in bad & clean),
    ]
    return [f"{one}: {_line(files, one)}" for one in sorted(said)] + [
        f"not reviewed: {why}" for why in report.undone.values()
    ]


def _line(files: dict[str, str], said: str) -> str:
    file, line = eval(said.partition(": ")[2])
    return files[file].splitlines()[line - 1].strip()


@pytest.mark.parametrize(("name", "files"), [pytest.param(*one, id=one[0]) for one in programs(FOLDER, HEAD)])
def test_untrusted_data_is_found_where_it_goes_and_nowhere_else(name: str, files: dict[str, str]) -> None:
    assert problems(files, follow(files, KNOWN).report) == []
