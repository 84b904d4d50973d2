"""zizmor, where it is installed: what is unsafe in GitHub Actions, asked offline."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from burnish import codec
from burnish.analysers._program import Answer, relative
from burnish.analysers._setup import AnalyserSetup
from burnish.analysers._table import Hit, classify
from burnish.analysers._tool import Tool
from burnish.model.review import Finding, Severity

WORKFLOW = re.compile(r"^\.github/workflows/[^/]+\.ya?ml$|(^|/)action\.ya?ml$|^\.github/dependabot\.ya?ml$")
SEVERITIES = {
    "Informational": Severity.LOW,
    "Low": Severity.LOW,
    "Medium": Severity.MEDIUM,
    "High": Severity.HIGH,
    "Unknown": Severity.LOW,
}
CONFIDENCES = {"Low": 0.4, "Medium": 0.6, "High": 0.85, "Unknown": 0.3}
OPTIONS = (
    *("--offline", "--no-config", "--no-ignores", "--collect", "all", "--persona", "regular"),
    *("--format", "json-v1", "--no-exit-codes", "--no-progress", "--quiet", "--"),
)


def make(setup: AnalyserSetup) -> Tool:
    return Tool(
        name="zizmor",
        setup=setup,
        looks_at=lambda name: WORKFLOW.search(name) is not None,
        options=lambda _: OPTIONS,
        read=read,
        exits=frozenset({0}),
    )


def read(text: str, root: Path) -> Answer:
    return Answer(tuple(_finding(entry, root) for entry in codec.loads(text)))


def _finding(entry: dict[str, Any], root: Path) -> Finding:
    """The primary place is what the finding is about; the others only explain it."""
    places = entry["locations"]
    place = next((one for one in places if one["symbolic"].get("kind") == "Primary"), places[0])
    graded = entry["determinations"]
    span = place["concrete"]["location"]
    note = str(place["symbolic"].get("annotation") or "")
    hit = Hit(
        rule=str(entry["ident"]),
        file=relative(str(place["symbolic"]["key"]["Local"]["verbatim_path"]), root),
        line=int(span["start_point"]["row"]) + 1,
        end_line=int(span["end_point"]["row"]) + 1,
        message=str(entry["desc"]) + (f": {note}" if note else ""),
        severity=SEVERITIES[graded["severity"]],
        confidence=CONFIDENCES[graded["confidence"]],
        references=(str(entry["url"]),),
    )
    return classify("zizmor", hit)
