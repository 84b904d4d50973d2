"""Comments that tell a linter, type checker or coverage tool to look away; and a checkout without them."""

from __future__ import annotations

import io
import os
import re
import tokenize
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from burnish.gates.added_lines import Hunk

_MARKERS = (
    r"noqa", r"nosec", r"nosemgrep", r"noinspection", r"NOSONAR", r"nolint", r":nocov:",
    r"type:\s{0,9}ignore", r"ty:\s{0,9}ignore", r"pyright:\s{0,9}(?:ignore|basic)",
    r"mypy:\s{0,9}(?:ignore-errors|disable-error-code)", r"pylint:\s{0,9}(?:disable|skip-file)",
    r"pragma:\s{0,9}no\s{0,9}(?:cover|branch)", r"(?:istanbul|c8|v8)\s{1,9}ignore", r"coverage:\s{0,9}ignore",
    r"eslint-disable", r"oxlint-disable", r"tslint:\s{0,9}disable", r"stylelint-disable", r"biome-ignore",
    r"deno-lint-ignore", r"@ts-(?:ignore|expect-error|nocheck)", r"rubocop:\s{0,9}(?:disable|todo)",
    r"shellcheck\s{1,9}disable", r"checkov:\s{0,9}skip", r"hadolint\s{1,9}ignore",
    r"swiftlint:\s{0,9}disable", r"ktlint-disable", r"lint:\s{0,9}ignore",
    # Formatters and sorters, which are judges where a gate checks the format.
    r"fmt:\s{0,9}(?:skip|off)", r"yapf:\s{0,9}disable", r"autopep8:\s{0,9}off",
    r"isort:\s{0,9}(?:skip|off|split)",
    r"ruff:\s{0,9}(?:disable|ignore|isort)", r"prettier-ignore", r"dprint-ignore", r"clang-format\s{1,9}off",
    r"gofmt:\s{0,9}off", r"@formatter:off", r"spotless:off", r"deno-fmt-ignore", r"oxfmt-ignore",
    r"format:\s{0,9}off",
    r"black:\s{0,9}(?:skip|off)", r"lizard\s{1,9}forgive", r"bandit:\s{0,9}skip",
    r"phpcs:\s{0,9}(?:disable|ignore)",
    r"@phpstan-ignore", r"@psalm-suppress", r"@codeCoverageIgnore", r"NOLINT", r"cppcheck-suppress",
    r"coverity\[",
    r"codeql\[", r"semgrep:\s{0,9}ignore", r"snyk:ignore", r"credo:\s{0,9}disable", r"luacheck:\s{0,9}ignore",
    r"standard:disable", r"markdownlint-disable", r"yamllint\s{1,9}disable", r"sqlfluff:\s{0,9}noqa",
    r"pyre-\w{1,9}\b",
    r"pytype:\s{0,9}(?:disable|skip-file)", r"pyrefly:\s{0,9}ignore", r"pyright:\s{0,9}\w{1,40}=false",
)  # fmt: skip
_MARKER = re.compile("|".join(_MARKERS), re.IGNORECASE)
# What ends the words of one: its reason, the next comment, or the comment itself.
_END = re.compile(r"\s+(?:--?|–|#|//)\s*|\*/|-->|#")
# No honest suppression is longer, and no honest line has more of them.
LONGEST = 300
MOST_IN_A_LINE = 100
MOST_OWN_MARKS = 300
MOST_LINES = 2_000
_WORD = re.compile(r"[a-z][\w-]{1,40}")
_TOKEN = re.compile(r"\w[\w-]*")
# Words of a checker that leave something out.
_LEAVES_OUT = re.compile(
    r"(?:\w+[-_])?(?:no(?:lint|check|test|cover|warn|style|format|spell|verif|audit|valid)\w*|un(?:check|verif|test|saf|trust|lint|valid)\w*|not?[-_]\w+|skip\w*|ignor\w*|disabl\w*|"
    r"allow\w*|permit\w*|exempt\w*|waiv\w*|suppress\w*|exclu\w*|except\w*|silen\w*|todo|fixme|xfail|pending|quarantin\w*|"
    r"legacy|accept\w*|trust\w*|known[-_]\w+|off|hush|bypass\w*|omit\w*|mute\w*|grandfather\w*|wip)(?:[-_]\w+)*$"
)
_HASH = (
    ".py",
    ".pyi",
    ".rb",
    ".sh",
    ".bash",
    ".yml",
    ".yaml",
    ".toml",
    ".tf",
    ".pl",
    ".r",
    ".jl",
    ".mk",
    ".cfg",
)
_DASHES = (".sql", ".lua", ".hs", ".elm")
_PROSE = (".md", ".rst", ".txt", ".adoc", ".json", ".lock", ".svg", ".csv")
MAX_FILE_BYTES = 4 * 1024 * 1024


@dataclass(frozen=True)
class Suppression:
    path: str
    line: int
    words: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


def own_marks(words: frozenset[str], hunks: Sequence[Hunk]) -> re.Pattern[str]:
    """The known marks, and those of the project's own checkers.

    A word of such a checker is a mark where it says so itself ("skip", "unchecked"), or where the change
    adds nothing else to a line of the base.
    """
    near = {word for hunk in hunks for line in hunk.added for word in _WORD.findall(line.lower())} & words
    near = {word for word in near if _LEAVES_OUT.match(word)} | _inserted(words, hunks)
    if not near:
        return _MARKER
    own = (re.escape(word) for word in sorted(near, key=len, reverse=True)[:MOST_OWN_MARKS])
    return re.compile(rf"{_MARKER.pattern}|(?<![\w-])(?:{'|'.join(own)})(?![\w-])", re.IGNORECASE)


def _inserted(words: frozenset[str], hunks: Sequence[Hunk]) -> set[str]:
    """Those of the words that a change puts into a line of the base and adds nothing else to it."""
    before = {" ".join(_tokens(line)) for hunk in hunks for line in hunk.removed} - {""}
    found: set[str] = set()
    lines = (_tokens(line) for hunk in hunks for line in hunk.added) if before else iter(())
    lengths = {line.count(" ") + 1 for line in before}
    for tokens in islice((one for one in lines if not words.isdisjoint(one)), MOST_LINES):
        taken = [count for count in (1, 2) if len(tokens) - count in lengths]
        for at, token in enumerate(tokens):
            for end in (at + count for count in taken if token in words):
                if " ".join((*tokens[:at], *tokens[end:])) in before:
                    found.add(token)
    return found


def _tokens(line: str) -> list[str]:
    return _TOKEN.findall(line.lower())[:MOST_IN_A_LINE]


def added_suppressions(hunks: Sequence[Hunk], form: re.Pattern[str] = _MARKER) -> list[Suppression]:
    """Those the change brings; not those that moved with their line, or stayed on a line that was edited."""
    moved = Counter(_plain(line) for hunk in hunks for line in hunk.removed if form.search(line))
    found = []
    for hunk in hunks:
        stayed = Counter(words for line in hunk.removed for words in _words(line, form))
        for number, line in hunk.numbered():
            told = _words(line, form)
            plain = _plain(line) if told else ""
            for words in told:
                if moved[plain] > 0:
                    moved[plain] -= 1
                elif stayed[words] > 0:
                    stayed[words] -= 1
                elif not hunk.path.endswith(_PROSE):
                    found.append(Suppression(hunk.path, number, words))
    return found


def disarm(
    root: Path, suppressions: Iterable[Suppression], form: re.Pattern[str] = _MARKER
) -> list[Suppression]:
    """Spoil these in a checkout of ours, and keep every line's length; those of them that were comments."""
    by_path: dict[str, list[Suppression]] = {}
    for one in suppressions:
        by_path.setdefault(one.path, []).append(one)
    return [one for path, of_file in by_path.items() for one in _disarm_file(root, path, of_file, form)]


def _disarm_file(
    root: Path, path: str, wanted: list[Suppression], form: re.Pattern[str]
) -> list[Suppression]:
    file = root / path
    inside = os.path.realpath(file.parent).startswith(os.path.realpath(root))
    if not inside or file.is_symlink() or not file.is_file() or file.stat().st_size > MAX_FILE_BYTES:
        return []
    lines = file.read_bytes().decode("utf8", "surrogateescape").split("\n")
    comments = _python_comments(lines) if path.endswith((".py", ".pyi")) else None
    by_line: dict[int, list[Suppression]] = {}
    for one in wanted:
        by_line.setdefault(one.line, []).append(one)
    spoiled = []
    for number, of_line in by_line.items():
        line = lines[number - 1] if number <= len(lines) else ""
        start = comments.get(number) if comments is not None else _comment_start(line, path)
        if start is not None and (
            found := [one for one in of_line if one.words in _words(line[start:], form)]
        ):
            lines[number - 1] = line[:start] + _spoiled(line[start:], {one.words for one in found}, form)
            spoiled += found
    file.write_bytes("\n".join(lines).encode("utf8", "surrogateescape"))
    return spoiled


def _spoiled(comment: str, words: set[str], form: re.Pattern[str]) -> str:
    """`# noqa: F401` becomes `# xoqa  F401`: as long as before, and nothing that reads as code."""
    end = min((at for at in (comment.find("*/"), comment.find("-->")) if at >= 0), default=len(comment))
    text = comment[:end]
    found = list(islice(form.finditer(text), MOST_IN_A_LINE + 1))
    if len(found) > MOST_IN_A_LINE:
        return form.sub(lambda match: "x" * len(match[0]), text) + comment[end:]
    for match in found:
        if _until_end(comment[match.start() : match.start() + LONGEST]) in words:
            start, stop = match.start(), match.end() + len(text[match.end() :].partition("#")[0])
            letter = next(at for at in range(start, stop) if text[at].isalpha())
            rest = text[letter + 1 : stop].replace(":", " ")
            text = f"{text[:start]}{'x' * (letter + 1 - start)}{rest}{text[stop:]}"
    return text + comment[end:]


def _comment_start(line: str, path: str) -> int | None:
    """Where a line's comment begins, by the usual signs of such files; what is in a string is none."""
    signs = (
        ("#",) if path.endswith(_HASH) else ("--",) if path.endswith(_DASHES) else ("//", "/*", "<!--", "#")
    )
    quotes = ""
    for at, char in enumerate(line):
        if quotes:
            quotes = "" if char == quotes and line[at - 1] != "\\" else quotes
        elif char in "\"'`":
            quotes = char
        elif line.startswith(signs, at):
            return at
    return None


def _python_comments(lines: list[str]) -> dict[int, int] | None:
    """Line -> column of its comment; None when this is not Python that can be read."""
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO("\n".join(lines)).readline))
    except (tokenize.TokenError, SyntaxError, ValueError):
        return None
    return {token.start[0]: token.start[1] for token in tokens if token.type == tokenize.COMMENT}


def _words(text: str, form: re.Pattern[str]) -> list[str]:
    """What a line suppresses, without the reasons given for it."""
    found = islice(form.finditer(text), MOST_IN_A_LINE)
    return [_until_end(text[match.start() : match.start() + LONGEST]) for match in found]


def _until_end(text: str) -> str:
    return _plain(_END.split(text, maxsplit=1)[0])


def _plain(line: str) -> str:
    return " ".join(line.split())
