"""semgrep, where it is installed and the user names rules for it: it brings none of its own."""

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
from burnish.model.subject import NotReviewed

RULES_OPTION = "semgrep-rules"
SUFFIXES = tuple(
    ".py .js .jsx .mjs .cjs .ts .tsx .go .java .rb .php .rs .c .h .cpp .cs .kt .scala .swift .sh".split()  # noqa: SIM905
)
SEVERITIES = {
    "CRITICAL": Severity.CRITICAL,
    "ERROR": Severity.HIGH,
    "HIGH": Severity.HIGH,
    "WARNING": Severity.MEDIUM,
    "MEDIUM": Severity.MEDIUM,
    "INFO": Severity.LOW,
    "LOW": Severity.LOW,
}
CONFIDENCES = {"HIGH": 0.8, "MEDIUM": 0.6, "LOW": 0.4}
# Asking for its version, its registry or its metrics costs minutes without a network.
OPTIONS = (
    "--metrics=off",
    "--disable-version-check",
    "--disable-nosem",
    "--no-git-ignore",
    "--quiet",
    "--json",
)
_CWE = re.compile(r"CWE-\d+")


def make(setup: AnalyserSetup) -> Tool:
    rules = setup.options.get(RULES_OPTION, "")
    usable = Path(rules).is_absolute() and Path(rules).exists()
    return Tool(
        name="semgrep",
        setup=setup,
        looks_at=lambda name: name.lower().endswith(SUFFIXES),
        options=lambda _: ("scan", "--config", rules, *OPTIONS, "--"),
        read=read,
        needs="" if usable else "no rules are named for it (an absolute path, offline)",
        env={"SEMGREP_SEND_METRICS": "off", "HOME": "{scratch}"},
    )


def read(text: str, root: Path) -> Answer:
    answer = codec.loads(text)
    unread = {
        relative(str(error["path"]), root): str(error.get("type") or "error")
        for error in answer.get("errors", ())
        if isinstance(error, dict) and error.get("path")
    }
    return Answer(
        tuple(_finding(entry, root) for entry in answer["results"]),
        tuple(NotReviewed(path, f"semgrep could not read it ({why})") for path, why in unread.items()),
    )


def _finding(entry: dict[str, Any], root: Path) -> Finding:
    extra = entry["extra"]
    about = extra.get("metadata") or {}
    found = _CWE.search(str(about.get("cwe", "")))
    hit = Hit(
        # Before the last dot stands where the rules are on this machine.
        rule=str(entry["check_id"]).rpartition(".")[2],
        file=relative(str(entry["path"]), root),
        line=int(entry["start"]["line"]),
        end_line=int(entry["end"]["line"]),
        message=str(extra["message"]),
        severity=SEVERITIES.get(str(extra["severity"])),
        confidence=CONFIDENCES.get(str(about.get("confidence", ""))),
        cwe=found[0] if found else "",
        references=tuple(str(one) for one in about.get("references", ())[:5]),
    )
    return classify("semgrep", hit)
