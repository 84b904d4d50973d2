"""A shell command or script as simple commands, each with the folder it runs in. Linear, never raises."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

MAX_CHARS = 64 * 1024
_TOKEN = re.compile(
    r"""(?P<end>\|\||&&|;;|[;|&\n(){}!`])|(?P<space>[ \t\r]+)|(?P<comment>(?<![^\s;&|(])\#[^\n]*)|(?P<word>"""
    r"""(?:\$\([^()\n]{0,500}\)|\$\{[^{}\n]{0,500}\}|'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s;|&(){}!`'"\\]|['"\\])+)""",
    re.VERBOSE | re.DOTALL,
)
_QUOTED = re.compile(r"'([^']*)'|\"((?:\\.|[^\"\\])*)\"|\\(.)", re.DOTALL)
_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL)
_VARIABLE = re.compile(r"\$(?:\{(\w+)\}|\((\w+)\)|(\w+))")
# Where a script lies, in the ways that scripts find out.
_OWN_FOLDER = re.compile(
    r"""\$\(\s*(?:cd\s+[^\n]{0,40}?)?dirname\s[^()\n]{0,120}\)|\$\{BASH_SOURCE[^{}]{0,40}\}|\$\{0%/\*\}|\$PWD"""
)
_UNKNOWN_FOLDER = re.compile(r"^(?:\$(?:\w+|\{[^{}]*\}|\([^()]*\)))+/")
_KEYWORDS = frozenset({"if", "then", "else", "elif", "do", "while", "until", "time", "!", "fi", "done", "in"})


@dataclass(frozen=True)
class Simple:
    """One program with its arguments; `folder` is where it runs, from the repository's root."""

    words: tuple[str, ...]
    folder: str = ""
    variables: tuple[tuple[str, str], ...] = ()


def simple_commands(
    text: str, folder: str = "", known: Mapping[str, str] | None = None, own: str = ""
) -> Iterator[Simple]:
    """The commands of a text in order. `cd` counts for what follows it; `own` is the script's own folder."""
    variables = dict(known or {})
    for tokens in _parts(text[:MAX_CHARS].replace("\\\n", " ")):
        words = [_plain(token, variables, own) for token in tokens]
        assigned: list[tuple[str, str]] = []
        while words and (words[0] in _KEYWORDS or _ASSIGNMENT.fullmatch(words[0])):
            if match := _ASSIGNMENT.fullmatch(words.pop(0)):
                assigned.append((match[1], match[2]))
        if not words:
            variables.update(assigned)
            continue
        if words[0] in ("cd", "pushd") and len(words) > 1:
            folder = joined(folder, words[-1])
            continue
        if words[0] in ("export", "readonly", "local", "declare"):
            variables.update((match[1], match[2]) for word in words if (match := _ASSIGNMENT.fullmatch(word)))
            continue
        yield Simple(tuple(words), folder, tuple(assigned))


def joined(folder: str, path: str) -> str:
    """A path from the repository's root; empty for the root itself. Paths that leave it start with `..`."""
    path = _UNKNOWN_FOLDER.sub("", path)
    found = posixpath.normpath(posixpath.join(folder, path))
    return "" if found == "." else found


def _parts(text: str) -> Iterator[list[str]]:
    words: list[str] = []
    for match in _TOKEN.finditer(text):
        if match.lastgroup == "end":
            if words:
                yield words
            words = []
        elif match.lastgroup == "word":
            words.append(match[0])
    if words:
        yield words


def _plain(token: str, variables: Mapping[str, str], own: str) -> str:
    """A word without its quotes, with what can be known put in for its variables."""
    text = _OWN_FOLDER.sub(own or ".", token)
    text = _QUOTED.sub(lambda match: match[1] or match[2] or match[3] or "", text)
    return _VARIABLE.sub(
        lambda match: variables.get(match[1] or match[2] or match[3], match[0])[:4096], text
    )[:MAX_CHARS]
