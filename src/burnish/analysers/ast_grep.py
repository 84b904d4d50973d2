"""ast-grep: patterns of weak code in seven languages, with our own rules and nothing of the repository's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files as resources
from pathlib import Path
from typing import Any

from burnish import codec
from burnish.analysers._program import (
    Answer,
    Call,
    program_missing,
    relative,
    version_of,
    with_suffix,
)
from burnish.analysers._setup import AnalyserSetup
from burnish.analysers._table import Hit, classify
from burnish.analysers._unsilenced import Silencer, over_unsilenced
from burnish.model.assessment import Analysis
from burnish.model.review import Finding
from burnish.ports import Source

LANGUAGES = {
    "python": (".py", ".pyi"),
    "javascript": (".js", ".jsx", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".tsx"),
    "go": (".go",),
    "java": (".java",),
    "rust": (".rs",),
    "ruby": (".rb", ".gemspec"),
    "shell": (".sh", ".bash", ".bats", ".ksh", ".zsh"),
}
SUFFIXES = frozenset(suffix for suffixes in LANGUAGES.values() for suffix in suffixes)
# All our rules warn, and a warning is exit 0: anything else is a failure.
LOOKED = frozenset({0})
# TypeScript and TSX are languages of their own to ast-grep; rules for JavaScript are meant for them too.
DIALECTS = {".ts": "TypeScript", ".tsx": "Tsx"}
# No option of ast-grep overrules this comment.
SILENCES = re.compile(rb"ast-grep-ignore", re.IGNORECASE)


@dataclass(frozen=True)
class AstGrep:
    setup: AnalyserSetup
    program: Path | None
    name: str = "ast-grep"

    def missing(self) -> str:
        return program_missing(self.name, self.program)

    def wants(self, files: tuple[str, ...]) -> tuple[str, ...]:
        return with_suffix(files, SUFFIXES)

    async def analyse(self, source: Source, files: tuple[str, ...]) -> Analysis:
        with self.setup.temporary("ast-grep") as folder:
            # Without -c a sgconfig.yml of the repository is read, which can give every file another language.
            config = lay_rules(folder / "config", pack())
            argv = (str(self.program), "scan", "-c", str(config), "--json=stream", "--")
            call = Call(self.name, argv, LOOKED, self.setup)
            silencer = Silencer(SILENCES, folder / "copies")
            found = await over_unsilenced(call, source, self.wants(files), _read, silencer)
        return replace(found, version=version_of("ast-grep-cli", self.program))


def make(setup: AnalyserSetup) -> AstGrep:
    return AstGrep(setup, setup.program("ast-grep"))


def lay_rules(folder: Path, rules: str) -> Path:
    """A folder with these rules as the only ones, and the configuration file that names them."""
    (folder / "rules").mkdir(parents=True)
    (folder / "rules" / "all.yml").write_text(rules, "utf8")
    config = folder / "sgconfig.yml"
    config.write_text("ruleDirs: [rules]\n", "utf8")
    return config


@cache
def pack() -> str:
    """All our rules as one YAML stream, those for JavaScript also in its dialects."""
    return "---\n".join(_rules())


def _rules() -> Iterator[str]:
    top = resources("burnish.analysers") / "ast_grep_rules"
    for language in sorted(
        (entry for entry in top.iterdir() if entry.is_dir()), key=lambda entry: entry.name
    ):
        for entry in sorted(language.iterdir(), key=lambda entry: entry.name):
            if not entry.name.endswith(".yml"):
                continue
            rule = entry.read_text("utf8")
            yield rule
            if language.name == "javascript":
                for mark, dialect in DIALECTS.items():
                    renamed = re.sub(r"\Aid: (\S+)", rf"id: \1{mark}", rule)
                    yield renamed.replace("\nlanguage: JavaScript\n", f"\nlanguage: {dialect}\n", 1)


def _read(text: str, root: Path) -> Answer:
    """One finding for each rule and line: a pattern can match a line more than once."""
    found: dict[tuple[str, str, int | None], Finding] = {}
    for line in text.split("\n"):
        if line.strip():
            finding = _finding(codec.loads(line), root)
            found.setdefault((finding.rule, finding.file, finding.line), finding)
    return Answer(tuple(sorted(found.values(), key=lambda one: (one.file, one.line or 0, one.rule))))


def _finding(entry: dict[str, Any], root: Path) -> Finding:
    rule = str(entry["ruleId"])
    for mark in DIALECTS:
        rule = rule.removesuffix(mark)
    hit = Hit(
        rule=rule,
        file=relative(str(entry["file"]), root),
        line=int(entry["range"]["start"]["line"]) + 1,
        end_line=int(entry["range"]["end"]["line"]) + 1,
        message=str(entry["message"]),
        suggestion=str(entry.get("note") or ""),
    )
    return classify("ast-grep", hit)
