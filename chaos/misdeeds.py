"""Agent misdeeds: in a sandbox prevented; outside of one harmless, or seen and named."""

from __future__ import annotations

import os
import random
import shutil

from tests.repos import TestRepo, hash_folder, run_git

from burnish.agents._misdeeds import MISDEEDS
from burnish.process import bubblewrap
from chaos._desk import APPROVES, GOOD, Desk, Desks, at_home, each, ended
from chaos.section import Setting, Tally

FILES = {"app.py": "print('hi')\n", ".gitignore": "*.log\n", "dir/b.py": "b\n"}
GIT = (
    "import subprocess, shutil\n"
    "user, state = Path(os.environ['MEDDLE_USER']), Path(os.environ['MEDDLE_STATE'])\n"
    "def git(*words, at=None):\n"
    "    who = ['-c', 'user.name=Evil', '-c', 'user.email=evil@example.invalid']\n"
    "    subprocess.run(['git', *who, *words], cwd=at or user, capture_output=True)\n"
)
# In its own workspace; those of the shipped fake agent, by their names there, and some more.
OWN = (
    "commit", "amend", "switch_branch", "detach_head", "reset_hard", "stash", "tag", "move_main", "gc_prune", "index_lock",
    "add_hook", "add_config", "delete_git", "git_as_file", "nested_repo", "symlink_escape", "special_file",
)  # fmt: skip
OWN_MORE = {
    "rebase": "git('commit', '-aqm', 'x', at='.')\ngit('rebase', '--root', '--exec', 'true', at='.')\n",
    "workspace deleted": "here = Path.cwd()\nfor one in list(here.iterdir()):\n    shutil.rmtree(one, ignore_errors=True) if one.is_dir() else one.unlink()\n",
    "workspace folder removed": "here = Path.cwd()\nos.chdir('/')\nshutil.rmtree(here, ignore_errors=True)\n",
    "git folder points into the user's": "shutil.rmtree('.git')\nPath('.git').write_text(f'gitdir: {user}/.git\\n')\n",
    "writes through a symlink to the user's files": "Path('l').symlink_to(user / 'app.py')\ntry:\n    Path('l').write_text('through')\nexcept OSError:\n    pass\n",
}
# At the user's own repository and at our state.
AT_THE_USER = {
    "own commit": "Path(user, 'evil.py').write_text('x')\ngit('add', '-A')\ngit('commit', '-qm', 'evil')\n",
    "amend": "git('commit', '--amend', '-qm', 'rewritten')\n",
    "branch switch": "git('checkout', '-qb', 'elsewhere')\n",
    "detached HEAD": "git('checkout', '-q', '--detach')\n",
    "reset --hard": "git('reset', '-q', '--hard', 'HEAD~1')\n",
    "rebase": "git('rebase', '-q', '--root', '--exec', 'git commit --amend -qm r')\n",
    "tag move": "git('tag', '-f', 'v1', 'HEAD~1')\n",
    "main moved": "git('update-ref', 'refs/heads/main', 'HEAD~1')\n",
    "branch deleted": "git('branch', '-D', 'keep')\n",
    ".git deleted": "shutil.rmtree(user / '.git', ignore_errors=True)\n",
    ".git replaced by a file": "shutil.rmtree(user / '.git', ignore_errors=True)\nPath(user, '.git').write_text('gitdir: /nonexistent\\n')\n",
    "config added": "git('config', 'core.fsmonitor', 'touch /tmp/never')\n",
    "hook added": "Path(user, '.git/hooks').mkdir(exist_ok=True)\nPath(user, '.git/hooks/pre-commit').write_text('#!/bin/sh\\n')\n",
    "exclude edited": "Path(user, '.git/info').mkdir(exist_ok=True)\nPath(user, '.git/info/exclude').write_text('*\\n')\n",
    "stash": "Path(user, 'app.py').write_text('x')\ngit('stash', '-q')\n",
    "stash dropped": "git('stash', 'drop', '-q')\n",
    "checkout edited": "Path(user, 'app.py').write_text('mine')\n",
    "file deleted": "Path(user, 'dir/b.py').unlink()\n",
    "untracked file left": "Path(user, 'left.txt').write_text('x')\n",
    "replacement object": "git('replace', 'HEAD', 'HEAD~1')\n",
    "index.lock left": "Path(user, '.git/index.lock').write_text('')\n",
    "gc --prune=now": "git('reflog', 'expire', '--expire=now', '--all')\ngit('gc', '-q', '--prune=now')\n",
    "index edited": "git('update-index', '--assume-unchanged', 'app.py')\n",
    "ignored file edited": "Path(user, 'x.log').write_text('mine')\n",
    "reflog expired": "git('reflog', 'expire', '--expire=now', '--all')\n",
    "lock of a branch left": "Path(user, '.git/refs/heads/main.lock').write_text('')\n",
    "staged by force": "Path(user, 'y.log').write_text('y')\ngit('add', '-f', 'y.log')\nPath(user, 'y.log').unlink()\n",
    "skipped in the index": "git('update-index', '--skip-worktree', 'app.py')\n",
    "ignored file deleted": "Path(user, 'x.log').unlink()\n",
    "ignored file edited, its date put back": "old = os.stat(user / 'x.log')\nPath(user, 'x.log').write_text('IGNORED\\n')\nos.utime(user / 'x.log', ns=(old.st_atime_ns, old.st_mtime_ns))\n",
    "loose object deleted": "name = subprocess.run(['git', 'rev-parse', 'stash'], cwd=user, capture_output=True, text=True).stdout.strip()\nPath(user, '.git/objects', name[:2], name[2:]).unlink()\n",
    "our settings for git edited": "Path(state, 'git/config').write_text('')\n",
    "the mirror's settings edited": "[path.write_text('') for path in state.glob('repos/*/mirror.git/config')]\n",
    "the run's line moved": "[path.unlink() for path in state.glob('repos/*/runs/*/run.git/refs/burnish/head')]\n",
    "state folder edited": "[path.write_bytes(b'') for path in state.rglob('*.toml')]\nPath(state, 'planted').write_text('x')\n",
    "worktree deleted": "shutil.rmtree(user.parent / 'linked')\n",
    "worktree removed by git": "git('worktree', 'remove', '--force', str(user.parent / 'linked'))\n",
    "worktree put on another commit": "git('reset', '-q', '--hard', 'HEAD~1', at=user.parent / 'linked')\n",
    "checkout of a submodule deleted": "shutil.rmtree(user / 'sub')\n",
}
# Words that name the very thing, where the general sentence could be about another.
NAMED = {
    "index.lock left": "the lock index.lock was left", "lock of a branch left": "the lock refs/heads/main.lock was left",
    "gc --prune=now": "repacked or pruned", "loose object deleted": "1 object file(s)",
    "index edited": "the index (app.py) changed", "skipped in the index": "the index (app.py) changed",
    "staged by force": "the index (y.log) changed", "reflog expired": "the reflog of HEAD was cut",
    "ignored file edited": "ignored file(s) (x.log) changed", "ignored file deleted": "ignored file(s) (x.log) changed",
    "ignored file edited, its date put back": "ignored file(s) (x.log) changed",
    "state folder edited": "planted in Burnish's own state folder appeared",
    "our settings for git edited": "git/config in Burnish's own state folder changed",
    "the mirror's settings edited": "mirror.git/config in Burnish's own state folder changed",
    "worktree deleted": "linked is gone", "worktree removed by git": "linked is gone",
    "worktree put on another commit": "linked changed", "checkout of a submodule deleted": "repo/sub is gone",
    "the run's line moved": "run.git/refs/burnish/head in Burnish's own state folder is gone",
}  # fmt: skip
# What nothing on disk tells from Burnish's own work or from nobody's, and so is not looked at.
ACCUSED = "ran unsandboxed, your repository changed"
UNSEEN = (
    "edits inside the database",
    "files outside the repository and the state folder",
    "files beyond the first 20,000 of a checkout that git ignores",
    "files below the top folder of other worktrees of the repository",
    "what was put back exactly before the agent ended",
)


def section(setting: Setting, tally: Tally) -> None:
    own = {
        **{
            name: f"from burnish.agents._misdeeds import MISDEEDS\nMISDEEDS[{name!r}](None)\n" for name in OWN
        },
        **OWN_MORE,
    }
    seen = list(AT_THE_USER)
    names = list(own)
    if setting.short:
        chance = random.Random(setting.seed)
        names, seen = chance.sample(names, 1), [*chance.sample(seen, 1), "worktree deleted"]
    assert set(OWN) <= set(MISDEEDS)
    with at_home(setting.folder):
        desks = Desks(setting.folder, FILES)
        _furnish(desks)
        if bubblewrap.usable():
            _prevented(tally, desks)
            each(
                tally,
                [f"in its workspace, {name}" for name in names],
                lambda name: _harmless(desks, own[name.partition(", ")[2]]),
            )
        else:
            tally.note("skipped: the sandboxed half, bubblewrap is not usable here")
        each(
            tally,
            [f"unsandboxed, {name}" for name in seen],
            lambda name: _named(desks, name.partition(", ")[2]),
        )
        each(tally, ["unsandboxed, no misdeed at all"], lambda _: _not_accused(desks))
    tally.note("outside of a sandbox these cannot be seen: " + "; ".join(UNSEEN))


def _furnish(desks: Desks) -> None:
    user = desks.template
    user.commit("second", {"app.py": "print('hi!')\n"})
    user.git("tag", "v1")
    user.git("branch", "keep")
    user.write("app.py", "print('stashed')\n")
    user.git("stash", "-q")
    user.write("x.log", "ignored\n")


def _with_other_checkouts(desk: Desk) -> Desk:
    """A linked worktree beside the repository, and a submodule in it."""
    desk.repo.git("submodule", "--quiet", "add", desk.folder.parent / "template", "sub")
    desk.repo.git("commit", "-qm", "submodule")
    desk.repo.git("worktree", "add", "-q", "--detach", desk.folder / "linked")
    return desk


def _run(desk: Desk, body: str, *extra: str) -> tuple[str, str, int, str]:
    """Outcome, reason, exit code and everything that was said."""
    paths = f"os.environ['MEDDLE_USER'] = {os.fspath(desk.repo.path)!r}\nos.environ['MEDDLE_STATE'] = {os.fspath(desk.state)!r}\n"
    said = desk.run("--cycles", "1", *extra, implement=GOOD + paths + GIT + body, review=APPROVES)
    return (*ended(said), said.out + said.err)


def _prevented(tally: Tally, desks: Desks) -> None:
    """All of them in one sandboxed run, each on its own whatever the one before did."""
    desk = _with_other_checkouts(desks.new())
    desk.state.mkdir()
    (desk.state / "canary.toml").write_text("alive")
    bodies = "".join(
        f"try:\n    exec({body!r})\nexcept BaseException as error:\n    print(repr(error))\n"
        for body in AT_THE_USER.values()
    )
    before, beside = desk.repo.fingerprint(), hash_folder(desk.folder / "linked")
    outcome, reason, code, _ = _run(desk, bodies, "--sandbox", "require")
    held = desk.repo.fingerprint() == before and hash_folder(desk.folder / "linked") == beside
    held = held and (desk.state / "canary.toml").read_text() == "alive"
    held = held and not (desk.state / "planted").exists() and outcome == "passed"
    for name in AT_THE_USER:
        if held:
            tally.survive(name)
        else:
            tally.fall(f"sandboxed, {name}", f"one of all of them got through ({outcome}, {reason}, {code})")


def _harmless(desks: Desks, body: str) -> str:
    desk = desks.new()
    before = desk.repo.fingerprint()
    outcome, reason, code, _ = _run(desk, body)
    if desk.repo.fingerprint() != before:
        return "the user's repository changed"
    if not reason:
        return f"no documented end: {outcome}, exit {code}"
    run_git(desk.repo.path, "fsck", "--no-dangling")
    return ""


def _named(desks: Desks, name: str) -> str:
    """Outside of a sandbox it happens; it must be said, or the run must refuse to go on."""
    desk = desks.new()
    if "worktree" in name or "submodule" in name:
        _with_other_checkouts(desk)
    kept = desk.folder / "kept"
    shutil.copytree(desk.repo.path, kept, symlinks=True)
    outcome, _, code, said = _run(desk, AT_THE_USER[name], "--sandbox", "off")
    words = NAMED.get(name, "")
    if ACCUSED in said and words in said:
        return ""
    if not words and desk.repo.fingerprint() == TestRepo(kept).fingerprint():
        return "the misdeed did nothing: it proves nothing"
    if not words and outcome == "refused" and code in (1, 2):
        return ""
    return f"nothing was said ({outcome}, exit {code}): {said[-300:]}"


def _not_accused(desks: Desks) -> str:
    """The user looks at their own repository meanwhile, which renews dates in the index."""
    outcome, _, code, said = _run(
        desks.new(), "os.utime(user / 'app.py')\ngit('status')\n", "--sandbox", "off"
    )
    return "" if outcome == "passed" and ACCUSED not in said else f"{outcome}, exit {code}: {said[-300:]}"
