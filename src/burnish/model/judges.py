"""Which files judge a change, and the tree that a gate judges."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Judges:
    """Which files judge a change, as git's globs over the whole path; a folder's name stands for all in it.

    `whole` come from the base. Of `parts` only what judges does: `merge(path, old, new)` gives the text, None
    for the base's own or for no file. `intruders` are judges only where the base does not have them.
    `extends(path, old, new)` tells an edit that only adds tests from one that takes something away.
    Of `documented` stays what it is, unless it does not keep its examples: `keeps(path, old, new)`, where the
    change has no such file when `new` is None.
    """

    whole: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    intruders: tuple[str, ...] = ()
    merge: Callable[[str, bytes | None, bytes], bytes | None] | None = None
    extends: Callable[[str, bytes, bytes], bool] | None = None
    documented: tuple[str, ...] = ()
    keeps: Callable[[str, bytes, bytes | None], bool] | None = None


@dataclass(frozen=True)
class Judged:
    """A tree with the base's judges in it, and which of them the change `edited`, `extended` or brought.

    `intruders` are those of the `new` that would run instead of the gate's own programs. `unkept` are files
    of the change's own that do not keep the examples of the base.
    """

    tree: str
    edited: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    extended: tuple[str, ...] = ()
    intruders: tuple[str, ...] = ()
    unkept: tuple[str, ...] = ()
