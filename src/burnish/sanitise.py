"""The one sanitiser in front of every sink: untrusted text must not steer a terminal or hide in it."""

from __future__ import annotations

import unicodedata

_KEPT = {"\n", "\t"}
# Format characters that reorder or hide text (bidi, zero width, tags) are shown as what they are.
_HIDDEN = {"Cf", "Cc", "Cs", "Co", "Cn"}


def clean(text: str) -> str:
    """Text that is safe to print: control, bidirectional and zero-width characters become visible escapes."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(character if _harmless(character) else _escape(character) for character in text)


def clean_line(text: str) -> str:
    """The same on one line."""
    return " ".join(clean(text).split())


def _harmless(character: str) -> bool:
    return character in _KEPT or unicodedata.category(character) not in _HIDDEN


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
