"""What meddling leaves on disk that no tree or ref shows: index, locks, objects, ignored files, our state."""

from __future__ import annotations

import hashlib
import os
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from burnish.git import other_checkouts
from burnish.git.files import open_regular
from burnish.git.index_file import index_entries
from burnish.git.names import shown
from burnish.git.repository import Repository
from burnish.git.run_store import RunStore

# Enough for most checkouts; a look at more would cost more than it is worth.
MAX_FILES = 20_000
MAX_READ_BYTES = 64 * 1024 * 1024
MOST_NAMED = 3
# What comes and goes in our folder of a repository while runs of ours work there.
_OURS = (
    "burnish.db",
    "mirror.git",
    "runs",
    "receipts",
    "merge-line",
    "build.lock",
    "slots.lock",
    "spec.lock",
)
Signature = tuple[int, int, int, int]


@dataclass(frozen=True)
class Traces:
    """`files` are all of the checkout, by path, with what changes whenever somebody writes to one."""

    index: bytes = b""
    locks: frozenset[str] = frozenset()
    objects: frozenset[bytes] = frozenset()
    reflogs: dict[bytes, int] = field(default_factory=dict)
    files: dict[bytes, Signature] = field(default_factory=dict)
    state: dict[str, str] = field(default_factory=dict)
    checkouts: dict[str, str] = field(default_factory=dict)


def look(repository: Repository, store: RunStore) -> Traces:
    state = store.git.config.parent.parent
    folders = dict.fromkeys((repository.git_dir, repository.common_dir))
    return Traces(
        index=_bytes(repository.git_dir / "index"),
        locks=frozenset(name for folder in folders for name in _locks(folder)),
        objects=frozenset(_objects(os.fsencode(repository.common_dir / "objects"))),
        reflogs=_sizes(repository.common_dir / "logs"),
        files=_signatures(repository.root, state),
        state=dict(_state(state, store)),
        checkouts=other_checkouts.look(repository),
    )


def differences(before: Traces, after: Traces, object_bytes: int) -> list[str]:
    """One short phrase for each kind of thing that is not as it was; ignored files are told apart later."""
    old, new = before.checkouts, after.checkouts
    found = [
        f"{name} {_became(name, old, new)}" for name in sorted(old | new) if old.get(name) != new.get(name)
    ]
    found += [f"the lock {name} was left in .git" for name in sorted(after.locks - before.locks)]
    if touched := _index_changes(before.index, after.index, object_bytes):
        found.append(f"the index ({touched}) changed")
    gone = len(before.objects - after.objects)
    if gone:
        found.append(f"{gone} object file(s) in .git were repacked or pruned (git gc)")
    cut = [name for name, size in before.reflogs.items() if after.reflogs.get(name, 0) < size]
    found += [f"the reflog of {shown(name)} was cut" for name in cut[:MOST_NAMED]]
    for name in sorted(before.state.keys() | after.state.keys()):
        # Other runs end meanwhile and leave receipts; none of them touches one that is there.
        if before.state.get(name) != after.state.get(name) and (
            name in before.state or "receipts" not in name
        ):
            what = _became(name, before.state, after.state)
            found.append(f"{name} in Burnish's own state folder {what}")
    return found


def _became(name: str, before: dict[str, str], after: dict[str, str]) -> str:
    return "is gone" if name not in after else "changed" if name in before else "appeared"


def touched_files(before: Traces, after: Traces) -> list[bytes]:
    """Paths of the checkout that somebody wrote, made or removed; what lies beyond the bound is not known."""
    old, new = before.files, after.files
    changed = [path for path in old if path in new and old[path] != new[path]]
    if len(old) < MAX_FILES and len(new) < MAX_FILES:
        changed += old.keys() ^ new.keys()
    return sorted(changed)


def some(names: Iterable[bytes]) -> str:
    """The first few of them, and how many more there are."""
    listed = [shown(name) for name in names]
    more = f" and {len(listed) - MOST_NAMED} more" if len(listed) > MOST_NAMED else ""
    return f"{', '.join(listed[:MOST_NAMED])}{more}"


def digest(path: Path) -> str:
    """A hash of a file or of where a link leads; empty when there is neither."""
    try:
        data = os.readlink(path).encode() if path.is_symlink() else _bytes(path)  # noqa: PTH115
    except OSError:
        return ""
    return hashlib.sha256(data).hexdigest() if os.path.lexists(path) else ""


def _index_changes(before: bytes, after: bytes, object_bytes: int) -> str:
    """Dates of files alone are no change: any `git status` of the user's renews them."""
    if before == after:
        return ""
    old, new = index_entries(before, object_bytes), index_entries(after, object_bytes)
    if old is None or new is None:
        return "all of it"
    return some(sorted({key[0] for key in old.keys() | new.keys() if old.get(key) != new.get(key)}))


def _bytes(path: Path) -> bytes:
    file = open_regular(path)
    if file is None:
        return b""
    with file:
        return file.read(MAX_READ_BYTES)


def _entries(folder: bytes) -> list[os.DirEntry[bytes]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []


def _walk(top: bytes, *, skip: frozenset[bytes] = frozenset()) -> Iterator[os.DirEntry[bytes]]:
    """What is no folder, breadth first, at most MAX_FILES of it."""
    waiting, left = deque([top]), MAX_FILES
    while waiting and left > 0:
        for entry in _entries(waiting.popleft()):
            if entry.is_dir(follow_symlinks=False):
                if entry.name != b".git" and entry.path not in skip:
                    waiting.append(entry.path)
            elif left > 0:
                left -= 1
                yield entry


def _locks(git_dir: Path) -> Iterator[str]:
    top = os.fsencode(git_dir)
    found = [entry.path for entry in _entries(top) if entry.name.endswith(b".lock")]
    found += [entry.path for entry in _walk(top + b"/refs") if entry.name.endswith(b".lock")]
    return (shown(path.removeprefix(top + b"/")) for path in found)


def _objects(folder: bytes) -> Iterator[bytes]:
    """Names of packs and of loose objects, at most MAX_FILES of these."""
    yield from (entry.name for entry in _entries(folder + b"/pack") if entry.name.endswith(b".pack"))
    left = MAX_FILES
    for part in _entries(folder):
        if len(part.name) == 2 and left > 0:
            listed = _entries(part.path)
            left -= len(listed)
            yield from (part.name + entry.name for entry in listed if not entry.name.startswith(b"tmp_"))


def _sizes(logs: Path) -> dict[bytes, int]:
    top = os.fsencode(logs)
    return {path.removeprefix(top + b"/"): mark[1] for path, mark in _marks(_walk(top))}


def _signatures(root: Path, state: Path) -> dict[bytes, Signature]:
    top = os.fsencode(root)
    skip = frozenset((top + b"/.burnish", os.fsencode(state)))
    return {path.removeprefix(top + b"/"): mark for path, mark in _marks(_walk(top, skip=skip))}


def _marks(entries: Iterable[os.DirEntry[bytes]]) -> Iterator[tuple[bytes, Signature]]:
    """Nobody but the system sets a file's ctime, so a forged date does not help."""
    for entry in entries:
        try:
            info = entry.stat(follow_symlinks=False)
        except OSError:
            continue
        yield entry.path, (info.st_mode, info.st_size, info.st_ctime_ns, info.st_ino)


def _state(state: Path, store: RunStore) -> Iterator[tuple[str, str]]:
    """Files of ours that nothing of ours writes while an agent works; the database is not among them."""
    mirror, own = store.mirror.folder, store.git_dir
    watched = [path for path in _children(state) if not path.is_dir()]
    watched += [path for path in _children(mirror.parent) if not path.name.startswith(_OURS)]
    watched += [store.git.config, *(git / name for git in (mirror, own) for name in ("config", "HEAD"))]
    watched += [own / "objects/info/alternates", mirror / "objects/info/alternates"]
    for refs in (own / "refs", mirror / "refs/burnish/base" / store.folder.name):
        watched += [Path(os.fsdecode(entry.path)) for entry in _walk(os.fsencode(refs))]
    for path in watched:
        if found := digest(path):
            yield _name(path, state), found
    for name in (mirror, mirror.parent / "burnish.db"):
        if name.exists():
            yield _name(name, state), "there"
    receipts = os.fsencode(mirror.parent / "receipts")
    yield from ((_name(Path(os.fsdecode(path)), state), str(mark)) for path, mark in _marks(_walk(receipts)))


def _children(folder: Path) -> list[Path]:
    return [Path(os.fsdecode(entry.path)) for entry in _entries(os.fsencode(folder))]


def _name(path: Path, state: Path) -> str:
    return shown(os.fsencode(path.relative_to(state) if path.is_relative_to(state) else path.name))
