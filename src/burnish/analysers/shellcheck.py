"""shellcheck, where it is installed: what is wrong in shell scripts."""

from __future__ import annotations

import re
from pathlib import Path

from burnish import codec
from burnish.analysers._program import Answer, relative
from burnish.analysers._setup import AnalyserSetup
from burnish.analysers._table import Hit, classify
from burnish.analysers._tool import Tool
from burnish.model.review import Finding, Severity
from burnish.model.subject import NotReviewed

SUFFIXES = (".sh", ".bash", ".ksh", ".dash")
LEVELS = {
    "error": Severity.HIGH,
    "warning": Severity.MEDIUM,
    "info": Severity.LOW,
    "style": Severity.LOW,
}
# What it says when it gave up reading the script.
GAVE_UP = 1072
SILENCES = re.compile(rb"shellcheck[ \t]+(?:disable|source-path|external-sources|extended-analysis)=")


def make(setup: AnalyserSetup) -> Tool:
    return Tool(
        name="shellcheck",
        setup=setup,
        looks_at=lambda name: name.lower().endswith(SUFFIXES),
        options=lambda _: ("--norc", "--format=json1", "--color=never", "--"),
        read=read,
        silences=SILENCES,
    )


def read(text: str, root: Path) -> Answer:
    findings: list[Finding] = []
    unread: list[NotReviewed] = []
    for entry in codec.loads(text)["comments"]:
        path, code = relative(str(entry["file"]), root), int(entry["code"])
        message = str(entry["message"])
        if code == GAVE_UP:
            unread.append(NotReviewed(path, f"not valid shell: {message}"))
        hit = Hit(
            rule=f"SC{code}",
            file=path,
            line=int(entry["line"]),
            end_line=int(entry["endLine"]),
            message=message,
            severity=LEVELS[entry["level"]],
            references=(f"https://www.shellcheck.net/wiki/SC{code}",),
        )
        findings.append(classify("shellcheck", hit))
    return Answer(tuple(findings), tuple(unread))
