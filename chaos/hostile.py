"""A hostile repository over a whole `burnish run`: nothing that it names is executed by the orchestrator."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from tests.integration.git.hostile import ENVIRONMENT, HOOKS, SETTINGS, Traps, arm
from tests.repos import TestRepo, git_env, make_repo

from chaos._control import walked_into
from chaos._desk import APPROVES, Desk, at_home, ended
from chaos.section import Setting, Tally

EDITS = (
    "Path('app.py').write_text('better\\n')\nPath('a.evil').write_text('edited\\n')\n"
    "Path('b.long').write_text('edited\\n')\nPath('new.txt').write_text('new\\n')\n"
    "Path('.gitattributes').write_text('* filter=evil diff=evil merge=evil\\n*.long filter=long diff=evil2\\n')\n"
)
NO_WORDS: tuple[tuple[str, ...], ...] = ()
PLAIN = ("status", "add -A", "diff HEAD", "log -p -1", "commit --allow-empty -m x", "burn")


def planted(traps: Traps) -> str:
    """What an agent does to its own workspace: every setting and hook that names a program, for us to walk into."""
    config = traps.folder / "planted"
    traps.configure(config, "workspace")
    traps.hook(traps.folder / "planted-hooks", "workspace")
    hooks = {path.name: os.fspath(path.readlink()) for path in (traps.folder / "planted-hooks").iterdir()}
    return (
        f"with open('.git/config', 'a') as config:\n    config.write({config.read_text()!r})\n"
        f"Path('.git/hooks').mkdir(exist_ok=True)\nfor name, target in {hooks!r}.items():\n"
        "    Path('.git/hooks', name).unlink(missing_ok=True)\n    os.symlink(target, f'.git/hooks/{name}')\n"
        "Path('.git/info').mkdir(exist_ok=True)\nPath('.git/info/attributes').write_text('* filter=evil diff=evil\\n')\n"
        "Path('.gitmodules').write_text('[submodule \"sub\"]\\n\\tpath = sub\\n\\turl = ext::false\\n')\n"
    )


def section(setting: Setting, tally: Tally) -> None:
    ways = ("branch",) if setting.short else ("branch", "apply", "none")
    for land in ways:
        folder = setting.folder / land
        with at_home(folder) as home:
            inner = make_repo(folder / "inner", {"x": "x"})
            user = make_repo(folder / "user", {"app.py": "one\n"})
            user.git("submodule", "--quiet", "add", inner.path, "sub")
            traps = Traps(folder / "traps")
            arm(user, traps, home)
            traps.configure(user.path / ".git/modules/sub/config", "submodule")
            traps.hook(user.path / ".git/modules/sub/hooks", "submodule")
            user.write("app.py", "dirty\n")
            (user.path / "sub/x").write_text("dirty\n")
            env = {name: traps.program(f"env-{name}") for name in ENVIRONMENT}
            writes = EDITS + planted(traps)
            traps.clear()
            desk = Desk(folder, user)
            said = desk.run("--land", land, "--gate", "true", implement=writes, review=APPROVES, env=env)
            for word in (
                NO_WORDS
                if setting.short
                else (
                    ("runs",),
                    ("show", said.end["run"]),
                    ("receipt", "verify", said.end["run"]),
                    ("doctor",),
                )
            ):
                desk.burnish(*word, env=env)
            _count(tally, traps, land, ended(said)[0])
            if land == ways[-1]:
                tally.note(_real(traps, os.fspath(user.path)))
                if not setting.short:
                    tally.note(_control(traps, user, home))
    tally.note(
        f"{len(SETTINGS)} settings in 6 places and {len(HOOKS)} hooks in 5, the agent's own workspace among them, {len(ENVIRONMENT)} variables, attributes, a submodule"
    )


def _count(tally: Tally, traps: Traps, land: str, outcome: str) -> None:
    sprung = set(traps.sprung)
    for path in sorted(traps.folder.glob("run-*")):
        if path.name in sprung:
            tally.fall(f"{land}: {path.name}", "was executed")
        else:
            tally.survive(path.name)
    if outcome != "passed":
        tally.fall(f"{land}: the run", f"ended as {outcome}")


def _real(traps: Traps, path: str) -> str:
    """Plain git walks into the same traps, so they are armed."""
    for command in PLAIN:
        subprocess.run(
            ["git", *command.split()],
            cwd=path,
            env=git_env(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=30,
        )
    return f"plain git in the same repository walks into {len(traps.sprung)} of them with six commands"


def _control(traps: Traps, user: TestRepo, home: Path) -> str:
    """Which of them can be sprung at all by plain git, here and now; the rest is not shown to be armed."""
    names = ("included", "conditional", "planted")
    places = {name: traps.folder / name for name in names} | {"global": home / "gitconfig"}
    places |= {name: user.path / ".git" / name for name in ("config.worktree", "modules/sub/config")}
    hooks = [traps.folder / name for name in ("hooks", "template/hooks", "planted-hooks")]
    hooks += [user.path / ".git/hooks", user.path / ".git/modules/sub/hooks"]
    sprung = walked_into(traps, places, hooks, traps.folder / "control")
    return (
        f"the control, everyday plain git with each place of settings and hooks by itself, walks into {sprung} of the "
        f"{traps.armed} traps: so many are shown to be armed, the others are only shown to be left alone"
    )
