"""A repository full of traps: every one leaves a marker file when something of it is executed."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from tests.repos import TestRepo, git_env

HOOKS = (
    "applypatch-msg", "commit-msg", "fsmonitor-watchman", "post-applypatch", "post-checkout", "post-commit",
    "post-index-change", "post-merge", "post-receive", "post-rewrite", "post-update", "pre-applypatch",
    "pre-auto-gc", "pre-commit", "pre-merge-commit", "pre-push", "pre-rebase", "pre-receive",
    "prepare-commit-msg", "proc-receive", "push-to-checkout", "reference-transaction", "update",
)  # fmt: skip
# Settings that name a program; {run} becomes one that leaves its marker.
SETTINGS = {
    "core.fsmonitor": "{run}",
    "core.sshCommand": "{run}",
    "core.pager": "{run}",
    "pager.diff": "{run}",
    "core.editor": "{run}",
    "sequence.editor": "{run}",
    "core.gitProxy": "{run}",
    "core.askPass": "{run}",
    "core.alternateRefsCommand": "{run}",
    "credential.helper": "!{run}",
    "gpg.program": "{run}",
    "gpg.ssh.program": "{run}",
    "commit.gpgSign": "true",
    "tag.gpgSign": "true",
    "diff.external": "{run}",
    "diff.evil.textconv": "{run}",
    "diff.evil2.command": "{run}",
    "filter.evil.clean": "{run}",
    "filter.evil.smudge": "{run}",
    "filter.evil.required": "true",
    "filter.long.process": "{run}",
    "merge.evil.driver": "{run}",
    "merge.tool": "evil",
    "mergetool.evil.cmd": "{run}",
    "difftool.evil.cmd": "{run}",
    "protocol.ext.allow": "always",
    "protocol.allow": "always",
    "remote.origin.url": "ext::{run}",
    "remote.origin.uploadpack": "{run}",
    "remote.origin.receivepack": "{run}",
    "remote.origin.vcs": "evil",
    "uploadpack.packObjectsHook": "{run}",
    "receive.procReceiveRefs": "refs",
    "submodule.sub.update": "!{run}",
    "submodule.recurse": "true",
    "fetch.recurseSubmodules": "true",
    "alias.status": "!{run}",
    "alias.rev-parse": "!{run}",
    "alias.burn": "!{run}",
    "interactive.diffFilter": "{run}",
    "trailer.evil.command": "{run}",
    "trailer.evil.cmd": "{run}",
    "gc.recentObjectsHook": "{run}",
    "gc.auto": "1",
    "maintenance.auto": "true",
    "help.browser": "evil",
    "browser.evil.cmd": "{run}",
    "man.evil.cmd": "{run}",
    "init.templateDir": "{folder}/template",
    "core.excludesFile": "{folder}/nothing",
}
ENVIRONMENT = (
    "GIT_EXTERNAL_DIFF", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_PAGER", "GIT_ASKPASS", "GIT_EDITOR",
    "GIT_SEQUENCE_EDITOR", "GIT_PROXY_COMMAND", "PAGER", "EDITOR", "SSH_ASKPASS",
)  # fmt: skip


class Traps:
    """`armed` counts them; `sprung` names those that were walked into."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.marks = folder / "marks"
        self.marks.mkdir(parents=True)
        self.armed = 0

    def program(self, name: str) -> str:
        """A program that leaves a mark of this name, and behaves well enough to be run again."""
        self.armed += 1
        path = self.folder / f"run-{self.armed}-{name.replace('/', '-')}"
        path.write_text(f"#!/bin/sh\ntouch '{self.marks}/{path.name}'\ncat 2>/dev/null\nexit 0\n")
        path.chmod(0o755)
        return os.fspath(path)

    @property
    def sprung(self) -> list[str]:
        return sorted(path.name for path in self.marks.iterdir())

    def clear(self) -> None:
        for path in self.marks.iterdir():
            path.unlink()

    def configure(self, path: Path, label: str) -> None:
        """Put every setting into a configuration file."""
        for key, value in SETTINGS.items():
            run = self.program(f"{label}-{key}") if "{run}" in value else ""
            text = value.format(run=run, folder=self.folder)
            subprocess.run(
                ["git", "config", "-f", path, "--add", key, text],
                env=git_env(),
                cwd="/",
                check=True,
                timeout=20,
            )

    def hook(self, folder: Path, label: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for name in HOOKS:
            (folder / name).unlink(missing_ok=True)
            (folder / name).symlink_to(self.program(f"{label}-hook-{name}"))


def arm(user: TestRepo, traps: Traps, home: Path) -> None:
    """Every trick we know, in the repository, in a nested one, in included files and in the user's home."""
    git = user.path / ".git"
    attributes = "*.evil filter=evil diff=evil merge=evil\n*.long filter=long diff=evil2\n"
    user.commit("attributes", {".gitattributes": attributes, "a.evil": "one\n", "b.long": "two\n"})
    traps.hook(git / "hooks", "default")
    traps.hook(traps.folder / "hooks", "path")
    traps.hook(traps.folder / "template" / "hooks", "template")
    traps.configure(git / "config", "local")
    included, conditional = traps.folder / "included", traps.folder / "conditional"
    traps.configure(included, "include")
    traps.configure(conditional, "includeif")
    traps.configure(home / "gitconfig", "global")
    with (git / "config").open("a") as config:
        config.write(f'[include]\n\tpath = {included}\n[includeIf "gitdir:/"]\n\tpath = {conditional}\n')
        config.write(f'[url "ext::{traps.program("insteadof")} "]\n\tinsteadOf = /\n')
        config.write(
            f"[core]\n\thooksPath = {traps.folder / 'hooks'}\n[extensions]\n\tworktreeConfig = true\n"
        )
    traps.configure(git / "config.worktree", "worktree")
    (git / "info").mkdir(exist_ok=True)
    (git / "info" / "attributes").write_text("*.txt filter=evil diff=evil\n")
