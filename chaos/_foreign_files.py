"""Repositories that reach for the user's files: by links, by settings, by what agents write into our git."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.cli import Said

from chaos._desk import APPROVES, GOOD, Desk, Desks, each
from chaos._search import found_in, held
from chaos.section import Tally

KEY = ".ssh/id_ed25519"
SPEC = "# Spec 042: Add it\n\n## Phase 1: It\n\nWrite it.\n"


@dataclass(frozen=True)
class Trick:
    """`make` puts it into the repository before it is committed; `words` is what the user runs."""

    make: Callable[[Path, Path], None]
    words: tuple[str, ...]


def link(name: str) -> Callable[[Path, Path], None]:
    def make(repo: Path, key: Path) -> None:
        (repo / name).parent.mkdir(parents=True, exist_ok=True)
        (repo / name).symlink_to(key)

    return make


def folder_link(name: str, inside: str) -> Callable[[Path, Path], None]:
    """The link is a folder above the file."""

    def make(repo: Path, key: Path) -> None:
        target = key.parent.parent / "lure" / inside
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(key.read_text())
        (repo / name).symlink_to(key.parent.parent / "lure")

    return make


def setting(text: str) -> Callable[[Path, Path], None]:
    def make(repo: Path, key: Path) -> None:
        (repo / "burnish.toml").write_text(text.replace("KEY", str(key)) + "\n")

    return make


def manifest(repo: Path, key: Path) -> None:
    (repo / "spec.md").write_text(f"---\nmanifest: plan.json\n---\n{SPEC}")
    (repo / "plan.json").symlink_to(key)


SLOTS = ("slots", "--iterations", "1", "--review")
RUN = ("run", "Make it good")
TRICKS = {
    "link: the developer's prompt": Trick(link(".ai_agents/prompts/developer.md"), SLOTS),
    "link: the prompt for all": Trick(link(".ai_agents/prompt.md"), SLOTS),
    "link: the reviewer's prompt": Trick(link(".ai_agents/prompts/reviewer.md"), SLOTS),
    "link: the folder of prompts": Trick(folder_link(".ai_agents", "prompts/developer.md"), SLOTS),
    "link: a spec": Trick(link("spec.md"), ("spec", "spec.md")),
    "link: a document to build": Trick(link("shop.md"), ("build", "shop.md")),
    "link: a manifest": Trick(manifest, ("spec", "spec.md")),
    "link: a checklist": Trick(link("TODO.md"), (*SLOTS, "--source", "checklist:TODO.md")),
    "link: beads": Trick(link(".beads/issues.jsonl"), (*SLOTS, "--source", "beads")),
    "link: tasks to add": Trick(link("TODO.md"), ("add", "--from", "TODO.md")),
    "link: settings": Trick(link("burnish.toml"), RUN),
    "link: rules for agents": Trick(link("AGENTS.md"), RUN),
    "link: rules for reviewers": Trick(link("REVIEW.md"), RUN),
    "link: code": Trick(link("key.py"), RUN),
    "setting: a prompt by its whole path": Trick(setting("prompts.implement = 'KEY'"), RUN),
    "setting: a prompt in the home": Trick(setting(f"prompts.review = '~/{KEY}'"), RUN),
    "setting: a prompt that climbs": Trick(setting(f"slots.prompt = '../../home/{KEY}'"), SLOTS),
    "setting: a prompt in .git": Trick(setting("slots.prompt = '.git/config'"), SLOTS),
    "setting: a checklist elsewhere": Trick(setting("slots.source = 'checklist:KEY'"), SLOTS),
    "setting: the home shown to agents": Trick(setting("sandbox.home_paths = ['.ssh']"), RUN),
    "setting: every variable for agents": Trick(setting("sandbox.pass_env = ['*']"), RUN),
}
IN_SHORT = ("link: the developer's prompt", "link: a spec", "setting: a prompt by its whole path")
# Says in its answer all that it was asked, as a prompt would reach a model, and writes what may be landed.
TELLS = "print(prompt)\n"


def reach_out(tally: Tally, desks: Desks, home: Path, secret: str, mode: str, *, short: bool) -> None:
    """Every trick, one repository each; the secret must be in no prompt, no record and nothing printed."""
    key = home / KEY
    key.write_text(f"# Spec 042: {secret}\n\n## Phase 1: {secret}\n\n- [ ] {secret}\n")

    def why(name: str) -> str:
        trick, desk = TRICKS[name], made[name]
        trick.make(desk.repo.path, key)
        desk.repo.git("config", "user.signingkey", secret)
        desk.repo.git("add", "-A")
        desk.repo.git("commit", "-qm", "as others wrote it")
        said = _said(desk, trick.words, mode)
        kept = held(desk.state) | {"what was printed": [(said.out + said.err).encode("utf8", "replace")]}
        leaks = found_in(secret, kept)
        if leaks:
            return f"is in {', '.join(leaks[:3])}"
        refused = name.startswith("setting") or "prompt" in name
        return f"was not refused: exit {said.code}" if refused and said.code != 2 else ""

    names = [name for name in TRICKS if not short or name in IN_SHORT]
    made = {name: desks.new() for name in names}
    each(tally, names, why)


def _said(desk: Desk, words: tuple[str, ...], mode: str) -> Said:
    if words[0] == "add":
        return desk.burnish(*words)
    desk.repo.path.joinpath(".git/info/exclude").write_text(".burnish/\n")
    writer, reviewer = desk.agent("writer", GOOD + TELLS), desk.agent("reviewer", TELLS + APPROVES)
    agents = ("--implementer", writer, "--reviewer", reviewer)
    return desk.burnish(*words, *agents, env={"BURNISH_SANDBOX_MODE": mode})


# Writes settings that name a program into every git directory of ours, by every way that git finds them.
TAMPERS = """
import json
program, state = json.loads(GIVEN)
text = ''.join('[filter "%s"]\\n\\tclean = %s\\n\\tsmudge = %s\\n\\trequired = true\\n' % (name, program, program) for name in ('evil', 'lfs'))
text += '[diff "evil"]\\n\\ttextconv = %s\\n[diff]\\n\\texternal = %s\\n' % (program, program)
text += '[core]\\n\\tfsmonitor = %s\\n\\tsshCommand = %s\\n\\talternateRefsCommand = %s\\n\\tpager = %s\\n\\thooksPath = %s.hooks\\n' % ((program,) * 5)
text += '[gpg]\\n\\tprogram = %s\\n[credential]\\n\\thelper = !%s\\n[include]\\n\\tpath = %s.include\\n' % ((program,) * 3)
Path('.gitattributes').write_text('* filter=evil diff=evil\\n')
Path('app.py').write_text(Path('app.py').read_text() + '# good\\n')
for store in [*Path(state).rglob('run.git'), *Path(state).rglob('mirror.git')]:
    try:
        with (store / 'config').open('a') as file:
            file.write(text + '[extensions]\\n\\tworktreeConfig = true\\n')
        (store / 'config.worktree').write_text(text)
        (store / 'info').mkdir(exist_ok=True)
        (store / 'info/attributes').write_text('* filter=evil diff=evil\\n')
        (store / 'hooks').mkdir(exist_ok=True)
        for name in ('reference-transaction', 'post-index-change', 'post-checkout'):
            (store / 'hooks' / name).symlink_to(program)
        if WAY == 'commondir':
            common = Path(program + '.common-' + store.name)
            for part in ('objects', 'refs', 'info'):
                (common / part).mkdir(parents=True, exist_ok=True)
            (common / 'HEAD').write_text('ref: refs/heads/work\\n')
            (common / 'config').write_text(text)
            (store / 'commondir').write_text(str(common) + '\\n')
    except OSError as error:
        print(error)
try:
    with (Path(state) / 'git/config').open('a') as file:
        file.write(text)
except OSError as error:
    print(error)
"""


def tamper(tally: Tally, desks: Desks, mode: str) -> None:
    """Nothing that an agent leaves in our git directories is started after it ended."""

    def why(way: str) -> str:
        desk = made[way]
        mark, program = desk.folder / "ran", desk.folder / "evil"
        program.write_text(f"#!/bin/sh\ntouch {shlex.quote(str(mark))}\ncat\n")
        program.chmod(0o755)
        given = repr(json.dumps([str(program), str(desk.state)]))
        body = TAMPERS.replace("GIVEN", given).replace("WAY", repr(way.rpartition(" ")[2]))
        said = desk.run("--sandbox", mode, "--gate", f"{sys.executable} -c pass", implement=body, fix=body)
        if mark.exists():
            return "a program of the agent was started after it ended"
        return (
            ""
            if said.end["outcome"] == "passed"
            else f"the run ended as {said.end['reason']}: it proves nothing"
        )

    ways = (f"{mode}: git settings by files", f"{mode}: git settings by commondir")
    made = {way: desks.new() for way in ways}
    each(tally, ways, why)
