"""The reviewer's raw words made readable: escapes, line ends and stray code points, before any parsing."""

from __future__ import annotations

import re

from burnish.model.agent import Reply

MAX_CHARS = 4_000_000
# Longer than any review: what cannot be read with care cannot pass.
MAX_PROSE = 300_000
SUMMARY_CHARS = 120

# Titles and other strings meant for the terminal (OSC, DCS, ...) are never shown, so they are no words.
_STRINGS = re.compile(r"\x1b[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)?")
_COLOURS = re.compile(r"\x1b\[[0-9;:]*m")
# What moves the cursor or erases ends a line: what stood before it and after it are not one sentence.
_MOVES = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")
_OTHERS = re.compile(r"\x1b[ -/]*[0-~]")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]+")
_MARKUP = re.compile(r"[*_`#>]+")


def clean(text: str) -> str:
    """Without byte order mark, terminal escapes, carriage returns and NUL; everything else as it was."""
    text = text[:MAX_CHARS].lstrip("\ufeff")
    if "\x1b" in text:
        for pattern, instead in ((_STRINGS, ""), (_COLOURS, ""), (_MOVES, "\n"), (_OTHERS, "")):
            text = pattern.sub(instead, text)
        text = text.lstrip("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "\ufffd")


def writable(text: str) -> str:
    """The text with lone surrogates replaced, so that it can always be written as UTF-8."""
    return text.encode("utf8", "replace").decode("utf8")


def one_line(text: str, limit: int = SUMMARY_CHARS) -> str:
    """The first line with anything in it, plain and short."""
    for line in text[: 50 * limit].split("\n"):
        plain = " ".join(_CONTROLS.sub(" ", _MARKUP.sub("", line)).split()).strip("-+• ")
        if plain:
            return writable(plain if len(plain) <= limit else plain[: limit - 1].rstrip() + "…")
    return ""


def too_long(reply: Reply, text: str) -> str:
    """Why the text cannot be relied on as a whole; empty when it can."""
    if len(text) > MAX_PROSE:
        return f"the review is longer than {MAX_PROSE} characters"
    if reply.truncated:
        return "the review was cut because it was too long"
    return ""
