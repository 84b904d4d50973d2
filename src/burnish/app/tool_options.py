"""What tools are told about the repository: where it is, and how its base formats code."""

from __future__ import annotations

from pathlib import Path

from burnish import codec
from burnish.analysers.sarif import REPOSITORY
from burnish.fixers import formatter
from burnish.repository_files import read_below

MAX_BYTES = 256 * 1024


def tool_options(repository: Path, base: Path) -> dict[str, str]:
    """`base` is the folder in which the tree before the change is laid out."""
    found = {REPOSITORY: str(repository)}
    style = formatter.style_of(
        {name: text for name in formatter.CONFIGURATION if (text := _text(base, name))}
    )
    if style is not None:
        found[formatter.OPTION] = codec.encode(style)
    return found


def _text(base: Path, name: str) -> str:
    try:
        data = read_below(base, name, MAX_BYTES)
    except OSError:
        return ""
    return data.decode("utf8", "replace") if len(data) <= MAX_BYTES else ""
