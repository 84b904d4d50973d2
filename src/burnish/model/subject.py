"""What a review looks at: the files of one tree, and what they were before."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property


class ReviewMode(StrEnum):
    SESSION = "session"
    MODULE = "module"


class FileStatus(StrEnum):
    ADDED = "added"
    MODIFIED = "modified"
    RENAMED = "renamed"
    DELETED = "deleted"
    UNCHANGED = "unchanged"


@dataclass(frozen=True)
class SubjectFile:
    """A file to review; `lines` is how long it is."""

    path: str
    status: FileStatus = FileStatus.UNCHANGED
    old_path: str = ""
    lines: int = 0


@dataclass(frozen=True)
class NotReviewed:
    """A file that nobody looked at, and why (binary, generated, huge, not UTF-8, not parseable, ...)."""

    path: str
    why: str


@dataclass(frozen=True)
class Subject:
    """One tree under review. `base_tree` is empty where there is nothing to compare with (module mode).

    `files` are all files to look at, deleted ones included; `title` says in words what this is.
    """

    mode: ReviewMode
    title: str
    tree: str
    base_tree: str = ""
    base: str = ""
    head: str = ""
    files: tuple[SubjectFile, ...] = ()
    skipped: tuple[NotReviewed, ...] = ()
    patterns: tuple[str, ...] = ()
    insertions: int = 0
    deletions: int = 0

    @cached_property
    def present(self) -> tuple[str, ...]:
        """The paths that can be read in `tree`."""
        return tuple(file.path for file in self.files if file.status is not FileStatus.DELETED)

    @cached_property
    def deleted(self) -> tuple[str, ...]:
        return tuple(file.path for file in self.files if file.status is FileStatus.DELETED)
