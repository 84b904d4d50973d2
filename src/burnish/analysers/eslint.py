"""eslint, where it is installed: our rules for JavaScript, never the repository's configuration."""

from __future__ import annotations

from pathlib import Path

from burnish import codec
from burnish.analysers._program import Answer, relative
from burnish.analysers._setup import AnalyserSetup
from burnish.analysers._table import Hit, classify
from burnish.analysers._tool import Place, Tool
from burnish.model.review import Finding
from burnish.model.subject import NotReviewed

SUFFIXES = (".js", ".jsx", ".mjs", ".cjs")
# A configuration is a program to eslint, so this one is ours and names no plugin.
RULES = """
    constructor-super for-direction getter-return no-async-promise-executor no-case-declarations
    no-class-assign no-compare-neg-zero no-cond-assign no-const-assign no-constant-binary-expression
    no-constant-condition no-debugger no-dupe-args no-dupe-class-members no-dupe-else-if no-dupe-keys
    no-duplicate-case no-empty no-eval no-ex-assign no-fallthrough no-func-assign no-implied-eval
    no-import-assign no-invalid-regexp no-loss-of-precision no-misleading-character-class no-new-func
    no-obj-calls no-promise-executor-return no-prototype-builtins no-redeclare no-self-assign no-self-compare
    no-setter-return no-sparse-arrays no-this-before-super no-unreachable no-unreachable-loop
    no-unsafe-finally no-unsafe-negation no-unsafe-optional-chaining no-unused-vars no-useless-catch no-var
    no-with require-yield use-isnan valid-typeof
""".split()  # noqa: SIM905


def make(setup: AnalyserSetup) -> Tool:
    return Tool(
        name="eslint",
        setup=setup,
        looks_at=lambda name: name.lower().endswith(SUFFIXES),
        options=_options,
        read=read,
        env={"NODE_OPTIONS": "", "ESLINT_USE_FLAT_CONFIG": "true"},
    )


def _options(place: Place) -> tuple[str, ...]:
    config = place.scratch / "eslint.config.mjs"
    rules = codec.dumps(dict.fromkeys(RULES, "warn"))
    reading = '{"parserOptions": {"ecmaFeatures": {"jsx": true}}}'
    files = codec.dumps([f"**/*{suffix}" for suffix in SUFFIXES])
    config.write_text(
        f"export default [{{files: {files}, languageOptions: {reading}, rules: {rules}}}];\n", "utf8"
    )
    return (
        *("--no-config-lookup", "-c", str(config), "--no-inline-config", "--no-ignore"),
        *("--no-warn-ignored", "--no-error-on-unmatched-pattern", "--format", "json", "--"),
    )


def read(text: str, root: Path) -> Answer:
    findings: list[Finding] = []
    unread: list[NotReviewed] = []
    for file in codec.loads(text):
        path = relative(str(file["filePath"]), root)
        for entry in file["messages"]:
            if entry.get("fatal") or entry.get("ruleId") is None:
                unread.append(NotReviewed(path, str(entry["message"])[:200]))
                continue
            last = entry.get("endLine")
            hit = Hit(
                rule=str(entry["ruleId"]),
                file=path,
                line=int(entry["line"]),
                end_line=int(last) if last else None,
                message=str(entry["message"]),
            )
            findings.append(classify("eslint", hit))
    return Answer(tuple(findings), tuple(unread))
