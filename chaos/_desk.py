"""Where sections try things: a home of their own, copies of one repository, and `burnish run` in each."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.cli import TIMEOUT_S, Said, burnish, program
from tests.repos import Files, TestRepo, make_repo

from chaos.section import Tally

FILES: Files = {"app.py": "print('hi')\n"}
GOOD = "Path('app.py').write_text(Path('app.py').read_text() + '# good\\n')\n"
NOTHING = "pass\n"
APPROVES = "print('**Verdict: APPROVED**')\n"
# Reads what is there, as a reviewer should: approves what is good, and nothing else.
HONEST = "print('**Verdict: APPROVED**' if '# good' in Path('app.py').read_text() else '- not good\\n\\n**Verdict: CHANGES_REQUESTED**')\n"
AT_ONCE = 2


@contextmanager
def at_home(folder: Path) -> Iterator[Path]:
    """Nothing of this machine's home, git settings or Burnish state is seen or touched meanwhile."""
    kept = dict(os.environ)
    home = folder / "home"
    home.mkdir(parents=True, exist_ok=True)
    for name in [name for name in os.environ if name.startswith(("GIT_", "BURNISH_", "XDG_"))]:
        del os.environ[name]
    os.environ |= {
        f"XDG_{name}_HOME": str(home / name.lower()) for name in ("CONFIG", "STATE", "CACHE", "DATA")
    }
    os.environ |= {
        "HOME": str(home),
        "GIT_CONFIG_GLOBAL": str(home / "gitconfig"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "NO_COLOR": "1",
        "BURNISH_STATE": str(home / "burnish-state"),
    }
    try:
        yield home
    finally:
        os.environ.clear()
        os.environ.update(kept)


@dataclass(frozen=True)
class Desk:
    """One try: a repository, agents and a state folder that no other try sees."""

    folder: Path
    repo: TestRepo
    timeout_s: float = TIMEOUT_S

    @property
    def state(self) -> Path:
        return self.folder / "state"

    def agent(self, role: str, body: str) -> str:
        return program(self.folder / "agents", role, body)

    def burnish(self, *arguments: str, env: Mapping[str, str] | None = None) -> Said:
        own = {"BURNISH_STATE": str(self.state), **(env or {})}
        return burnish(self.repo.path, *arguments, env=own, timeout_s=self.timeout_s)

    def run(
        self,
        *extra: str,
        implement: str = GOOD,
        review: str = HONEST,
        fix: str = NOTHING,
        env: Mapping[str, str] | None = None,
    ) -> Said:
        roles = {"implementer": implement, "reviewer": review, "fixer": fix}
        agents = [word for role, body in roles.items() for word in (f"--{role}", self.agent(role, body))]
        return self.burnish("run", "Make it good", *agents, "--json", *extra, env=env)


class Desks:
    """Makes desks, each with a copy of the same repository."""

    def __init__(self, folder: Path, files: Files = FILES) -> None:
        self.folder = folder
        self.template = make_repo(folder / "template", files)
        self.made = 0

    def new(self) -> Desk:
        self.made += 1
        folder = self.folder / f"desk{self.made}"
        shutil.copytree(self.template.path, folder / "repo", symlinks=True)
        return Desk(folder, TestRepo(folder / "repo"))


def ended(said: Said) -> tuple[str, str, int]:
    """Outcome, reason and exit code; a command that refused has no outcome."""
    last: dict[str, Any] = said.events[-1] if said.out.strip() else {}
    return last.get("outcome", "refused"), last.get("reason", ""), said.code


def each(tally: Tally, what: Iterable[str], why_it_fell: Callable[[str], str]) -> None:
    """Try every one, two at a time; an empty answer is survival. Counted in the order given."""
    names = list(what)

    def tried(name: str) -> str:
        try:
            return why_it_fell(name)
        except AssertionError as error:  # tests.cli: a traceback was printed, or there was no end
            return f"broke: {str(error)[-400:]}"
        except subprocess.TimeoutExpired as error:
            return f"hung: nothing within {error.timeout:g} s"

    with ThreadPoolExecutor(AT_ONCE) as pool:
        for name, why in zip(names, pool.map(tried, names), strict=True):
            if why:
                tally.fall(name, " ".join(why.split()))
            else:
                tally.survive(name)
