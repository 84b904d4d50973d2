"""Odd repositories over a whole `burnish run`: they work, or are refused in one sentence; no traceback ever."""

from __future__ import annotations

import os
import random
import shutil
import time
from collections.abc import Callable
from pathlib import Path

from tests.cli import TIMEOUT_S as DESK_TIMEOUT_S
from tests.integration.git.test_odd_repositories import REFUSED, WORK, plain
from tests.repos import TestRepo, make_repo, run_git

from chaos._desk import APPROVES, Desk, at_home, each, ended
from chaos.section import Setting, Tally

WRITES = "Path('result.py').write_text('# good\\n')\n"
# Seven files of lines that no two have in common, 26 MB in all.
WRITES_MUCH = WRITES + (
    "for n in range(7):\n    Path(f'big{n}.py').write_text(''.join(f'x{n}_{i} = {i * 7919}\\n' for i in range(170_000)))\n"
)
MUCH_BYTES = 26_000_000
TIMEOUT_S = 1200
NOBODY = 65534
TOOK_S: list[float] = []


def a_hundred_thousand_files(folder: Path) -> TestRepo:
    user = make_repo(folder / "user", {"app.py": "one\n"})
    lines = "".join(f"M 100644 inline m{n % 300}/f{n}.py\ndata {len(str(n))}\n{n}\n" for n in range(100_000))
    head = "commit refs/heads/main\ncommitter A <a@example.invalid> 1700000000 +0000\ndata 4\nmany\n"
    user.git("fast-import", "--quiet", stdin=f"{head}from refs/heads/main^0\n{lines}".encode())
    user.git("reset", "-q", "--hard")
    return user


def owned_by_another_user(folder: Path) -> TestRepo:
    """Plain git refuses to work there; only root can make one."""
    user = plain(folder)
    for path in (user.path, *user.path.rglob("*")):
        os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
    return user


HUGE: dict[str, Callable[[Path], TestRepo]] = {
    "100,000 files": a_hundred_thousand_files,
    "a diff of 26 MB": plain,
}
OWNED = {"owned by another user": owned_by_another_user}


def section(setting: Setting, tally: Tally) -> None:
    working: dict[str, Callable[[Path], TestRepo]] = {**WORK, **(OWNED if os.geteuid() == 0 else {}), **HUGE}
    known: dict[str, Callable[[Path], TestRepo | Path]] = {**working}
    known |= {build.__name__.replace("_", " "): build for build in REFUSED}
    chosen = list(known)
    if setting.short:
        small = [name for name in chosen if name not in HUGE]
        chosen = [*random.Random(setting.seed).sample(small, 2), "pipe as ignore file", *OWNED.keys() & known]
    folders = {name: setting.folder / f"odd{number}" for number, name in enumerate(known)}
    with at_home(setting.folder):
        each(
            tally,
            chosen,
            lambda name: _tried(name, known[name], folders[name], must_work=name in working),
        )
    tally.note(f"{len(working)} that must work and stay as they were, {len(REFUSED)} that must be refused")
    if os.geteuid():
        tally.note("skipped: a repository owned by another user, which only root can make")
    pipes = sum(name.startswith("pipe") for name in known)
    tally.note(
        f"{pipes} of them are named pipes where git or Burnish expects a file; slowest end {max(TOOK_S):.1f} s"
    )


def _tried(name: str, build: Callable[[Path], TestRepo | Path], folder: Path, *, must_work: bool) -> str:
    (folder / "made").mkdir(parents=True)
    made = build(folder / "made")
    user = made if isinstance(made, TestRepo) else TestRepo(made)
    desk = Desk(folder, user, TIMEOUT_S if name in HUGE else DESK_TIMEOUT_S)
    began = time.monotonic()
    try:
        return _worked(name, desk) if must_work else _refused(desk)
    finally:
        if name.startswith("pipe"):
            TOOK_S.append(time.monotonic() - began)
        if name in HUGE:
            shutil.rmtree(folder)


def _refused(desk: Desk) -> str:
    """One sentence and perhaps a hint, at once or as the end of the run; a pass is the worst answer of all."""
    said = desk.run(implement=WRITES, review=APPROVES)
    outcome, reason, code = ended(said)
    lines = [line for line in said.err.splitlines() if line]
    at_once = outcome == "refused" and code in (1, 2) and 1 <= len(lines) <= 2 and lines[0].endswith(".")
    in_words = outcome == "failed" and code == 1 and bool(said.end["message"])
    return "" if at_once or in_words else f"{outcome} {reason}, exit {code}: {said.err[-300:]}"


def _worked(name: str, desk: Desk) -> str:
    user = desk.repo
    before = user.fingerprint()
    much = name == "a diff of 26 MB"
    said = desk.run(implement=WRITES_MUCH if much else WRITES, review=APPROVES)
    if ended(said) != ("passed", "review_passed", 0):
        return f"{ended(said)}: {said.err[-300:]}"
    after = user.fingerprint()
    changed = [path for path in before if after.get(path) != before[path]]
    changed += [path for path in after if path not in before and "burnish" not in path]
    if changed:
        return f"changed: {changed[:3]}"
    if not much:
        return ""
    size_bytes = len(run_git(user.path, "diff", "main", said.end["branch"]))
    return "" if size_bytes >= MUCH_BYTES else f"the diff has {size_bytes} bytes"
