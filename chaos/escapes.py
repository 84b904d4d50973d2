"""Fixers led astray by links, names, special files and folders swapped under them: nothing outside changes."""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.cli import burnish, start
from tests.repos import TestRepo, hash_folder, make_repo

from burnish import codec
from burnish.errors import BurnishError
from burnish.fixers._choose import code_fixers
from burnish.fixers.formatter import OPTION, Style
from burnish.model.review import Finding
from burnish.ports import CodeFixer
from burnish.process.environment import child_environment
from burnish.process.tool_setup import ToolSetup
from chaos._many import alone, inject
from chaos.review import reached
from chaos.section import Setting, Tally

PYTHON = "import os\n\n\ndef first(a):\n    b = 1\n    return a == None\n"
SCRIPT = "var x = 1;\nconsole.log(x);\n"
# Which finding each fixer is asked to repair: name, unsafe, rule, line, suffix.
ASKED = (
    ("codemods", False, "ruff:E711", 6, ".py"),
    ("ruff-fix", False, "ruff:F401", 1, ".py"),
    ("ruff-unsafe-fix", True, "ruff:F841", 5, ".py"),
    ("oxlint-fix", False, "oxlint:no-var", 1, ".js"),
)
HUNG_S = 60.0
SWAPS = 40
GATE = "true"


@dataclass(frozen=True)
class Field:
    """A workspace, and beside it what must stay as it is."""

    folder: Path
    suffix: str

    @property
    def workspace(self) -> Path:
        return self.folder / "workspace"

    @property
    def outside(self) -> Path:
        return self.folder / "outside"

    @property
    def victim(self) -> Path:
        return self.outside / f"victim{self.suffix}"

    @property
    def text(self) -> str:
        return PYTHON if self.suffix == ".py" else SCRIPT

    def plant(self) -> Path:
        """The victim outside, and a file of the same text inside."""
        for folder in (self.workspace, self.outside):
            folder.mkdir(parents=True)
        self.victim.write_text(self.text)
        return self.victim


def _linked(field: Field) -> str:
    (field.workspace / f"link{field.suffix}").symlink_to(field.victim)
    return f"link{field.suffix}"


def _linked_twice(field: Field) -> str:
    (field.workspace / "one").symlink_to(field.victim)
    (field.workspace / f"two{field.suffix}").symlink_to("one")
    return f"two{field.suffix}"


def _linked_folder(field: Field) -> str:
    (field.workspace / "low").symlink_to(field.outside)
    return f"low/{field.victim.name}"


def _linked_deep(field: Field) -> str:
    (field.workspace / "a/b").mkdir(parents=True)
    (field.workspace / "a/b/c").symlink_to("../../../outside")
    return f"a/b/c/{field.victim.name}"


def _hard(field: Field) -> str:
    (field.workspace / f"hard{field.suffix}").hardlink_to(field.victim)
    return f"hard{field.suffix}"


def _absolute(field: Field) -> str:
    return str(field.victim)


def _upwards(field: Field) -> str:
    return f"../outside/{field.victim.name}"


def _upwards_inside(field: Field) -> str:
    (field.workspace / "a").mkdir()
    return f"a/../../outside/{field.victim.name}"


def _through_proc(field: Field) -> str:
    return f"/proc/self/root{field.victim}"


def _of_git(field: Field) -> str:
    (field.workspace / ".git").mkdir()
    (field.workspace / ".git" / f"x{field.suffix}").write_text(field.text)
    return f".git/x{field.suffix}"


def _of_git_in_capitals(field: Field) -> str:
    (field.workspace / ".GIT").symlink_to(field.outside)
    return f".GIT/{field.victim.name}"


def _pipe(field: Field) -> str:
    os.mkfifo(field.workspace / f"pipe{field.suffix}")
    return f"pipe{field.suffix}"


def _pipe_beside(field: Field) -> str:
    """The file is a plain one; who looks around in the workspace must not wait for the pipe."""
    os.mkfifo(field.workspace / "beside.py")
    (field.workspace / f"plain{field.suffix}").write_text(field.text)
    return f"plain{field.suffix}"


def _socket(field: Field) -> str:
    here = Path.cwd()
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(os.path.relpath(field.workspace / f"s{field.suffix}", here))
    return f"s{field.suffix}"


def _folder(field: Field) -> str:
    (field.workspace / f"folder{field.suffix}").mkdir()
    return f"folder{field.suffix}"


def _new_line(field: Field) -> str:
    (field.workspace / f"new\nline{field.suffix}").write_text(field.text)
    return f"new\nline{field.suffix}"


def _option(field: Field) -> str:
    (field.workspace / f"--config=x{field.suffix}").write_text(field.text)
    return f"--config=x{field.suffix}"


def _nothing(field: Field) -> str:
    return f"nothing{field.suffix}"


def _nul(field: Field) -> str:
    return f"a\0b{field.suffix}"


def _long(field: Field) -> str:
    return "x" * 5000 + field.suffix


PLANTED: dict[str, Callable[[Field], str]] = {
    "a symlink": _linked,
    "a symlink to a symlink": _linked_twice,
    "a symlinked folder": _linked_folder,
    "a symlinked folder far down": _linked_deep,
    "a hard link": _hard,
    "an absolute path": _absolute,
    "a path upwards": _upwards,
    "a path upwards from inside": _upwards_inside,
    "a path through /proc": _through_proc,
    "a file of git": _of_git,
    "a folder .GIT that leads out": _of_git_in_capitals,
    "a named pipe": _pipe,
    "a named pipe beside it": _pipe_beside,
    "a socket": _socket,
    "a folder": _folder,
    "a line feed in the name": _new_line,
    "a name like an option": _option,
    "a name that is not there": _nothing,
    "a zero byte in the name": _nul,
    "a name of 5,000 letters": _long,
}


def section(setting: Setting, tally: Tally) -> None:
    with alone(setting.folder):
        chance = random.Random(setting.seed)
        cases = [(name, asked) for name in PLANTED for asked in ASKED]
        for number, asked in enumerate(ASKED):
            _works(setting.folder / f"plain-{number}", asked)
        if setting.short:
            cases = [(name, chance.choice(ASKED)) for name in PLANTED]
        numbered = [
            (f"{name}, {asked[0]}", (number, name, asked)) for number, (name, asked) in enumerate(cases)
        ]
        inject(tally, lambda case: _planted(setting.folder, *case), numbered)
        _swapped(setting, tally)
        whole = list(WHOLE.items())
        if setting.short:
            whole = chance.sample(whole, 1)
        inject(
            tally, lambda case: _whole(setting.folder, case), [(name, (name, deed)) for name, deed in whole]
        )


def fixer_of(asked: tuple[str, bool, str, int, str], scratch: Path) -> CodeFixer:
    """With a formatter around it, which reads and writes once more."""
    setup = ToolSetup(
        env=child_environment(os.environ), scratch=scratch, options={OPTION: codec.encode(Style())}
    )
    return next(fixer for fixer in code_fixers(setup) if fixer.name == asked[0])


def _repair(asked: tuple[str, bool, str, int, str], workspace: Path, path: str, scratch: Path) -> str:
    """What the fixer said; an error of ours is a refusal. Nobody waits for it for ever."""
    _, _, rule, line, _ = asked
    finding = Finding("x", file=path, line=line, rule=rule, fixable=True)
    fixer, said = fixer_of(asked, scratch), []

    def work() -> None:
        try:
            said.append(asyncio.run(fixer.fix(finding, workspace)))
        except BurnishError as error:
            said.append(f"refused: {error.message}")

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(HUNG_S)
    assert not thread.is_alive(), "it hangs"
    assert said, "it broke: see the traceback"
    return said[0]


def _works(folder: Path, asked: tuple[str, bool, str, int, str]) -> None:
    """Without a trick the fixer does its work, so that a refusal says something."""
    field = Field(folder, asked[4])
    field.plant()
    (field.workspace / f"plain{field.suffix}").write_text(field.text)
    said = _repair(asked, field.workspace, f"plain{field.suffix}", folder / "scratch")
    changed = (field.workspace / f"plain{field.suffix}").read_text() != field.text
    assert changed, f"{asked[0]} does nothing with a plain file: {said}"


def _planted(above: Path, number: int, name: str, asked: tuple[str, bool, str, int, str]) -> None:
    field = Field(above / f"planted-{number}", asked[4])
    field.plant()
    path = PLANTED[name](field)
    outside, links = hash_folder(field.outside), _links(field.workspace)
    git = hash_folder(field.workspace / ".git")
    _repair(asked, field.workspace, path, field.folder / "scratch")
    assert hash_folder(field.outside) == outside, "what is outside changed"
    assert _links(field.workspace) == links, "a link was replaced"
    assert hash_folder(field.workspace / ".git") == git, "a file of git changed"
    left = [entry.name for entry in field.workspace.rglob(".burnish-*")]
    assert left == [], f"left behind: {left}"


def _links(folder: Path) -> dict[str, str]:
    return {str(path): str(path.readlink()) for path in folder.rglob("*") if path.is_symlink()}


def _swapped(setting: Setting, tally: Tally) -> None:
    """A folder that is now a folder, now a link to the victim's, as fast as it goes, while fixers write."""
    field = Field(setting.folder / "swapped", ".py")
    field.plant()
    (field.workspace / "low").mkdir()
    inside = field.workspace / "low" / field.victim.name
    over = threading.Event()

    def swap() -> None:
        parked, link = field.workspace / "parked", field.workspace / "link"
        while not over.is_set():
            link.symlink_to(field.outside)
            (field.workspace / "low").rename(parked)
            link.rename(field.workspace / "low")
            (field.workspace / "low").unlink()
            parked.rename(field.workspace / "low")

    swapper = threading.Thread(target=swap, daemon=True)
    before = hash_folder(field.outside)
    inside.write_text(field.text)
    swapper.start()

    def work(number: int) -> None:
        try:
            _repair(ASKED[0], field.workspace, f"low/{field.victim.name}", setting.folder / "scratch")
        finally:
            assert hash_folder(field.outside) == before, "what is outside changed"

    times = 5 if setting.short else SWAPS
    inject(
        tally, work, [(f"a folder swapped for a link, time {number}", number) for number in range(times)], 1
    )
    over.set()
    swapper.join(10)


# Whole commands, on repositories that lead outside.

Deed = Callable[["Yard"], None]


@dataclass(frozen=True)
class Yard:
    """A user's repository with a flawed file, and a folder beside it that must stay as it is."""

    repo: TestRepo
    outside: Path

    @property
    def victim(self) -> Path:
        return self.outside / "calc.py"

    def burnish(self, *words: str) -> str:
        said = burnish(self.repo.path, *words, env=self.env)
        assert said.code in (0, 1, 2), f"exit {said.code}: {said.err[-300:]}"
        return said.out + said.err

    @property
    def env(self) -> dict[str, str]:
        return {"BURNISH_STATE": str(self.outside.parent / "state")}

    def export(self, *paths: str) -> Path:
        findings = [
            {"id": f"bp-{n:03}-0a1b2c3d", "title": "None", "severity": "high", "file": path, "line": 6, "rule": "ruff:E711"}
            for n, path in enumerate(paths, 1)
        ]  # fmt: skip
        file = self.outside.parent / "fix-export-1.json"
        file.write_text(json.dumps({"findings": findings}))
        return file


FIX = ("--gate", GATE, "--sandbox", "off", "--run-unsandboxed", "--land", "apply")
REVIEW = ("review", "--fix", "--no-tests", "--sandbox", "off", "--land", "apply")


def tracked_link(yard: Yard) -> None:
    (yard.repo.path / "link.py").symlink_to(yard.victim)
    (yard.repo.path / "low").symlink_to(yard.outside)
    yard.repo.commit("links")
    yard.burnish("fix", str(yard.export("link.py", "low/calc.py", "calc.py")), *FIX)
    assert (yard.repo.path / "link.py").is_symlink()


def hard_link(yard: Yard) -> None:
    (yard.repo.path / "calc.py").unlink()
    (yard.repo.path / "calc.py").hardlink_to(yard.victim)
    said = yard.burnish("fix", str(yard.export("calc.py")), *FIX)
    assert "is None" in (yard.repo.path / "calc.py").read_text(), f"nothing was fixed: {said[-300:]}"


def swapped_after_review(yard: Yard) -> None:
    yard.repo.commit("low", {"low/calc.py": PYTHON})
    export = yard.export("low/calc.py")
    shutil.rmtree(yard.repo.path / "low")
    (yard.repo.path / "low").symlink_to(yard.outside)
    yard.burnish("fix", str(export), *FIX)
    assert (yard.repo.path / "low").is_symlink()


def swapped_before_landing(yard: Yard) -> None:
    yard.repo.commit("low", {"low/calc.py": PYTHON})
    child = start(yard.repo.path, "fix", str(yard.export("low/calc.py")), *FIX, env=yard.env)
    assert reached(child, "Phase 8"), "the fixes never began"
    shutil.rmtree(yard.repo.path / "low")
    (yard.repo.path / "low").symlink_to(yard.outside)
    out, err = child.communicate(timeout=240)
    assert b"not applied" in out + err, f"applied through a link: {err[-300:]!r}"


def files_led_outside(yard: Yard) -> None:
    """The folder of rendered files, or one in it, leads outside."""
    (yard.repo.path / ".burnish/sessions").mkdir(parents=True)
    (yard.repo.path / ".burnish/sessions/WFS-x").symlink_to(yard.outside)
    burnish(yard.repo.path, "session", "start", "x", env=yard.env)
    yard.repo.write("calc.py", PYTHON + "\n\nY = 1 == None\n")
    said = yard.burnish(*REVIEW, "WFS-x")
    assert "could not be written" in said, f"nothing was said: {said[-300:]}"


def files_hard_linked(yard: Yard) -> None:
    burnish(yard.repo.path, "session", "start", "x", env=yard.env)
    folder = yard.repo.path / ".burnish/sessions/WFS-x/.review"
    folder.mkdir(parents=True)
    (folder / "review-state.json").hardlink_to(yard.victim)
    (folder / "fixes").mkdir()
    (folder / "fixes/fix-history.json").symlink_to(yard.victim)
    yard.repo.write("calc.py", PYTHON + "\n\nY = 1 == None\n")
    yard.burnish(*REVIEW, "WFS-x")


WHOLE: dict[str, Deed] = {
    "tracked links, whole": tracked_link,
    "a hard link in the checkout, applied": hard_link,
    "a folder swapped between review and fix": swapped_after_review,
    "a folder swapped between fix and landing": swapped_before_landing,
    "our own folder leads outside": files_led_outside,
    "our own files are links": files_hard_linked,
}


def _whole(above: Path, case: tuple[str, Deed]) -> None:
    name, deed = case
    folder = above / name.replace(" ", "-").replace(",", "")
    yard = Yard(make_repo(folder / "repo", {"calc.py": PYTHON}), folder / "outside")
    yard.outside.mkdir()
    yard.victim.write_text(PYTHON)
    before = hash_folder(yard.outside)
    deed(yard)
    assert hash_folder(yard.outside) == before, "what is outside changed"
