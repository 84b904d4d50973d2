"""Which files of a working tree go into a snapshot, and which are left out and why."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from burnish.git.blobs import blob_name
from burnish.git.call import Git, Place
from burnish.git.names import means_git, shown
from burnish.model.change import Dropped

MAX_FILE_BYTES = 50 * 1024 * 1024
MAX_NAMED = 200
LISTING_TIMEOUT_S = 120.0
GITLINK = b"160000"
# Rendered artifacts of ours in the user's repository are never part of a snapshot.
OWN_FOLDER = b".burnish"
NESTED = "a repository inside the tree"
DISGUISED = "a name that means .git on some system"
SPECIAL = "not a regular file"


@dataclass(frozen=True)
class Tracked:
    """One entry of an index; `tag` is git's own letter (`S` is one that a sparse checkout leaves out)."""

    path: bytes
    mode: bytes
    object: str
    stage: int
    tag: bytes


@dataclass(frozen=True)
class Listing:
    """`changed` are the tracked paths git itself sees a difference in; None means that nobody asked."""

    tracked: tuple[Tracked, ...]
    others: tuple[bytes, ...]
    changed: frozenset[bytes] | None = None


@dataclass
class Sorted:
    """What to put into the index, what to take out of it, and what was refused."""

    take: list[bytes] = field(default_factory=list)
    remove: list[bytes] = field(default_factory=list)
    dropped: dict[bytes, str] = field(default_factory=dict)

    def named(self) -> tuple[Dropped, ...]:
        return named(self.dropped)


def named(dropped: dict[bytes, str]) -> tuple[Dropped, ...]:
    """At most 200 of them: a flood must not fill the database."""
    found = [
        Dropped(shown(path), why)
        for path, why in sorted(dropped.items())
        if path.removesuffix(b".git") not in dropped or not path.endswith(b"/.git")
    ]
    if len(found) > MAX_NAMED:
        rest = len(found) - MAX_NAMED
        found = [*found[:MAX_NAMED], Dropped("…", f"and {rest} more")]
    return tuple(found)


async def list_index(git: Git, place: Place) -> tuple[Tracked, ...]:
    """The index's entries; the working tree is not looked at."""
    return parse_listing(await git("ls-files", "-z", "-c", "-s", "-t", at=place)).tracked


async def list_files(git: Git, place: Place, excludes: Iterable[Path], *, changed: bool) -> Listing:
    """The index's entries, which of them `changed` if asked, and files beside them that are not ignored."""
    wanted: list[str | Path] = [
        "-o",
        "--exclude-per-directory=.gitignore",
        f"--exclude=/{OWN_FOLDER.decode()}/",
    ]
    if changed:
        wanted.append("-m")
    for path in excludes:
        wanted += ["-X", path]
    # Nothing honest takes this long; what a pipe named .gitignore does is found out sooner (pipes.py).
    limit = min(git.timeout_s, LISTING_TIMEOUT_S)
    out = await git("ls-files", "-z", "-c", "-s", "-t", *wanted, at=place, timeout_s=limit)
    listing = parse_listing(out)
    return listing if changed else replace(listing, changed=None)


def parse_listing(out: bytes) -> Listing:
    """Records of `ls-files -z -s -t`: git's letter, for tracked ones mode, object and stage, and the path."""
    tracked, others, changed = [], [], set()
    for record in out.split(b"\0"):
        tag, _, rest = record.partition(b" ")
        if tag == b"?":
            others.append(rest)
        elif tag == b"C":
            changed.add(rest.partition(b"\t")[2])
        elif record:
            about, _, path = rest.partition(b"\t")
            mode, name, stage = about.split(b" ")
            tracked.append(Tracked(path, mode, name.decode(), int(stage), tag))
    return Listing(tuple(tracked), tuple(others), frozenset(changed))


class Sorter:
    """Looks at each listed path on disk, never through a symlink, and decides."""

    def __init__(self, root: Path, max_file_bytes: int = MAX_FILE_BYTES) -> None:
        self._root = os.fsencode(root) + b"/"
        self._max = max_file_bytes
        self._real: dict[bytes, bool] = {b"": True}
        self.sorted = Sorted()

    def sort(self, listing: Listing) -> Sorted:
        gitlinks = {entry.path for entry in listing.tracked if entry.mode == GITLINK}
        for path, entry in {entry.path: entry for entry in listing.tracked}.items():
            if path.startswith(OWN_FOLDER + b"/"):
                continue
            # An unchanged file needs no look, unless it was reached by way of a symlink.
            if (
                listing.changed is None
                or path in listing.changed
                or not self._is_real(path.rpartition(b"/")[0])
            ):
                self._tracked(path, entry)
        for path in listing.others:
            self._other(path, gitlinks)
        return self.sorted

    def _tracked(self, path: bytes, entry: Tracked) -> None:
        info = self._look(path)
        if info is None:
            self.sorted.remove.append(path)
        elif stat.S_ISDIR(info.st_mode):
            # A submodule's folder is not ours to look into; any other folder took the file's place.
            if entry.mode != GITLINK:
                self.sorted.remove.append(path)
        else:
            self._file(path, info, entry.object)

    def _other(self, path: bytes, gitlinks: set[bytes]) -> None:
        disguised = _disguised(path)
        inside = next((up for up in _parents(path) if up in gitlinks), None)
        if disguised:
            self.sorted.dropped[disguised] = DISGUISED
        elif path.endswith(b"/"):
            self.sorted.dropped[path] = NESTED
        elif inside:
            self.sorted.dropped[inside + b"/"] = "files inside a submodule"
        elif info := self._look(path):
            self._file(path, info, "")

    def _file(self, path: bytes, info: os.stat_result, known: str) -> None:
        """`known` is the object the index has for a tracked file."""
        if stat.S_ISREG(info.st_mode) and info.st_size > self._max:
            if not known or known != blob_name(self._path(path), "sha1" if len(known) == 40 else "sha256"):
                kept = "; kept as it was" if known else ""
                self.sorted.dropped[path] = f"larger than {self._max / (1024 * 1024):g} MB{kept}"
        elif stat.S_ISREG(info.st_mode) or stat.S_ISLNK(info.st_mode):
            self.sorted.take.append(path)
        else:
            self.sorted.dropped[path] = SPECIAL
            if known:
                self.sorted.remove.append(path)

    def _path(self, path: bytes) -> Path:
        return Path(os.fsdecode(self._root + path))

    def _look(self, path: bytes) -> os.stat_result | None:
        """None when there is nothing at the path, or only by way of a symlink."""
        if not self._is_real(path.rpartition(b"/")[0]):
            return None
        try:
            return os.lstat(self._root + path)
        except OSError:
            return None

    def _is_real(self, folder: bytes) -> bool:
        """Every part of it is a real folder."""
        known = self._real.get(folder)
        if known is None:
            known = self._is_real(folder.rpartition(b"/")[0])
            if known:
                try:
                    known = stat.S_ISDIR(os.lstat(self._root + folder).st_mode)
                except OSError:
                    known = False
            self._real[folder] = known
        return known


def _parents(path: bytes) -> Iterable[bytes]:
    while path := path.rpartition(b"/")[0]:
        yield path


def _disguised(path: bytes) -> bytes | None:
    """The part of a path up to a name that means .git."""
    parts = path.rstrip(b"/").split(b"/")
    for count, part in enumerate(parts, 1):
        if means_git(part):
            return b"/".join(parts[:count])
    return None
