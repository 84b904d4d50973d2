"""The marks that `added` looks for in the text of any language, and where on a line each of them counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath


class Place(StrEnum):
    COMMENT = "comment"
    CODE = "code"
    TEXT = "text"


@dataclass(frozen=True)
class Mark:
    """`text` as it stands in a file; it must be a word of its own, and in its place. No `tongue`: any."""

    text: str
    rule: str
    place: Place = Place.COMMENT
    tongue: str = ""


_TONGUES = {
    "python": ".py .pyi .pyw",
    "js": ".js .mjs .cjs .jsx .ts .mts .cts .tsx .vue .svelte",
    "go": ".go",
    "jvm": ".java .kt .kts .scala .groovy",
    "rust": ".rs",
    "ruby": ".rb .rake",
    "php": ".php",
    "c": ".c .h .cc .cpp .cxx .hh .hpp .m .mm",
    "csharp": ".cs",
    "swift": ".swift",
    "dart": ".dart",
    "hash": ".sh .bash .zsh .yml .yaml .toml .pl .pm .r .tf .cfg .ini .ex .exs .jl .nix .ps1 .cmake",
    "slash": ".scss .less .css .proto .sol .zig .v .fs",
    "dash": ".sql .lua .hs .elm .ads .adb",
    "markup": ".html .htm .xml .md",
}
TONGUES = {suffix: tongue for tongue, suffixes in _TONGUES.items() for suffix in suffixes.split()}
NAMED = {
    "dockerfile": "hash",
    "containerfile": "hash",
    "makefile": "hash",
    "gemfile": "ruby",
    "rakefile": "ruby",
}
# How a comment begins; "*" only as the first character of a line, as in the middle of a block comment.
_SLASHES = ("//", "/*", "*", "<!--", "{#")
OPENERS = {
    "python": ("#",),
    "ruby": ("#",),
    "hash": ("#",),
    "php": (*_SLASHES, "#"),
    "dash": ("--", "/*", "*"),
    "markup": ("<!--",),
}


def tongue_of(path: str) -> str:
    """Which family of languages a file belongs to; empty for what has no comments that we know."""
    pure = PurePosixPath(path)
    return TONGUES.get(pure.suffix.lower()) or NAMED.get(pure.name.lower().split(".")[0], "")


def openers_of(tongue: str) -> tuple[str, ...]:
    return OPENERS.get(tongue, _SLASHES)


def place_of(line: str, at: int, openers: tuple[str, ...]) -> Place:
    """Whether column `at` is in a comment, in quoted text, or in code, by reading the line alone."""
    quote = ""
    column = 0
    first = len(line) - len(line.lstrip())
    while column < at:
        character = line[column]
        if quote:
            if character == "\\":
                column += 1
            elif character == quote:
                quote = ""
        elif _opens(line, column, first, openers):
            return Place.COMMENT
        elif character in "\"'`":
            quote = character
        column += 1
    if quote:
        return Place.TEXT
    return Place.COMMENT if _opens(line, at, first, openers) else Place.CODE


def _opens(line: str, column: int, first: int, openers: tuple[str, ...]) -> bool:
    return any(line.startswith(opener, column) and (opener != "*" or column == first) for opener in openers)


def _marks(rule: str, place: Place, by_tongue: Mapping[str, str]) -> Iterator[Mark]:
    for tongue, texts in by_tongue.items():
        for text in texts.split("|"):
            yield Mark(text.strip(), rule, place, tongue)


_SUPPRESSIONS = {
    "": """ast-grep-ignore|nosemgrep|gitleaks:allow|pragma: allowlist secret|NOSONAR|lizard forgive
        |lizard forgives
        |trivy:ignore|GENERATED CODE|noinspection|checkov:skip|tfsec:ignore|shellcheck disable|hadolint ignore
        |zizmor: ignore""",
    "python": """noqa|NOQA|type: ignore|type:ignore|ruff: ignore|ruff: disable|ruff: file-ignore
        |pyright: ignore|ty: ignore|pyrefly: ignore|pylint: disable|nosec|pragma: no cover|pragma: nocover
        |pragma: no branch""",
    "js": """eslint-disable|eslint-disable-line|eslint-disable-next-line|oxlint-disable|oxlint-disable-line
        |oxlint-disable-next-line|biome-ignore|@ts-ignore|@ts-expect-error|tslint:disable|deno-lint-ignore
        |$FlowFixMe|istanbul ignore|c8 ignore|v8 ignore""",
    "go": "nolint|#nosec|nosec",
    "jvm": "NOPMD|CHECKSTYLE:OFF|scalastyle:off",
    "c": "NOLINT|NOLINTNEXTLINE|NOLINTBEGIN|cppcheck-suppress|LCOV_EXCL_LINE",
    "ruby": "rubocop:disable|:nocov:|brakeman:ignore",
    "php": "@phpstan-ignore|@phpstan-ignore-next-line|@psalm-suppress|phpcs:ignore|phpcs:disable",
    "swift": "swiftlint:disable",
    "dart": "ignore:|ignore_for_file:",
}
_SUPPRESSING_CODE = {
    "jvm": "@SuppressWarnings|@Suppress|@SuppressFBWarnings",
    "rust": "#[allow(|#[expect(",
    "c": "#pragma GCC diagnostic ignored|#pragma clang diagnostic ignored",
    "csharp": "#pragma warning disable|[SuppressMessage|[ExcludeFromCodeCoverage",
}
_WHOLE_FILE = {
    "python": "ruff: noqa|flake8: noqa|mypy: ignore-errors|pylint: skip-file",
    "js": """@ts-nocheck|biome-ignore-all|deno-lint-ignore-file|/* eslint-disable */|/* oxlint-disable */""",
}
_SKIPPED = {
    "python": """mark.skip|mark.skipif|mark.xfail|pytest.skip(|pytest.xfail(|unittest.skip|unittest.skipIf
        |unittest.skipUnless|unittest.expectedFailure|self.skipTest(""",
    "js": """it.skip(|test.skip(|describe.skip(|context.skip(|suite.skip(|xit(|xtest(|xdescribe(|xcontext(
        |test.todo(|it.todo(|test.fixme(|test.failing(|it.failing(""",
    "go": "t.Skip(|t.Skipf(|t.SkipNow(|b.Skip(",
    "jvm": "@Disabled|@Ignore",
    "rust": "#[ignore]|#[ignore =",
    "ruby": "xit|xdescribe|xcontext|xspecify",
    "csharp": "[Ignore|[Fact(Skip|[Theory(Skip",
    "php": "markTestSkipped(|markTestIncomplete(",
    "swift": "XCTSkip(",
    "hash": "@tag :skip",
}
_FOCUSED = {
    "js": "it.only(|test.only(|describe.only(|context.only(|suite.only(|fit(|fdescribe(",
    "ruby": "fit|fdescribe|fcontext|focus: true",
}
_UNWRITTEN = {
    "rust": "todo!(|unimplemented!(",
    "jvm": "TODO(",
    "go": 'panic("not implemented|panic("TODO',
    "js": """new Error('not implemented|new Error("not implemented|new Error('Not implemented
        |new Error("Not implemented""",
}
_DEBUGGERS = {
    "js": "debugger;",
    "dart": "debugger();",
    "ruby": "binding.pry|binding.irb|byebug",
    "php": "var_dump(|xdebug_break(",
    "go": "runtime.Breakpoint(",
    "rust": "dbg!(",
    "hash": "IEx.pry",
}
MARKS = (
    *_marks("suppression-file", Place.COMMENT, _WHOLE_FILE),
    *_marks("suppression-file", Place.CODE, {"rust": "#![allow("}),
    *_marks("suppression", Place.COMMENT, _SUPPRESSIONS),
    *_marks("suppression", Place.CODE, _SUPPRESSING_CODE),
    *_marks("skipped-test", Place.CODE, _SKIPPED),
    *_marks("only-test", Place.CODE, _FOCUSED),
    *_marks("todo", Place.COMMENT, {"": "TODO"}),
    *_marks("fixme", Place.COMMENT, {"": "FIXME|HACK|XXX"}),
    *_marks("not-implemented", Place.CODE, _UNWRITTEN),
    *_marks("debugger", Place.CODE, _DEBUGGERS),
)
