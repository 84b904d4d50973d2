"""oxlint's own fixes for JavaScript and TypeScript, for exactly one rule in one file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from burnish import codec
from burnish.fixers._edit import read_text, write_text
from burnish.fixers._run import run_fixer
from burnish.model.review import Finding
from burnish.process.tool_setup import ToolSetup

PREFIX = "oxlint:"
LOOKED = frozenset({0, 1})
PLUGINS = ("oxc", "typescript", "unicorn", "promise", "node")
# What oxlint changes with `--fix` alone; it calls its other fixes suggestions or dangerous.
FIXABLE = frozenset(
    """
    no-unsafe-negation no-unused-labels no-useless-escape no-useless-rename no-extra-boolean-cast no-var
    preserve-caught-error use-isnan valid-typeof no-compare-neg-zero eqeqeq node/no-exports-assign
    promise/no-new-statics typescript/no-duplicate-type-constituents typescript/no-extra-non-null-assertion
    typescript/no-unnecessary-boolean-literal-compare typescript/no-useless-empty-export
    typescript/no-wrapper-object-types typescript/prefer-as-const typescript/prefer-namespace-keyword
    unicorn/prefer-set-size unicorn/prefer-string-starts-ends-with unicorn/no-unnecessary-await
    unicorn/no-useless-fallback-in-spread unicorn/no-single-promise-in-promise-methods
    unicorn/prefer-array-flat-map
    """.split()  # noqa: SIM905
)


@dataclass(frozen=True)
class OxlintFix:
    setup: ToolSetup
    name: str = "oxlint-fix"

    def can(self, finding: Finding, *, unsafe: bool = False) -> bool:
        there = finding.rule.startswith(PREFIX) and finding.rule.removeprefix(PREFIX) in FIXABLE
        return there and bool(finding.file) and self.setup.program("oxlint") is not None

    async def fix(self, finding: Finding, workspace: Path) -> str:
        rule = finding.rule.removeprefix(PREFIX)
        if rule not in FIXABLE:
            return ""
        before = read_text(workspace, finding.file)
        with self.setup.temporary("fix") as folder:
            # It writes where it reads, so it gets a copy: a link in the workspace cannot lead it astray.
            copy = folder / f"code{PurePosixPath(finding.file).suffix}"
            copy.write_bytes(before.data)
            config = folder / "oxlint.json"
            config.write_text(codec.dumps({"plugins": PLUGINS, "rules": {rule: "warn"}}), "utf8")
            options = (
                *("-c", str(config), "--disable-nested-config", "--no-ignore", "-A", "all", "-W", rule),
                *("--fix", "--", str(copy)),
            )
            await run_fixer(self.setup, "oxlint", options, LOOKED)
            after = copy.read_bytes()[len(before.bom) :].decode(before.encoding)
        return f"oxlint fixed {rule}" if write_text(workspace, before, after) else ""


def make(setup: ToolSetup) -> OxlintFix:
    return OxlintFix(setup)
