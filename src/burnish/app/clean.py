"""What `burnish clean` removes, and that it is done."""

from __future__ import annotations

import os
import time

from burnish.app.archive import Archive, open_archive
from burnish.git.files import read_small, remove_folder, trouble_told, write_atomically
from burnish.git.mirror import Mirror
from burnish.render.plain import count
from burnish.store.clock import SystemClock
from burnish.store.retention import Keep, Removal, execute, plan

MEGABYTE = 1024 * 1024
OLD_S = 24 * 3600


async def clean(*, days: int | None, dry_run: bool) -> list[str]:
    """One line for each thing removed (or that would be), and a sum."""
    with await open_archive() as archive:
        state = (await archive.place.settings(archive.place.repository.head)).settings.state
        limit = state.disk_limit_mb * MEGABYTE if state.disk_limit_mb else None
        keep = Keep(state.keep_days if days is None else days, limit)
        removals = plan(
            archive.database, keep, SystemClock().now(), lambda run: [archive.place.run_folder(run)]
        )
        orphans = _never_begun(archive)
        if not dry_run:
            await _carry_out(archive, removals, orphans)
    return _lines(removals + orphans, dry_run=dry_run)


def _never_begun(archive: Archive) -> tuple[Removal, ...]:
    """Folders of runs that were killed before they were recorded; young ones may be just beginning."""
    known = {view.id for view in archive.runs()}
    limit_s = time.time() - OLD_S
    found = archive.place.run_folder("r").parent.glob("r-*")
    left = [path for path in sorted(found) if path.name not in known and path.stat().st_mtime < limit_s]
    return tuple(Removal(path.name, "never got as far as being recorded", 0, (path,)) for path in left)


async def _carry_out(archive: Archive, removals: tuple[Removal, ...], orphans: tuple[Removal, ...]) -> None:
    """Once their rows are gone nothing else tells whose pins are left, so that is noted until it is done."""
    note = archive.place.mirror.with_name(f"{archive.place.mirror.name}.cleaning")
    told = read_small(note) or b""
    names = {*os.fsdecode(told).split(), *(removal.run for removal in removals + orphans)}
    if not names:
        return
    with trouble_told("noting which runs are removed"):
        write_atomically(note, "\n".join(sorted(names)).encode())
    execute(archive.database, removals)
    for orphan in orphans:
        remove_folder(orphan.folders[0])
    await _release(archive, names - {view.id for view in archive.runs()})
    note.unlink(missing_ok=True)


async def _release(archive: Archive, names: set[str]) -> None:
    """Give up the pins of the runs that are gone, then what nothing needs any more."""
    mirror = Mirror(archive.place.repository, archive.place.mirror)
    for name in sorted(names):
        await mirror.unpin(name)
    await mirror.prune()


def _lines(removals: tuple[Removal, ...], *, dry_run: bool) -> list[str]:
    verb = "would remove" if dry_run else "removed"
    lines = [f"{verb} {removal.run} ({_size(removal.size_bytes)}): {removal.why}" for removal in removals]
    total = _size(sum(removal.size_bytes for removal in removals))
    return [*lines, f"{verb} {count(len(removals), 'run')}, {total}" if removals else "nothing to remove"]


def _size(size_bytes: int) -> str:
    return f"{size_bytes / MEGABYTE:.1f} MB"
