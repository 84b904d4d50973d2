"""A configuration file as nested data, and the line something stands on."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from burnish.errors import UsageError
from burnish.sanitise import clean_line

MAX_BYTES = 64 * 1024
# YAML takes ten times as long to read as TOML.
MAX_YAML_BYTES = 8 * 1024
MAX_DOTS = 200
TOML_NAME, YAML_NAME = "burnish.toml", "burnish.yaml"

_HEADER = re.compile(r"\s*\[([^\[\]]+)\]\s*(?:#.*)?$")
_KEY = re.compile(r"\s*([A-Za-z0-9_.\"' -]+?)\s*=")


def user_folder(environ: Mapping[str, str]) -> Path:
    """Where the user's own burnish.toml is."""
    chosen = Path(environ.get("XDG_CONFIG_HOME", ""))
    if chosen.is_absolute():
        return chosen / "burnish"
    from platformdirs import user_config_path

    return user_config_path("burnish")


@dataclass(frozen=True)
class ConfigFile:
    """A file's content with the name to call it by (`burnish.toml at 1a2b3c4`, `user file /home/...`)."""

    name: str
    data: bytes
    yaml: bool = False


@dataclass(frozen=True)
class Document:
    """What a file holds; `lines` says where each key stands, as far as that is known."""

    content: dict[str, Any]
    lines: dict[str, int]


def read(file: ConfigFile) -> Document:
    """Decode a file; whatever is in it, the answer is a document or a UsageError."""
    most = MAX_YAML_BYTES if file.yaml else MAX_BYTES
    if len(file.data) > most:
        size_kb = most // 1024
        raise UsageError(
            f"{file.name} is larger than {size_kb} KB; a configuration has no need for that",
            hint="is this the right file?",
        )
    try:
        text = file.data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        byte = f"0x{file.data[error.start]:02x} at offset {error.start}"
        raise UsageError(
            f"{file.name} must be UTF-8 text, found the byte {byte}", hint="save it again as UTF-8"
        ) from None
    try:
        if file.yaml:
            from burnish.config.yaml_file import parse

            return Document(*parse(text))
        return Document(toml(text), _toml_lines(text))
    except RecursionError:
        raise UsageError(f"{file.name} is nested too deeply to be a configuration") from None
    except ValueError as error:
        language = "YAML" if file.yaml else "TOML"
        raise UsageError(
            f"{file.name} is not valid {language}: {clean_line(str(error))}",
            hint="correct that place in the file",
        ) from None


def toml(text: str) -> dict[str, Any]:
    """TOML without keys of thousands of parts: reading one takes the square of its length."""
    if any(part.count(".") > MAX_DOTS for part in re.split(r"[=\n]", text)):
        raise ValueError(f"a key of more than {MAX_DOTS} parts")
    return tomllib.loads(text.replace("\r\n", "\n"))


def _toml_lines(text: str) -> dict[str, int]:
    """Good enough for a message: the first line that looks like it sets a key or opens a table."""
    found: dict[str, int] = {}
    table = ""
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            table = _plain(header[1])
            found.setdefault(table, number)
        elif key := _KEY.match(line):
            name = _plain(key[1])
            found.setdefault(f"{table}.{name}" if table else name, number)
    return found


def _plain(name: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in name.split("."))
