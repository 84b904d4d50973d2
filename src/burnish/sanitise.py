"""The one sanitiser in front of every sink: untrusted text must not steer a terminal or hide in it."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

# All control characters of ASCII and some more; beyond that one pass over the text is the shorter way.
FEW = 40
_KEPT = {"\n", "\t"}
# Format characters that reorder or hide text (bidi, zero width, tags) are shown as what they are.
_HIDDEN = {"Cf", "Cc", "Cs", "Co", "Cn"}


def clean(text: str) -> str:
    """Text that is safe to print: control, bidirectional and zero-width characters become visible escapes."""
    if text.isascii() and text.isprintable():
        return text
    return escaped(
        text, {character: _escape(character) for character in set(text) if not _harmless(character)}
    )


def escaped(text: str, instead: Mapping[str, str]) -> str:
    """Each of some characters replaced: by kind, because a megabyte of them must not take a second."""
    if len(instead) > FEW:
        return text.translate({ord(character): shown for character, shown in instead.items()})
    # A backslash that stands for itself goes first, or it would be taken from the others' escapes.
    for character in sorted(instead, key=lambda character: character != "\\"):
        text = text.replace(character, instead[character])
    return text


def decoded(data: bytes) -> str:
    """Bytes as text; those that are no UTF-8 as visible escapes."""
    text = data.decode("utf8", "surrogateescape")
    odd = {character for character in set(text) if "\udc80" <= character <= "\udcff"}
    return escaped(text, {character: f"\\x{ord(character) - 0xDC00:02x}" for character in odd})


def clean_line(text: str) -> str:
    """The same on one line."""
    return " ".join(clean(text).split())


def both_ends(text: str, most: int) -> str:
    """At most so many characters: what is long loses its middle, since messages end in their reason."""
    if len(text) <= most:
        return text
    head = most // 3
    return f"{text[:head]}…{text[head + 1 - most :]}"


def _harmless(character: str) -> bool:
    return character in _KEPT or unicodedata.category(character) not in _HIDDEN


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
