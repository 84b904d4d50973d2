"""Our own rewrites of common defects: Python through its tree, other languages through ast-grep."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files as resources
from pathlib import Path, PurePosixPath

from burnish import codec
from burnish.fixers import _python_calls as calls
from burnish.fixers import _python_statements as statements
from burnish.fixers import _taint as taint
from burnish.fixers._edit import Text, read_text, write_text
from burnish.fixers._python import Edit, Module, NotRepaired, apply
from burnish.fixers._run import run_fixer
from burnish.model.review import Finding
from burnish.process.tool_setup import ToolSetup

Rewrite = Callable[[Module], list[Edit]]


@dataclass(frozen=True)
class PythonRewrite:
    """`unsafe` ones can change what correct code does, so a person must have asked."""

    rewrite: Rewrite
    repairs: tuple[str, ...]
    says: str
    unsafe: bool = False


PYTHON = (
    PythonRewrite(calls.safe_yaml, ("ruff:S506", "ast-grep:py-yaml-load"), "loads YAML safely"),
    PythonRewrite(calls.request_timeout, ("ruff:S113",), "gave the request a timeout"),
    PythonRewrite(
        calls.verified_tls, ("ruff:S501", "ruff:S323", "ast-grep:py-tls-verify-off"), "checks certificates"
    ),
    PythonRewrite(calls.without_debugger, ("ruff:S201", "ast-grep:py-debug-server"), "took the debugger out"),
    PythonRewrite(
        calls.private_temporary, ("ruff:S306", "ast-grep:py-random-temp-name"), "uses a private folder"
    ),
    PythonRewrite(
        calls.not_for_security, ("ruff:S324", "ast-grep:py-weak-hash"), "says that it is only a checksum"
    ),
    PythonRewrite(calls.without_shell, ("ruff:S602", "ruff:S604"), "runs the program without a shell"),
    PythonRewrite(calls.without_system, ("ruff:S605",), "runs the program without a shell"),
    PythonRewrite(statements.named_except, ("ruff:E722",), "named what is caught"),
    PythonRewrite(statements.is_none, ("ruff:E711",), "compares with is"),
    PythonRewrite(statements.asserted, ("ruff:F631",), "took the tuple apart"),
    PythonRewrite(statements.fresh_default, ("ruff:B006",), "makes the default in each call"),
    PythonRewrite(statements.raised_from, ("ruff:B904",), "keeps the cause of the error"),
    PythonRewrite(statements.without_breakpoint, ("ruff:T100",), "took the breakpoint out"),
    PythonRewrite(
        calls.shell_to_list,
        ("ruff:S602", "ruff:S605", "ast-grep:py-shell-string"),
        "runs the program without a shell",
        unsafe=True,
    ),
    PythonRewrite(calls.filtered_archive, ("ruff:S202",), "filters what is unpacked", unsafe=True),
)


@dataclass(frozen=True)
class Pattern:
    """A rewrite that is an ast-grep rule with a `fix`, in codemod_rules/<id>.yml."""

    id: str
    repairs: tuple[str, ...]
    says: str
    unsafe: bool = False


@dataclass(frozen=True)
class Codemods:
    setup: ToolSetup
    unsafe: bool = False

    @property
    def name(self) -> str:
        return "unsafe-codemods" if self.unsafe else "codemods"

    def can(self, finding: Finding, *, unsafe: bool = False) -> bool:
        if not finding.file or not finding.line or (self.unsafe and not unsafe):
            return False
        flows = taint.rewrites(finding, unsafe=self.unsafe)
        return bool(flows or self._python(finding) or self._patterns(finding))

    async def fix(self, finding: Finding, workspace: Path) -> str:
        if not finding.line or not finding.file:
            return ""
        if done := taint.repaired(finding, workspace, unsafe=self.unsafe):
            return done
        before = read_text(workspace, finding.file)
        for rewrite in self._python(finding):
            module = Module(before.text, finding.line)
            try:
                after = apply(module, rewrite.rewrite(module))
            except NotRepaired:
                continue
            if write_text(workspace, before, after):
                return rewrite.says
        for pattern in self._patterns(finding):
            after = await self._rewritten(pattern, before, finding.line)
            if write_text(workspace, before, after):
                return pattern.says
        return ""

    def why_not(self, finding: Finding, workspace: Path) -> str:
        """Why it left a finding of the data-flow pass alone, or what waits for a person's word."""
        if not finding.line or not finding.file:
            return ""
        waiting = [] if self.unsafe else taint.rewrites(finding, unsafe=True)
        if waiting and not taint.why_not(finding, workspace, unsafe=True):
            return (
                f"a rewrite that {waiting[0].says} may change what correct code does; it waits for --unsafe"
            )
        return taint.why_not(finding, workspace, unsafe=self.unsafe)

    def _python(self, finding: Finding) -> list[PythonRewrite]:
        if not finding.file.endswith((".py", ".pyw")):
            return []
        protects = "taint" in finding.tools or "taint:weak_hash" in finding.same_rules
        return [
            one
            for one in PYTHON
            if one.unsafe == self.unsafe
            and finding.rule in one.repairs
            # The data-flow pass saw that the hash protects something: no name around it says otherwise.
            and not (protects and one.rewrite is calls.not_for_security)
        ]

    def _patterns(self, finding: Finding) -> list[Pattern]:
        if self.setup.program("ast-grep") is None or finding.file.endswith(".py"):
            return []
        return [one for one in patterns() if one.unsafe == self.unsafe and finding.rule in one.repairs]

    async def _rewritten(self, pattern: Pattern, before: Text, line: int) -> str:
        """The text with what ast-grep would replace on that line, and only there."""
        with self.setup.temporary("fix") as folder:
            copy = folder / f"code{PurePosixPath(before.name).suffix}"
            copy.write_bytes(before.text.encode("utf8"))
            (folder / "rules").mkdir()
            (folder / "rules" / "all.yml").write_text(_rules(pattern.id), "utf8")
            config = folder / "sgconfig.yml"
            config.write_text("ruleDirs: [rules]\n", "utf8")
            options = ("scan", "-c", str(config), "--json=stream", "--", str(copy))
            finished = await run_fixer(self.setup, "ast-grep", options, frozenset({0}))
        found = [codec.loads(said) for said in finished.stdout.text.split("\n") if said.strip()]
        data, last = before.text.encode("utf8"), len(before.text.encode("utf8")) + 1
        for entry in sorted(found, key=lambda one: -int(one["replacementOffsets"]["start"])):
            first, final = (int(entry["range"][side]["line"]) + 1 for side in ("start", "end"))
            start, end = (int(entry["replacementOffsets"][side]) for side in ("start", "end"))
            if first <= line <= final and end <= last:
                data, last = data[:start] + str(entry["replacement"]).encode("utf8") + data[end:], start
        return data.decode("utf8")


def make(setup: ToolSetup) -> Codemods:
    return Codemods(setup)


def make_unsafe(setup: ToolSetup) -> Codemods:
    return Codemods(setup, unsafe=True)


@cache
def patterns() -> tuple[Pattern, ...]:
    """What codemod_rules/index.toml lists."""
    entries = tomllib.loads((_folder() / "index.toml").read_text("utf8"))
    return tuple(
        Pattern(name, tuple(entry["repairs"]), entry["says"], entry.get("unsafe", False))
        for name, entry in entries.items()
    )


def _rules(name: str) -> str:
    """The rule, and the same for the dialects of JavaScript, which are other languages to ast-grep."""
    rule = (_folder() / f"{name}.yml").read_text("utf8")
    if "\nlanguage: JavaScript\n" not in rule:
        return rule
    others = (("ts", "TypeScript"), ("tsx", "Tsx"))
    more = (
        rule.replace(f"id: {name}\n", f"id: {name}-{mark}\n", 1).replace("JavaScript", language, 1)
        for mark, language in others
    )
    return "---\n".join((rule, *more))


def _folder() -> Path:
    return Path(str(resources("burnish.fixers"))) / "codemod_rules"
