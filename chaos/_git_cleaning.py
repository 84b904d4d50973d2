"""Git killed at every state-changing system call of `burnish clean`; cleaning again finishes it, unattended."""

from __future__ import annotations

import os
import random
import shutil
from dataclasses import dataclass
from pathlib import Path

from tests.cli import Said, burnish, program
from tests.repos import TestRepo, make_repo, run_git

from burnish.git.names import short_hash, slug
from chaos._desk import APPROVES, GOOD
from chaos._git_runs import Point, Tools
from chaos._many import inject
from chaos.section import Setting, Tally

IN_SHORT = 1
AT_ONCE = 3
TIMEOUT_S = 600
KEPT = "refs/burnish/base/r-kept/"


@dataclass(frozen=True)
class Cellar:
    """A repository and a state folder with a run that ended, whose base nobody else needs any more."""

    folder: Path

    @property
    def user(self) -> TestRepo:
        return TestRepo(self.folder / "user")

    @property
    def state(self) -> Path:
        return self.folder / "state"

    @property
    def tools(self) -> Path:
        return self.folder / "tools"

    @property
    def mirror(self) -> Path:
        [found] = self.state.glob("repos/*/mirror.git")
        return found

    def burnish(self, *words: str, search: str = "") -> Said:
        env = {"BURNISH_STATE": str(self.state)} | (
            {"PATH": f"{search}:{os.environ['PATH']}"} if search else {}
        )
        return burnish(self.user.path, *words, env=env, timeout_s=TIMEOUT_S)

    def clean(self) -> Said:
        for path in self.tools.glob("count.*"):
            path.unlink()
        return self.burnish("clean", "--days", "0", search=str(self.tools))

    def copied(self, folder: Path, tools: Tools) -> Cellar:
        """Our folder of a repository is named after the place the repository is at."""
        shutil.copytree(self.user.path, folder / "user", symlinks=True)
        shutil.copytree(self.state, folder / "state", symlinks=True)
        made = Cellar(folder)
        own = made.mirror.parent
        own.rename(own.with_name(named(made.user)))
        tools.put_in_front(made.tools)
        return made

    def git(self, *words: str) -> str:
        return run_git(self.mirror, f"--git-dir={self.mirror}", *words).decode().strip()

    def check(self, objects: str) -> None:
        """The run is gone with its pin and its objects; what is pinned besides is whole, and nothing is left."""
        assert self.git("for-each-ref", "--format=%(refname)").startswith(KEPT), "the kept pin is gone"
        assert "\n" not in self.git("for-each-ref"), "the pin of the removed run is there"
        self.git("fsck", "--strict")
        assert stored(self) == objects, "objects that nobody needs were kept, or others lost"
        assert list(self.mirror.parent.glob("runs/*")) == [], "the folder of the removed run is there"
        left = [path for path in self.mirror.rglob("*") if path.name.endswith(".lock") or "tmp" in path.name]
        left += self.mirror.parent.glob("*.cleaning")
        assert left == [], f"left: {[path.name for path in left]}"
        self.user.git("fsck", "--strict")


def named(user: TestRepo) -> str:
    real = (user.path / ".git").resolve()
    return f"{slug(real.parent.name)}-{short_hash(os.fsencode(real))}"


def stored(cellar: Cellar) -> str:
    return cellar.git("cat-file", "--batch-all-objects", "--batch-check")


def furnished(folder: Path) -> Cellar:
    """Two states of the repository were pinned: one for a run that ended, one under another name."""
    cellar = Cellar(folder)
    user = make_repo(folder / "user", {"app.py": "one\n", "d/b.py": "two\n"})
    kept = user.head
    user.commit("dropped later", {f"d/{number}.py": f"{number}\n" for number in range(12)})
    agents = [
        word
        for role, body in (("implementer", GOOD), ("reviewer", APPROVES))
        for word in (f"--{role}", program(folder / "agents", role, body))
    ]
    said = cellar.burnish("run", "Make it good", *agents, "--land", "none", "--json")
    assert said.end["outcome"] == "passed", said.err
    cellar.git("update-ref", f"{KEPT}{kept}", kept)
    return cellar


def cleaning(setting: Setting, tally: Tally, tools: Tools) -> None:
    template = furnished(setting.folder / "cellar")
    whole = template.copied(setting.folder / "cleaned", tools)
    (whole.tools / "record").mkdir()
    before = stored(whole)
    said = whole.clean()
    assert said.code == 0, said.err
    objects = stored(whole)
    assert objects != before, "there was nothing to prune"
    whole.check(objects)
    points = tools.found_in(whole.tools / "record")
    chosen = random.Random(setting.seed).sample(points, IN_SHORT) if setting.short else points
    missed: list[Point] = []

    def work(point: Point) -> None:
        cellar = template.copied(setting.folder / f"clean-{point.slug}", tools)
        if not killed_and_repeated(cellar, point, objects):
            missed.append(point)

    inject(tally, work, [(f"clean: {point}", point) for point in chosen], AT_ONCE)
    tally.injected -= len(missed)
    tally.survived -= len(missed)
    verbs = ", ".join(sorted({point.verb for point in points}))
    tally.note(
        f"`burnish clean`: {len(points)} points in {verbs} ({len(missed)} did not come again and are not counted)"
    )


def killed_and_repeated(cellar: Cellar, point: Point, objects: str) -> bool:
    """False when git was never killed, because that call did not come."""
    (cellar.tools / "order").write_text(f"{point.order}\n")
    said = cellar.clean()
    killed = (cellar.tools / "killed").exists()
    (cellar.tools / "order").unlink()
    if killed:
        lines = [line for line in said.err.splitlines() if line]
        assert said.code == 0 or (said.code == 1 and 1 <= len(lines) <= 2), f"{said.code}: {said.err}"
        again = cellar.clean()
        assert again.code == 0, again.err
        cellar.check(objects)
    shutil.rmtree(cellar.folder)
    return killed
