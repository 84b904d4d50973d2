"""ty: types that do not fit in Python, without the project's environment and without its configuration."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from burnish import codec
from burnish.analysers._program import (
    Answer,
    Call,
    over_files,
    program_missing,
    relative,
    version_of,
    with_suffix,
)
from burnish.analysers._setup import AnalyserSetup
from burnish.analysers._table import Hit, classify
from burnish.analysers.ruff import target_version
from burnish.model.assessment import Analysis
from burnish.model.review import Finding
from burnish.model.subject import NotReviewed
from burnish.ports import Source

SUFFIXES = frozenset({".py", ".pyi"})
# 2 is also what a file gives that cannot be read: it is in the answer as `io`.
LOOKED = frozenset({0, 1, 2})
# Without the project's environment no third-party import resolves, and comments to ignore seem unused.
NOT_ASKED = (
    "import-not-found",
    "unused-ignore-comment",
    "unused-type-ignore-comment",
    "possibly-missing-import",
)
UNREAD = "io"
SYNTAX = "invalid-syntax"


@dataclass(frozen=True)
class Ty:
    setup: AnalyserSetup
    program: Path | None
    name: str = "ty"

    def missing(self) -> str:
        return program_missing(self.name, self.program, "analysers")

    def wants(self, files: tuple[str, ...]) -> tuple[str, ...]:
        return with_suffix(files, SUFFIXES)

    async def analyse(self, source: Source, files: tuple[str, ...]) -> Analysis:
        with self.setup.temporary("ty") as folder:
            call = Call(
                self.name,
                (str(self.program), *_options(folder, source.root), "--"),
                LOOKED,
                self.setup,
                # A configuration of the user's is not ours either.
                env={"XDG_CONFIG_HOME": str(folder), "NO_COLOR": "1"},
            )
            found = await over_files(call, source, self.wants(files), lambda text: _read(text, source.root))
        return replace(found, version=version_of(self.name, self.program))


def make(setup: AnalyserSetup) -> Ty:
    return Ty(setup, setup.program("ty"))


def _options(empty: Path, root: Path) -> tuple[str, ...]:
    """An empty project and configuration stand in for the repository's, which could switch rules off."""
    config = empty / "ty.toml"
    config.write_text("", "utf8")
    roots = [str(path) for path in (root / "src", root) if path.is_dir()]
    version = target_version(root).removeprefix("py3")
    return (
        *("check", "--project", str(empty), "--config-file", str(config), "--no-progress"),
        *("-c", f"environment.root={codec.dumps(roots)}", "--no-respect-ignore-files"),
        *(("--python-version", f"3.{version}") if version else ()),
        *(option for rule in NOT_ASKED for option in ("--ignore", rule)),
        *("--output-format", "gitlab"),
    )


def _read(text: str, root: Path) -> Answer:
    findings: list[Finding] = []
    unread: list[NotReviewed] = []
    for entry in codec.loads(text):
        rule, path = str(entry["check_name"]), str(entry["location"]["path"])
        if not path:
            continue  # about ty's own options
        if rule in (UNREAD, SYNTAX):
            # ruff says the same of a syntax error, with the line.
            said = str(entry["description"]).partition(": ")[2]
            unread.append(NotReviewed(relative(path, root), f"{rule}: {said}"))
            continue
        findings.append(_finding(entry, rule, relative(path, root)))
    once = {one.path: one for one in reversed(unread)}
    return Answer(tuple(findings), tuple(once.values()))


def _finding(entry: dict[str, Any], rule: str, path: str) -> Finding:
    positions = entry["location"]["positions"]
    hit = Hit(
        rule=rule,
        file=path,
        line=int(positions["begin"]["line"]),
        end_line=int(positions["end"]["line"]),
        message=str(entry["description"]).removeprefix(f"{rule}: "),
    )
    return classify("ty", hit)
