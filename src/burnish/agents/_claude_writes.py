"""What Claude's own tools have written into one file, by what its stream tells of them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from burnish.agents import _json_lines as lines


class ClaudeWrites:
    """Follows the calls of its file tools for one file. Only calls that came back without an error count."""

    def __init__(self, path: Path) -> None:
        self._names = {str(path), os.path.realpath(path)}
        self._asked: dict[str, dict[str, Any]] = {}
        self._text: str | None = None

    def asked(self, block: dict[str, Any]) -> None:
        """A block of the kind `tool_use`."""
        given = lines.inner(block, "input")
        if lines.text(given, "file_path") in self._names:
            self._asked[lines.text(block, "id")] = block

    def answered(self, block: dict[str, Any]) -> None:
        """A block of the kind `tool_result`."""
        asked = self._asked.pop(lines.text(block, "tool_use_id"), None)
        if asked is None or block.get("is_error") is True:
            return
        given, tool = lines.inner(asked, "input"), lines.text(asked, "name")
        if tool == "Write":
            self._text = lines.text(given, "content")
        elif tool == "Edit" and self._text is not None:
            old, new = lines.text(given, "old_string"), lines.text(given, "new_string")
            every = given.get("replace_all") is True
            self._text = self._text.replace(old, new) if every else self._text.replace(old, new, 1)

    def text(self) -> str | None:
        """None where it has not written the file by its own tools."""
        return self._text
