"""The control of the hostile repository: plain git, used the way people use it, walks into the same traps."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

from tests.integration.git.hostile import Traps
from tests.repos import git_env

MAKING = (
    "git init -q -b main far; git -C far commit -q --allow-empty -m far; git init -q -b main user; cd user;"
    "printf '*.evil filter=evil diff=evil merge=evil\\n*.long filter=long diff=evil2\\n' > .gitattributes;"
    "for name in app.py a.evil b.long; do echo 1 > $name; done; git add .; git commit -qm one;"
    "git commit -q --allow-empty -m two"
)
TIMEOUT_S = 5
# Without the signature that the traps demand and cannot give, so that the others are reached.
UNSIGNED = "git -c commit.gpgSign=false -c tag.gpgSign=false"
QUIET = "git -c commit.gpgSign=false -c diff.external= -c core.fsmonitor=false"
DEEDS = (
    "git commit -q --allow-empty -m signed",
    "git -c gpg.format=ssh -c user.signingKey=key commit -q --allow-empty -m signed",
    "git status; echo 2 > a.evil; echo 2 > b.long; git diff; git -c diff.external= diff; git log -p -1 --ext-diff",
    "git add -A; git checkout -q -- .; rm a.evil; git checkout -q -- a.evil; git burn",
    f"{UNSIGNED} commit -q --allow-empty; {UNSIGNED} commit -q --amend -m two",
    f"{QUIET} checkout -q -b side; echo s > a.evil; {QUIET} commit -qam s; {QUIET} checkout -q main; echo m > a.evil;"
    f"{QUIET} commit -qam m; {QUIET} merge -q side -m merged",
    f"{QUIET} checkout -q -b ff; {QUIET} commit -q --allow-empty -m ff; {QUIET} checkout -q main; {QUIET} merge -q ff",
    f"{QUIET} checkout -q -b other main~1; echo o > o; {QUIET} add o; {QUIET} commit -qm o; {QUIET} rebase -q -i main",
    f"{QUIET} format-patch -q -1 other --stdout > p; {QUIET} checkout -q main; {QUIET} am -q p",
    "printf 'protocol=https\\nhost=example.invalid\\n\\n' | git credential fill",
    "printf 'protocol=https\\nhost=example.invalid\\n\\n' | git -c credential.helper= credential fill",
    "git ls-remote ssh://example.invalid/x; git ls-remote git://example.invalid/x; git ls-remote origin",
    "git -c remote.origin.vcs= fetch -q origin",
    "git -c remote.here.url=$PWD/../far fetch -q here; git -c remote.here.url=$PWD/../far push -q here HEAD:refs/heads/x",
    "git fetch -q ../far; git fetch -q --upload-pack=git-upload-pack ../far",
    "git -c diff.external= difftool -y -t evil HEAD~1; git mergetool -t evil",
    "echo 3 > app.py; echo y | git -c color.ui=always -c diff.external= add -p",
    "printf 'x\\n\\nevil: 1\\n' | git interpret-trailers --trailer evil=2",
    "git -c gc.auto=1 -c gc.autoDetach=false gc --auto -q",
    "git help -w status; git -c help.format=man -c man.viewer=evil help status",
    "git submodule update --remote --force",
)


def walked_into(traps: Traps, places: dict[str, Path], hooks: list[Path], folder: Path) -> int:
    """How many of the traps plain git springs, each place of settings and of hooks by itself."""
    traps.clear()
    for number, settings in enumerate(places.values()):
        _live(_repository(folder / f"settings{number}"), {"GIT_CONFIG_GLOBAL": os.fspath(settings)})
    for number, place in enumerate(hooks):
        config = folder / f"hooks{number}.config"
        config.write_text(f"[core]\n\thooksPath = {place}\n[receive]\n\tprocReceiveRefs = refs/heads/x\n")
        _live(_repository(folder / f"hooks{number}"), {"GIT_CONFIG_GLOBAL": os.fspath(config)})
    return len(traps.sprung)


def _repository(folder: Path) -> Path:
    """Made without any of the traps; beside it, one to fetch from and push to."""
    folder.mkdir(parents=True)
    _done(["sh", "-c", MAKING], folder, {"GIT_CONFIG_GLOBAL": os.devnull})
    assert (folder / "user/.git/index").is_file(), "the repository of the control was not made"
    return folder / "user"


def _live(user: Path, env: dict[str, str]) -> None:
    """What fails fails: a trap that was sprung is all that counts."""
    for deed in DEEDS:
        _done(["sh", "-c", deed], user, env)
    master, slave = pty.openpty()
    try:
        for words in ("log -1", "diff HEAD~1"):
            _done(["git", *words.split()], user, env, stdout=slave)
    finally:
        os.close(slave)
        os.close(master)


def _done(command: list[str], cwd: Path, env: dict[str, str], stdout: int = subprocess.DEVNULL) -> None:
    """Some traps answer as nobody should and git waits for more: all of it ends with the time it has."""
    child = subprocess.Popen(
        command,
        cwd=cwd,
        env={**git_env(), **env, "TERM": "dumb"},
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    with suppress(subprocess.TimeoutExpired):
        child.wait(TIMEOUT_S)
    with suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()
