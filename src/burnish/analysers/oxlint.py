"""oxlint: what reading finds wrong in JavaScript and TypeScript, with our selection of rules."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from burnish import codec
from burnish.analysers._program import Answer, Call, program_missing, relative, version_of, with_suffix
from burnish.analysers._setup import AnalyserSetup
from burnish.analysers._table import Hit, classify
from burnish.analysers._unsilenced import Silencer, over_unsilenced
from burnish.model.assessment import Analysis
from burnish.model.review import Finding
from burnish.model.subject import NotReviewed
from burnish.ports import Source

SUFFIXES = frozenset({".js", ".jsx", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".tsx"})
# Written out, because the defaults change with the version. Plugins that follow imports stay off: a file is
# judged by itself.
CONFIG = {
    "plugins": ["oxc", "typescript", "unicorn", "promise", "node"],
    "categories": {"correctness": "warn", "suspicious": "warn", "perf": "warn"},
    "rules": {
        "eqeqeq": ["warn", "always", {"null": "ignore"}],
        "no-var": "warn",
        "no-eval": "warn",
        "no-new-func": "warn",
        "no-empty": "warn",
        "no-fallthrough": "warn",
        "no-debugger": "warn",
        "no-underscore-dangle": "off",
        "no-await-in-loop": "off",
        "no-shadow": "off",
        "no-unused-vars": "warn",
        "block-scoped-var": "off",
        "promise/always-return": "off",
        "oxc/no-map-spread": "off",
        "typescript/no-extraneous-class": "off",
        "unicorn/consistent-function-scoping": "off",
        "unicorn/no-array-sort": "off",
        "unicorn/no-array-reverse": "off",
        "unicorn/prefer-set-has": "off",
    },
}
FLAGS = ("--disable-nested-config", "--no-ignore", "--no-error-on-unmatched-pattern", "--format", "json")
LOOKED = frozenset({0, 1})
# No option of oxlint overrules these comments.
SILENCES = re.compile(rb"(?:oxlint|eslint)-(?:disable|enable)(?:-next-line|-line)?")
_CODE = re.compile(r"([\w-]+)\(([\w/-]+)\)")
SYNTAX = "syntax"


@dataclass(frozen=True)
class Oxlint:
    setup: AnalyserSetup
    program: Path | None
    name: str = "oxlint"

    def missing(self) -> str:
        return program_missing(self.name, self.program, "analysers")

    def wants(self, files: tuple[str, ...]) -> tuple[str, ...]:
        return with_suffix(files, SUFFIXES)

    async def analyse(self, source: Source, files: tuple[str, ...]) -> Analysis:
        with self.setup.temporary("oxlint") as folder:
            config = folder / "oxlint.json"
            config.write_text(codec.dumps(CONFIG), "utf8")
            call = Call(self.name, (str(self.program), "-c", str(config), *FLAGS, "--"), LOOKED, self.setup)
            silencer = Silencer(SILENCES, folder / "copies")
            found = await over_unsilenced(call, source, self.wants(files), _read, silencer)
        return replace(found, version=version_of(self.name, self.program))


def make(setup: AnalyserSetup) -> Oxlint:
    return Oxlint(setup, setup.program("oxlint"))


def _read(text: str, root: Path) -> Answer:
    findings: list[Finding] = []
    broken: dict[str, NotReviewed] = {}
    for entry in codec.loads(text[text.index("{") :])["diagnostics"]:
        finding = _finding(entry, root)
        findings.append(finding)
        if finding.rule == f"oxlint:{SYNTAX}":
            broken[finding.file] = NotReviewed(finding.file, f"not valid: {finding.detail}")
    return Answer(tuple(findings), tuple(broken.values()))


def _finding(entry: dict[str, Any], root: Path) -> Finding:
    """Without a code it is a syntax error; the name of a plugin stays where it is not eslint itself."""
    code = _CODE.fullmatch(str(entry.get("code") or ""))
    plugin, rule = (code[1], code[2]) if code else ("", SYNTAX)
    labels = entry.get("labels") or []
    line = int(labels[0]["span"]["line"]) if labels else None
    hit = Hit(
        rule=rule if plugin in ("", "eslint") else f"{plugin.removeprefix('eslint-plugin-')}/{rule}",
        file=relative(str(entry["filename"]), root),
        line=line,
        message=str(entry["message"]),
        suggestion=str(entry.get("help") or ""),
        references=(str(entry["url"]),) if entry.get("url") else (),
    )
    return classify("oxlint", hit)
