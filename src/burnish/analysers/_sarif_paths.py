"""Which file of the tree a place in a SARIF file is about: addresses of any form, nothing outside."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

MAX_BASES = 10
MAX_CHARS = 4096
_DRIVE = re.compile(r"^/?[A-Za-z]:/")
_SCHEME = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]+:")


class Outside(Exception):
    """The place is not in the repository, or not a place at all."""


def path_of(location: Any, run: Mapping[str, Any], roots: tuple[str, ...]) -> str:
    """The path of an artifactLocation relative to the repository; raises Outside.

    `roots` are absolute folders that are the repository under one of its names.
    """
    entry = _as_dict(location)
    if not isinstance(entry.get("uri"), str):
        entry = _indexed(entry, run)
    uri = entry.get("uri")
    if not isinstance(uri, str) or not uri:
        raise Outside("it names no file")
    full = _joined(uri, entry.get("uriBaseId"), run)
    return _inside(full, (*roots, *_own_roots(run)))


def _joined(uri: str, base_id: Any, run: Mapping[str, Any]) -> str:
    """The address with its base in front; bases may have bases."""
    bases = _as_dict(run.get("originalUriBaseIds"))
    for _ in range(MAX_BASES):
        if _SCHEME.match(uri) or uri.startswith("/") or not isinstance(base_id, str):
            return uri
        base = _as_dict(bases.get(base_id))
        prefix = base.get("uri")
        if isinstance(prefix, str) and prefix:
            uri = prefix if not uri else prefix.rstrip("/") + "/" + uri
        base_id = base.get("uriBaseId")
    raise Outside("its bases go in circles")


def _inside(uri: str, roots: tuple[str, ...]) -> str:
    if len(uri) > MAX_CHARS or any(ord(character) < 32 for character in uri):
        raise Outside("its address has control characters or no end")
    if _SCHEME.match(uri) and not _DRIVE.match(uri):
        parts = urlsplit(uri)
        if parts.scheme.lower() != "file" or parts.netloc not in ("", "localhost"):
            raise Outside("it is not a file here")
        uri = parts.path
    path = unquote(uri).replace("\\", "/")
    if any(ord(character) < 32 for character in path) or "\ufffd" in path:
        raise Outside("its address has control characters")
    if not path.startswith("/") and not _DRIVE.match(path):
        return _relative(path)
    whole = posixpath.normpath(path)
    for root in roots:
        folder = posixpath.normpath(root)
        if folder != "/" and whole.startswith(folder + "/"):
            return _relative(whole[len(folder) + 1 :])
    raise Outside("it is outside the repository")


def _relative(path: str) -> str:
    normal = posixpath.normpath(path)
    if normal in (".", "") or normal.startswith(("../", "/")) or normal == "..":
        raise Outside("it is outside the repository")
    return normal


def _own_roots(run: Mapping[str, Any]) -> tuple[str, ...]:
    """Where the tool itself says that it worked."""
    said = [_as_dict(base).get("uri") for base in _as_dict(run.get("originalUriBaseIds")).values()]
    invocations = run.get("invocations")
    said += [
        _as_dict(_as_dict(invocation).get("workingDirectory")).get("uri")
        for invocation in (invocations if isinstance(invocations, list) else ())
    ]
    found = (unquote(urlsplit(uri).path) for uri in said if isinstance(uri, str) and _is_file(uri))
    return tuple(path for path in found if path.startswith("/") and path.count("/") > 1)


def _is_file(uri: str) -> bool:
    try:
        return urlsplit(uri).scheme.lower() == "file"
    except ValueError:
        return False


def _indexed(entry: Mapping[str, Any], run: Mapping[str, Any]) -> Mapping[str, Any]:
    """An artifactLocation may only say which of the run's artifacts it is."""
    index, artifacts = entry.get("index"), run.get("artifacts")
    if isinstance(index, int) and isinstance(artifacts, list) and 0 <= index < len(artifacts):
        return _as_dict(_as_dict(artifacts[index]).get("location"))
    return entry


def _as_dict(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
