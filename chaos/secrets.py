"""Secrets: canaries around a run never get into its database, logs, receipt, result or other prompts.

A repository does not reach for them either, and what an agent leaves in our git directories is not started.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from tests.cli import Said, start
from tests.repos import make_repo, run_git

from burnish.process import bubblewrap
from chaos._desk import Desk, Desks, at_home
from chaos._foreign_files import reach_out, tamper
from chaos._search import found_in, held
from chaos.section import Setting, Tally

VARIABLES = ("AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "DATABASE_PASSWORD", "MY_TOKEN", "GIT_ASKPASS_TOKEN", "LC_SECRET")  # fmt: skip
ADDRESSES = ("HTTPS_PROXY", "http_proxy")
IN_HOME = (".netrc", ".git-credentials", ".ssh/id_ed25519", ".aws/credentials", ".npmrc", ".config/gh/hosts.yml", ".pypirc", "notes.txt")  # fmt: skip
IN_GIT = ("remote URL", "extra header")
UNTRACKED = "untracked.txt"
IN_CHECKOUT = (".env", UNTRACKED)
STDERR = "stderr of an agent"
FOREIGN = "a file that a repository reaches for"
# Not secrets but the proof that the search sees: an agent says one and writes the other into its result.
SAID, WRITTEN = "said by the reviewer", "written by the implementer"

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
for path in [*Path('/proc').glob('[0-9]*/environ'), *Path('/proc').glob('[0-9]*/cmdline')]:
    try:
        found.append(path.read_text('utf8', 'replace'))
    except OSError:
        pass
for path in Path('/proc').glob('[0-9]*/fd/*'):
    try:
        if 'memfd' in os.readlink(path):
            found.append(path.read_text('utf8', 'replace'))
    except OSError:
        pass
text = '\\n'.join(found)
Path('app.py').write_text('# good\\n# WRITTEN\\n' + text)
print(text[-200000:])
sys.stderr.write('STDERR')
"""
REVIEWS = "print('```\\n' + prompt + '\\n' + repr(dict(os.environ)) + '\\n```\\n\\nSAID\\n\\n**Verdict: APPROVED**')\n"


def section(setting: Setting, tally: Tally) -> None:
    names = [*VARIABLES, *ADDRESSES, *IN_HOME, *IN_GIT, *IN_CHECKOUT, STDERR]
    canaries = {
        name: "cnry" + hashlib.sha256(f"{setting.seed}{name}".encode()).hexdigest()[:24] for name in names
    }
    proofs = {name: "cnry" + hashlib.sha256(f"{setting.seed}{name}".encode()).hexdigest()[:24] for name in (SAID, WRITTEN)}  # fmt: skip
    _controls(tally, setting.folder / "controls", proofs[SAID])
    with at_home(setting.folder) as home:
        desks = Desks(setting.folder)
        desk = desks.new()
        env = _hide(desk, home, canaries)
        if bubblewrap.usable():
            _look(tally, desk, home, canaries | proofs, env, "require")
        else:
            tally.note("skipped: the sandboxed half, bubblewrap is not usable here")
        if not setting.short:
            desk = desks.new()
            env = _hide(desk, home, canaries)
            outside = {
                name: value for name, value in canaries.items() if name in (*VARIABLES, *ADDRESSES, STDERR)
            }
            _look(tally, desk, None, outside | proofs, env, "off")
        for mode in (["require"] if bubblewrap.usable() and not setting.short else []) + ["off"]:
            secret = "cnry" + hashlib.sha256(f"{setting.seed}{FOREIGN}".encode()).hexdigest()[:24]
            reach_out(tally, Desks(setting.folder / f"reach-{mode}"), home, secret, mode, short=setting.short)
            tamper(tally, Desks(setting.folder / f"tamper-{mode}"), mode)
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
    snoops = snoops.replace("WRITTEN", canaries[WRITTEN])
    said = _started(desk, mode, snoops, REVIEWS.replace("SAID", canaries[SAID]), env)
    shown = said.out + said.err
    run = said.end["run"]
    for words in (("show", run), ("log", run), ("receipt", "show", run), ("run", "--help")):
        shown += desk.burnish(*words, env=env).out
    result = desk.repo.show(said.end["branch"], "app.py") if said.end["branch"] else ""
    kept = held(desk.state) | {
        "what was printed": [shown.encode("utf8", "replace")],
        "the result": [result.encode("utf8", "replace")],
    }
    for name, value in canaries.items():
        leaks = found_in(value, kept)
        if name == UNTRACKED:
            # It is part of the user's tree as it was, which our store keeps for them; no agent sees that store.
            leaks = [leak for leak in leaks if "/run.git/objects/" not in leak]
        if name in (SAID, WRITTEN):
            place = "burnish.db" if name == SAID else "objects"
            seen = any(place in leak for leak in leaks)
            tally.survive(name) if seen else tally.fall(
                f"{mode}: {name}", f"was not found in {place}: the search sees nothing"
            )
        elif leaks:
            tally.fall(f"{mode}: {name}", f"is in {', '.join(leaks[:4])}")
        else:
            tally.survive(name)
    if "# good" not in result or "cycles" not in said.end["reason"]:
        tally.fall(f"{mode}: the run", f"ended as {said.end['reason']}: it proves nothing")


def _started(desk: Desk, mode: str, implement: str, review: str, env: dict[str, str]) -> Said:
    """As a user starts it: only a process of its own has these variables where others can read them."""
    agents = (
        "--implementer",
        desk.agent("implementer", implement),
        "--reviewer",
        desk.agent("reviewer", review),
    )
    own = {"BURNISH_STATE": str(desk.state), **env}
    child = start(desk.repo.path, "run", "Make it good", *agents, "--json", "--sandbox", mode, env=own)
    out, err = child.communicate(timeout=desk.timeout_s)
    return Said(child.returncode, out.decode("utf8", "replace"), err.decode("utf8", "replace"))


def _controls(tally: Tally, folder: Path, secret: str) -> None:
    """Leaks made on purpose, one in each place and spelling: the search must find every one, or it proves nothing."""
    for name in leak_on_purpose(folder, secret):
        found = found_in(secret, held(folder / name))
        tally.survive(name) if found else tally.fall(f"planted, {name}", "the search did not find it")
    clean = found_in("cnry-never-planted-0123456789", held(folder))
    tally.fall("nothing planted", f"found in {clean[0]}") if clean else tally.survive("nothing planted")


def leak_on_purpose(folder: Path, secret: str) -> list[str]:
    """A folder for each kind of leak, by its name."""
    raw = secret.encode()
    coded = base64.b64encode(b"user:" + raw).decode()
    percent = "".join(f"%{byte:02X}" for byte in raw)
    texts = {
        "log, plain": f"12:00 agent said {secret}\n".encode(),
        "log, compressed": gzip.compress(b"x" * 500 + raw),
        "log, url-encoded": f"GET /?q={percent}".encode(),
        "prompt, plain": f"# Task\n\n{secret}\n".encode(),
        "prompt, url": f"https://me:{quote(secret)}@example.invalid/x.git".encode(),
        "receipt, plain": f'{{"events": [{{"text": "{secret}"}}]}}'.encode(),
        "receipt, base64": f'{{"header": "Basic {coded}"}}'.encode(),
        "receipt, hex": raw.hex().upper().encode(),
    }
    for name, data in texts.items():
        (folder / name).mkdir(parents=True)
        (folder / name / "file").write_bytes(data)
    rows = {
        "database, plain": secret,
        "database, over several pages": "x" * 4070 + secret + "x" * 9000,
        "database, base64": coded,
    }
    for name, text in rows.items():
        (folder / name).mkdir()
        with closing(sqlite3.connect(folder / name / "burnish.db")) as database:
            database.execute("create table steps (result text)")
            database.execute("insert into steps values (?)", (text,))
            database.commit()
    for name in ("git object", "git pack"):
        repo = make_repo(folder / name, {"a.txt": f"{secret}\n", "b.txt": "other\n" * 50})
        if name == "git pack":
            run_git(repo.path, "gc", "-q")
        (repo.path / "a.txt").unlink()
    return [*texts, *rows, "git object", "git pack"]
