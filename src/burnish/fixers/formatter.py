"""Formatting what a fixer touched, only where the repository formats with ruff, and only as it does."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from burnish import codec
from burnish.errors import WorkspaceError
from burnish.fixers._edit import Text, read_text, write_text
from burnish.fixers._run import FixerFailed, run_fixer
from burnish.model.fixing import ExplainsItself
from burnish.model.review import Finding
from burnish.ports import CodeFixer
from burnish.process.tool_setup import ToolSetup

# The option of the setup under which the wiring leaves what `style_of` said of the base.
OPTION = "ruff-format"
# Files of the base that say whether and how it formats.
CONFIGURATION = (
    *("pyproject.toml", "ruff.toml", ".ruff.toml"),
    *(".pre-commit-config.yaml", "Makefile", "tox.ini"),
)
FORMATTED = frozenset({0})
NARROWEST, WIDEST = 20, 320
_HOOK = re.compile(r"^\s*-\s*id:\s*ruff-format\b", re.M)
_COMMAND = re.compile(r"\bruff\s+format\b")
_VERSION = re.compile(r"py3\d{1,2}")


@dataclass(frozen=True)
class Style:
    """The few settings of ruff's formatter that are taken over, as data."""

    line_length: int = 88
    quotes: str = "double"
    indent: str = "space"
    target: str = ""

    @property
    def options(self) -> tuple[str, ...]:
        return (
            *("--config", f"line-length={self.line_length}"),
            *("--config", f"format.quote-style='{self.quotes}'"),
            *("--config", f"format.indent-style='{self.indent}'"),
            *(("--target-version", self.target) if self.target else ()),
        )


def style_of(base: Mapping[str, str]) -> Style | None:
    """How the base formats, from its configuration files (name to text); None where it does not say that it
    uses `ruff format`. Never from the change under review."""
    settings = _settings(base)
    says = "format" in settings or any(
        _HOOK.search(text) or _COMMAND.search(text) for text in (base.get(name, "") for name in CONFIGURATION)
    )
    if not says:
        return None
    shape = settings.get("format")
    shape = shape if isinstance(shape, dict) else {}
    length, target = settings.get("line-length"), settings.get("target-version")
    plain = isinstance(length, int) and not isinstance(length, bool) and NARROWEST <= length <= WIDEST
    return Style(
        line_length=length if plain and isinstance(length, int) else 88,
        quotes=_one_of(shape.get("quote-style"), ("double", "single", "preserve")),
        indent=_one_of(shape.get("indent-style"), ("space", "tab")),
        target=target if isinstance(target, str) and _VERSION.fullmatch(target) else "",
    )


def style_in(setup: ToolSetup) -> Style | None:
    """The style that the wiring put into the setup, as `codec.encode` writes it."""
    stored = setup.options.get(OPTION, "")
    return codec.decode(stored, Style) if stored else None


@dataclass(frozen=True)
class Formatted:
    """A fixer whose edited Python file is formatted again, if it was formatted before."""

    fixer: CodeFixer
    setup: ToolSetup
    style: Style

    @property
    def name(self) -> str:
        return self.fixer.name

    def can(self, finding: Finding, *, unsafe: bool = False) -> bool:
        return self.fixer.can(finding, unsafe=unsafe)

    async def fix(self, finding: Finding, workspace: Path) -> str:
        before = _texts(finding, workspace)
        done = await self.fixer.fix(finding, workspace)
        formatted = [done and await self._again(old, workspace) for old in before]
        return f"{done}, formatted" if any(formatted) else done

    def why_not(self, finding: Finding, workspace: Path) -> str:
        return self.fixer.why_not(finding, workspace) if isinstance(self.fixer, ExplainsItself) else ""

    async def _again(self, before: Text, workspace: Path) -> bool:
        after = read_text(workspace, before.name)
        if after.data == before.data or await self._formatted(before) != before.text:
            return False
        better = await self._formatted(after)
        return bool(better) and write_text(workspace, after, better)

    async def _formatted(self, file: Text) -> str:
        """The text as ruff would write it; empty when ruff cannot."""
        options = (
            *("format", "--isolated", "--no-cache", "--quiet", *self.style.options),
            *("--stdin-filename", file.name, "-"),
        )
        try:
            finished = await run_fixer(self.setup, "ruff", options, FORMATTED, file.data)
        except FixerFailed:
            return ""
        data = finished.stdout.head + finished.stdout.tail
        return data[len(file.bom) if data.startswith(file.bom) else 0 :].decode(file.encoding)


def _texts(finding: Finding, workspace: Path) -> list[Text]:
    """The Python files that a repair may touch: the finding's own, and those on the way to it."""
    found = []
    for name in dict.fromkeys((finding.file, *(step.file for step in finding.flow))):
        if name.endswith((".py", ".pyi")):
            with suppress(WorkspaceError):
                found.append(read_text(workspace, name))
    return found


def _settings(base: Mapping[str, str]) -> dict[str, Any]:
    """As ruff looks for them: .ruff.toml, ruff.toml, then the section in pyproject.toml."""
    for name in (".ruff.toml", "ruff.toml"):
        if name in base:
            return _toml(base[name])
    tool = _toml(base.get("pyproject.toml", "")).get("tool")
    found = tool.get("ruff") if isinstance(tool, dict) else None
    return found if isinstance(found, dict) else {}


def _toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


def _one_of(value: object, known: tuple[str, ...]) -> str:
    return str(value) if value in known else known[0]
