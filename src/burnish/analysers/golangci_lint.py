"""golangci-lint, where it is installed, and only in a sandbox: it builds the Go code that it reads."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import Any

from burnish import codec
from burnish.analysers._program import Answer, relative
from burnish.analysers._setup import AnalyserSetup
from burnish.analysers._table import Hit, classify
from burnish.analysers._tool import Tool
from burnish.model.review import Finding, Severity

SEVERITIES = {"error": Severity.HIGH, "warning": Severity.MEDIUM, "info": Severity.LOW}
OPTIONS = (
    *("run", "--no-config", "--output.json.path=stdout", "--show-stats=false", "--issues-exit-code=0"),
    *("--max-issues-per-linter=0", "--max-same-issues=0", "--enable=gosec,bodyclose,errorlint,noctx", "--"),
)
# Offline its dependencies are often not there: then nothing type-checks, and that is no finding.
TYPE_CHECK = "typecheck"


def make(setup: AnalyserSetup) -> Tool:
    return Tool(
        name="golangci-lint",
        setup=setup,
        looks_at=lambda name: name.endswith(".go"),
        options=lambda _: OPTIONS,
        read=read,
        exits=frozenset({0}),
        targets=_packages,
        boxed=True,
        env={
            "GOLANGCI_LINT_CACHE": "{scratch}/lint",
            "GOCACHE": "{scratch}/go",
            "GOPROXY": "off",
            "GOTOOLCHAIN": "local",
            "CGO_ENABLED": "0",
        },
    )


def _packages(files: tuple[str, ...]) -> tuple[str, ...]:
    """It looks at whole packages, which are folders."""
    return tuple(dict.fromkeys(str(PurePosixPath(name).parent) for name in files))


def read(text: str, root: Path) -> Answer:
    # What follows the JSON is a summary for people.
    issues = codec.loads(text[: text.rindex("}") + 1]).get("Issues") or ()
    wrong = [entry for entry in issues if entry["FromLinter"] == TYPE_CHECK]
    if wrong:
        raise ValueError(f"the code does not type-check here: {wrong[0].get('Text', '')}")
    return Answer(tuple(_finding(entry, root) for entry in issues))


def _finding(entry: dict[str, Any], root: Path) -> Finding:
    place = entry["Pos"]
    hit = Hit(
        rule=str(entry["FromLinter"]),
        file=relative(str(place["Filename"]), root),
        line=int(place["Line"]),
        message=str(entry["Text"]),
        severity=SEVERITIES.get(str(entry.get("Severity", ""))),
    )
    return classify("golangci-lint", hit)
