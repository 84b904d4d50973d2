"""hadolint, where it is installed: what is wrong in Dockerfiles."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from burnish import codec
from burnish.analysers._program import Answer, relative
from burnish.analysers._setup import AnalyserSetup
from burnish.analysers._table import Hit, classify
from burnish.analysers._tool import Place, Tool
from burnish.model.review import Finding, Severity
from burnish.model.subject import NotReviewed

LEVELS = {
    "error": Severity.HIGH,
    "warning": Severity.MEDIUM,
    "info": Severity.LOW,
    "style": Severity.LOW,
    "ignore": Severity.LOW,
}
UNREADABLE = "DL1000"


def make(setup: AnalyserSetup) -> Tool:
    return Tool(
        name="hadolint",
        setup=setup,
        looks_at=_is_dockerfile,
        options=_options,
        read=read,
        exits=frozenset({0}),
    )


def _is_dockerfile(name: str) -> bool:
    last = PurePosixPath(name).name.lower()
    return last.split(".")[0] in ("dockerfile", "containerfile") or last.endswith(".dockerfile")


def _options(place: Place) -> tuple[str, ...]:
    """Its own configuration file must not be empty, or it looks for the repository's."""
    config = place.scratch / "hadolint.yaml"
    config.write_text("ignored: []\n", "utf8")
    return ("--no-fail", "--format", "json", "--disable-ignore-pragma", "-c", str(config), "--")


def read(text: str, root: Path) -> Answer:
    findings: list[Finding] = []
    unread: list[NotReviewed] = []
    for entry in codec.loads(text):
        path, code = relative(str(entry["file"]), root), str(entry["code"])
        message = str(entry["message"])
        if code == UNREADABLE:
            unread.append(NotReviewed(path, f"not a valid Dockerfile: {' '.join(message.split())[:200]}"))
            continue
        where = "https://github.com/hadolint/hadolint/wiki/" + code
        hit = Hit(
            rule=code,
            file=path,
            line=int(entry["line"]),
            message=message,
            severity=LEVELS[entry["level"]],
            references=(where,) if code.startswith("DL") else (),
        )
        findings.append(classify("hadolint", hit))
    return Answer(tuple(findings), tuple(unread))
