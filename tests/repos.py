"""Real git repositories for tests: fixed people and dates, nothing of this machine's own git settings."""

from __future__ import annotations

import hashlib
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

AUTHOR = {"NAME": "Ada Tester", "EMAIL": "ada@example.com", "DATE": "2026-01-02T03:04:05+00:00"}
Files = Mapping[str | bytes, str | bytes]

# Where a landed run may leave something: its branch, that branch's log, and objects.
LANDED = ("objects/", "refs/heads/burnish", "logs/refs/heads/burnish")


def git_env() -> dict[str, str]:
    """This process's environment (already isolated by conftest) with a fixed author, committer and date."""
    env = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    env |= {key: os.environ[key] for key in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM") if key in os.environ}
    for who in ("AUTHOR", "COMMITTER"):
        env |= {f"GIT_{who}_{part}": value for part, value in AUTHOR.items()}
    return env | {"GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}


def run_git(cwd: Path, *args: str | bytes | Path, check: bool = True, stdin: bytes = b"") -> bytes:
    """Plain git, as a user would run it; its own words are in the error when it refuses."""
    command = ["git", "-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always", *args]
    done = subprocess.run(
        command, cwd=cwd, env=git_env(), input=stdin, capture_output=True, check=False, timeout=60
    )
    if check and done.returncode:
        raise AssertionError(f"git {args} -> {done.returncode}: {done.stderr.decode('utf8', 'replace')}")
    return done.stdout


@dataclass(frozen=True)
class TestRepo:
    """A repository a test plays the user of."""

    __test__: ClassVar[bool] = False  # not a test class, whatever its name says to pytest

    path: Path

    def git(self, *args: str | bytes | Path, check: bool = True, stdin: bytes = b"") -> str:
        """Standard output without the last newline; other bytes than UTF-8 come as surrogate escapes."""
        output = run_git(self.path, *args, check=check, stdin=stdin)
        return output.decode("utf8", "surrogateescape").rstrip("\n")

    def write(self, path: str | bytes, text: str | bytes, *, mode: int = 0o644) -> Path:
        target = self.path / os.fsdecode(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode("utf8", "surrogateescape") if isinstance(text, str) else text)
        target.chmod(mode)
        return target

    def commit(self, message: str = "change", files: Files | None = None) -> str:
        """Commit everything in the working tree (after writing `files`), and name the commit."""
        for path, text in (files or {}).items():
            self.write(path, text)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.head

    @property
    def head(self) -> str:
        return self.git("rev-parse", "HEAD")

    @property
    def branches(self) -> list[str]:
        return self.git("for-each-ref", "--format=%(refname:short)", "refs/heads").split()

    def tree(self, rev: str = "HEAD") -> str:
        return self.git("rev-parse", f"{rev}^{{tree}}")

    def show(self, rev: str, path: str) -> str:
        return run_git(self.path, "cat-file", "blob", f"{rev}:{path}").decode("utf8", "surrogateescape")

    def files(self, rev: str = "HEAD") -> list[str]:
        listed = run_git(self.path, "ls-tree", "-r", "-z", "--name-only", rev)
        return [os.fsdecode(name) for name in listed.split(b"\0") if name]

    def fingerprint(self, *, landed_aside: bool = True) -> dict[str, str]:
        """Every file of checkout and .git (index, refs, stash, config, hooks) with a hash of what it is.

        With `landed_aside`, objects and branches under burnish/ are left out: what a landed run may add.
        Compare two of them with `==`: pytest then names the file that differs.
        """
        prints = hash_folder(self.path)
        if landed_aside:
            aside = tuple(f".git/{place}" for place in LANDED)
            prints = {path: found for path, found in prints.items() if not path.startswith(aside)}
        return {path: found for path, found in prints.items() if not path.startswith(".burnish/")}


def hash_folder(folder: Path) -> dict[str, str]:
    """Path -> kind, mode and hash of contents, symlinks as links; empty folders count too."""
    prints: dict[str, str] = {}
    for parent, folders, names in os.walk(folder):
        for name in (*names, *folders):
            path = Path(parent, name)
            info = path.lstat()
            if path.is_symlink():
                what = f"link {path.readlink()}"
            elif path.is_file():
                what = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
            elif name in folders:
                continue
            else:
                what = "special"
            prints[path.relative_to(folder).as_posix()] = f"{info.st_mode:o} {what}"
    return prints


def make_repo(folder: Path, files: Files | None = None, *, object_format: str = "sha1") -> TestRepo:
    """A repository with one commit of `files`; with none, an unborn one."""
    folder.mkdir(parents=True, exist_ok=True)
    run_git(folder, "init", "-q", "-b", "main", f"--object-format={object_format}", ".")
    made = TestRepo(folder)
    if files is not None:
        made.commit("first", files)
    return made


def clone(source: TestRepo, folder: Path, *options: str) -> TestRepo:
    run_git(source.path, "clone", "-q", *options, source.path.as_uri(), os.fspath(folder))
    return TestRepo(folder)
