"""What a session of `burnish spec` was asked to do: the document as it was read, and where all of it goes."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from burnish.app.spec_facts import Begun
from burnish.errors import UsageError
from burnish.repository_files import read_named
from burnish.sanitise import clean_line, decoded
from burnish.specs.document import MAX_CHARS, manifest_path, read_spec
from burnish.specs.manifest import MAX_CHARS as MAX_MANIFEST_CHARS
from burnish.specs.manifest import read_manifest, with_manifest
from burnish.specs.phase import Phase, Spec

# A character has at most four bytes in UTF-8.
_BYTES = 4


@dataclass(frozen=True)
class SpecPlan:
    """`path` is the document's, as people and prompts name it; `digest` tells whether it was edited since.

    `folder` is the session's below `.burnish/`; `base` the commit it began with, whose settings hold for all
    of it; `only` the phases asked for (none: all); `flags` are settings given with the command, by key;
    `first` is where signals left a phase whose journal is gone.
    """

    path: str
    spec: Spec
    digest: str
    folder: str
    branch: str
    base: str
    only: tuple[int, ...] = ()
    flags: Mapping[str, Any] = field(default_factory=dict)
    first: Mapping[int, Begun] = field(default_factory=dict)


@dataclass(frozen=True)
class Document:
    """A spec as it lies on disk now."""

    path: str
    spec: Spec
    digest: str


def read_document(root: Path, path: Path, *, number: str = "", phased: bool = False) -> Document:
    """The spec in a file of the user's, with the phases of its manifest where it has one."""
    shown = clean_line(str(path))
    text = text_of(root, path, f"the spec {shown}", MAX_CHARS * _BYTES)
    beside = path.parent / manifest_path(shown, text)
    planned = os.path.lexists(beside)
    spec = read_spec(shown, text, number=number, phased=phased and not planned)
    manifest = ""
    if planned:
        manifest = text_of(
            root, beside, f"the manifest {clean_line(str(beside))}", MAX_MANIFEST_CHARS * _BYTES
        )
        spec = with_manifest(shown, spec, read_manifest(str(beside), manifest))
    digest = hashlib.sha256(f"{text}\0{manifest}".encode("utf8", "surrogatepass")).hexdigest()
    return Document(relative(root, path), spec, digest)


def prompt_of(phase: Phase) -> str:
    """What a phase asks for, whole; the first line is what its commits and tables call it."""
    parts, said = [phase.name, phase.text.strip()], " ".join(phase.text.split())
    # A manifest has these beside the text, a document in it.
    for what, items in (("Success criteria", phase.criteria), ("Files it is about", phase.files)):
        if missing := [f"- {clean_line(one)}" for one in items if clean_line(one) not in said]:
            parts.append("\n".join((f"{what}:", *missing)))
    return "\n\n".join(part for part in parts if part)


def relative(root: Path, path: Path) -> str:
    """As a checkout of the repository has it, where it is in there."""
    found, top = path.resolve(), root.resolve()
    return found.relative_to(top).as_posix() if found.is_relative_to(top) else str(found)


def text_of(root: Path, path: Path, what: str, most: int) -> str:
    """A text file of the user's, of at most so many bytes; inside of the repository through no link."""
    try:
        if path.is_dir():
            raise UsageError(f"expected {what} to be a file, found a folder.", hint="name the document in it")
        data = read_named(root, path, most)
    except OSError as error:
        raise UsageError(f"{what} cannot be read: {error.strerror}.", hint="is the path right?") from None
    if len(data) > most:
        raise UsageError(f"{what} is larger than {most // 1024} KB.", hint="is this the right file?")
    if b"\0" in data:
        raise UsageError(f"{what} is not text.", hint="is this the right file?")
    return decoded(data)
