"""Secrets: twenty canaries around a run never get into its database, logs, receipt, result or other prompts."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from burnish.process import bubblewrap
from chaos._desk import Desk, Desks, at_home
from chaos.section import Setting, Tally

VARIABLES = ("AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "DATABASE_PASSWORD", "MY_TOKEN", "GIT_ASKPASS_TOKEN")  # fmt: skip
ADDRESSES = ("HTTPS_PROXY", "http_proxy")
IN_HOME = (".netrc", ".git-credentials", ".ssh/id_ed25519", ".aws/credentials", ".npmrc", ".config/gh/hosts.yml", ".pypirc", "notes.txt")  # fmt: skip
IN_GIT = ("remote URL", "extra header")
IN_CHECKOUT = (".env", "untracked.txt")
STDERR = "stderr of an agent"

# Prints and keeps everything it can find, as an agent that was talked into it would.
SNOOPS = """
found = [repr(dict(os.environ))]
places = PLACES
for top in places:
    for parent, _, names in os.walk(top):
        for name in names:
            try:
                found.append(Path(parent, name).read_text('utf8', 'replace'))
            except OSError:
                pass
import subprocess
for place in places:
    for words in (['config', '--list'], ['remote', '-v']):
        found.append(subprocess.run(['git', '-C', place, *words], capture_output=True, text=True).stdout)
for path in Path('/proc').glob('[0-9]*/environ'):
    try:
        found.append(path.read_text('utf8', 'replace'))
    except OSError:
        pass
text = '\\n'.join(found)
Path('app.py').write_text('# good\\n' + text)
print(text[-200000:])
sys.stderr.write('STDERR')
"""
REVIEWS = "print('```\\n' + prompt + '\\n' + repr(dict(os.environ)) + '\\n```\\n\\n**Verdict: APPROVED**')\n"


def section(setting: Setting, tally: Tally) -> None:
    names = [*VARIABLES, *ADDRESSES, *IN_HOME, *IN_GIT, *IN_CHECKOUT, STDERR]
    canaries = {
        name: "cnry" + hashlib.sha256(f"{setting.seed}{name}".encode()).hexdigest()[:24] for name in names
    }
    with at_home(setting.folder) as home:
        desks = Desks(setting.folder)
        desk = desks.new()
        env = _hide(desk, home, canaries)
        if bubblewrap.usable():
            _look(tally, desk, home, canaries, env, "require")
        else:
            tally.note("skipped: the sandboxed half, bubblewrap is not usable here")
        if not setting.short:
            desk = desks.new()
            env = _hide(desk, home, canaries)
            outside = {
                name: value for name, value in canaries.items() if name in (*VARIABLES, *ADDRESSES, STDERR)
            }
            _look(tally, desk, None, outside, env, "off")
    tally.note(
        "without a sandbox only the environment and stderr are promised: an agent can read the user's files"
    )


def _hide(desk: Desk, home: Path, canaries: dict[str, str]) -> dict[str, str]:
    for name in IN_HOME:
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(canaries[name])
    for name in IN_CHECKOUT:
        desk.repo.write(name, canaries[name])
    desk.repo.write(".git/info/exclude", ".env\n")
    desk.repo.git("remote", "add", "origin", f"https://me:{canaries['remote URL']}@example.invalid/x.git")
    desk.repo.git("config", "http.extraHeader", f"Authorization: {canaries['extra header']}")
    env = {name: canaries[name] for name in VARIABLES}
    return env | {name: f"http://me:{canaries[name]}@127.0.0.1:9" for name in ADDRESSES}


def _look(
    tally: Tally, desk: Desk, home: Path | None, canaries: dict[str, str], env: dict[str, str], mode: str
) -> None:
    places = [os.fspath(path) for path in (home, desk.repo.path) if path]
    snoops = SNOOPS.replace("PLACES", repr(places if home else [])).replace("STDERR", canaries[STDERR])
    # An agent outside of a sandbox sees every process of this user; that is not what is looked at there.
    snoops = snoops if home else snoops.replace("/proc", "/nonexistent")
    said = desk.run("--sandbox", mode, implement=snoops, review=REVIEWS, env=env)
    shown = said.out + said.err
    run = said.end["run"]
    for words in (("show", run), ("log", run), ("receipt", "show", run)):
        shown += desk.burnish(*words, env=env).out
    result = desk.repo.show(said.end["branch"], "app.py") if said.end["branch"] else ""
    kept = {
        path: path.read_bytes() for path in desk.state.rglob("*") if path.is_file() and not path.is_symlink()
    }
    for name, value in canaries.items():
        leaks = [
            os.fspath(path.relative_to(desk.state)) for path, data in kept.items() if value.encode() in data
        ]
        leaks += ["what was printed"] * (value in shown) + ["the result"] * (value in result)
        if leaks:
            tally.fall(f"{mode}: {name}", f"is in {', '.join(leaks[:4])}")
        else:
            tally.survive(name)
    if "# good" not in result or "cycles" not in said.end["reason"]:
        tally.fall(f"{mode}: the run", f"ended as {said.end['reason']}: it proves nothing")
