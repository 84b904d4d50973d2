"""Editing a file of a workspace: nothing outside of it is reached, and all but the repair stays as it was."""

from __future__ import annotations

import codecs
import io
import os
import secrets
import stat
import tokenize
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from burnish.errors import WorkspaceError

MAX_BYTES = 4 * 1024 * 1024
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@dataclass(frozen=True)
class Text:
    """A file's text with all that is needed to write it back as it was; lines keep their own ends."""

    name: str
    text: str
    encoding: str
    bom: bytes
    mode: int
    data: bytes

    @property
    def newline(self) -> str:
        return "\r\n" if "\r\n" in self.text else "\n"

    def encoded(self, text: str) -> bytes:
        return self.bom + text.encode(self.encoding)


def read_text(workspace: Path, name: str) -> Text:
    """A regular file of the workspace; raises WorkspaceError for anything else, whatever the name says."""
    with _parent(workspace, name) as (folder, last):
        try:
            handle = os.open(last, _FILE, dir_fd=folder)
        except OSError as error:
            raise _refused(name, error.strerror or "it cannot be opened") from None
        try:
            about = os.fstat(handle)
            if not stat.S_ISREG(about.st_mode):
                raise _refused(name, "it is not a regular file")
            if about.st_size > MAX_BYTES:
                raise _refused(name, f"it is larger than {MAX_BYTES // 1024 // 1024} MB")
            with os.fdopen(handle, "rb", closefd=False) as file:
                data = file.read(MAX_BYTES + 1)
        finally:
            os.close(handle)
    bom = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    encoding = _encoding(name, data)
    try:
        text = data[len(bom) :].decode(encoding)
    except UnicodeDecodeError:
        raise _refused(name, f"it is not {encoding}") from None
    return Text(name, text, encoding, bom, stat.S_IMODE(about.st_mode), data)


def write_text(workspace: Path, before: Text, text: str) -> bool:
    """Replace the file that `before` was read from, whole or not at all; False when nothing changes.

    A new file takes its place, so another name of the old one (a hard link) keeps the old content.
    """
    if text == before.text:
        return False
    try:
        data = before.encoded(text)
    except UnicodeEncodeError:
        raise _refused(before.name, f"the repair cannot be written as {before.encoding}") from None
    if read_text(workspace, before.name).data != before.data:
        raise _refused(before.name, "it changed while it was being repaired")
    with _parent(workspace, before.name) as (folder, last):
        fresh = f".burnish-{secrets.token_hex(8)}"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        handle = os.open(fresh, flags, 0o600, dir_fd=folder)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                os.fchmod(file.fileno(), before.mode & 0o777)
            os.replace(fresh, last, src_dir_fd=folder, dst_dir_fd=folder)
        except OSError:
            with suppress(OSError):
                os.unlink(fresh, dir_fd=folder)
            raise
    return True


@contextmanager
def _parent(workspace: Path, name: str) -> Iterator[tuple[int, str]]:
    """The folder of a file, opened step by step so that no symlink is followed; and the file's last name."""
    parts = PurePosixPath(name).parts
    if not name or name.startswith("/") or ".." in parts or "\0" in name or not parts:
        raise _refused(name, "its path leads out of the workspace")
    if any(part.lower() == ".git" for part in parts):
        raise _refused(name, "it belongs to git")
    folder = os.open(workspace, _FOLDER)
    try:
        for part in parts[:-1]:
            try:
                inner = os.open(part, _FOLDER, dir_fd=folder)
            except OSError as error:
                why = "a folder on its path is a symlink or no folder" if error.errno else "it is not there"
                raise _refused(name, why) from None
            os.close(folder)
            folder = inner
        yield folder, parts[-1]
    finally:
        os.close(folder)


def _encoding(name: str, data: bytes) -> str:
    """UTF-8, but for Python what the file itself declares."""
    if not name.endswith((".py", ".pyi", ".pyw")):
        return "utf-8"
    try:
        found, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    except SyntaxError:
        raise _refused(name, "it declares an encoding that does not exist") from None
    return "utf-8" if found == "utf-8-sig" else found


def _refused(name: str, why: str) -> WorkspaceError:
    return WorkspaceError(f"{name!r} is not edited: {why}", hint="repair it by hand")
