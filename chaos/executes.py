"""Reviewing and fixing hostile repositories: none of their code or configuration is run, tests only in a sandbox.

Every trick is tried with the sandbox switched off, and on a machine without bubblewrap by a plain `review --fix`.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

from tests.cli import Said, burnish
from tests.no_bwrap import Machine, burnish_on
from tests.repos import TestRepo, make_repo

from burnish.process import bubblewrap
from chaos import _unasked
from chaos._many import alone, inject
from chaos._tricks import TRICKS, lay, walks_in
from chaos.section import Setting, Tally

CLEAN = "def same(a, b):\n    return a == b\n"
FLAWED = f"{CLEAN}\n\ndef nothing(a):\n    return a == None\n"
FILES = {
    "calc.py": CLEAN, "page.js": "export const one = 1;\n", "run.sh": "#!/bin/sh\necho hi\n",
    "Dockerfile": "FROM scratch\n",
}  # fmt: skip
CHANGED = {
    "calc.py": FLAWED,
    "page.js": "export const two = eval('1 + 1');\n",
    "run.sh": "#!/bin/sh\necho $1\n",
}
READ = ("review", "--no-tests", "--sandbox", "off")
QUICK = (*READ, "--fix")
# As a user calls it who has no bubblewrap: nothing is left out, and nothing is switched off.
PLAIN = ("review", "--fix")
# The test command of the base, which loads what the change brings.
RUNNER = (
    "import unittest\n\nimport test_mark\n\ntry:\n    import conftest\nexcept ImportError:\n    conftest = None\n\n\n"
    "class Marks(unittest.TestCase):\n    def test_it(self):\n        test_mark.test_leaves_a_mark()\n\n\nunittest.main()\n"
)
HARMLESS = "import pathlib\n\ntry:\n    pathlib.Path({mark!r}).touch()\nexcept OSError:\n    pass\n"
TEST = (
    "import pathlib\n\n\ndef test_leaves_a_mark():\n"
    "    try:\n        pathlib.Path({mark!r}).write_text('ran')\n    except OSError:\n        pass\n"
    "    raise AssertionError('the test was run here')\n"
)


@dataclass(frozen=True)
class Den:
    """A repository with tricks in it, and a folder in which each that works leaves a mark."""

    repo: TestRepo
    folder: Path

    @property
    def marks(self) -> Path:
        return self.folder / "marks"

    def mark(self, name: str) -> Path:
        return self.marks / "".join(letter if letter.isalnum() else "-" for letter in name)

    def burnish(self, *words: str, env: dict[str, str], machine: Machine | None = None) -> Said:
        own = {**env, "BURNISH_STATE": str(self.folder / "state")}
        if machine is None:
            return burnish(self.repo.path, *words, env=own)
        return burnish_on(machine, self.repo.path, *words, env=own, timeout_s=240)


def section(setting: Setting, tally: Tally) -> None:
    names = list(TRICKS)
    with alone(setting.folder):
        if not setting.short:
            inject(tally, lambda name: _alone(setting, name, None), [(name, name) for name in names])
            for machine in Machine:
                there = [(f"{machine}, {name}", name) for name in names]
                inject(tally, lambda name, machine=machine: _alone(setting, name, machine), there)
            real = [name for name in names if _is_real(setting, name)]
            tally.note(
                f"{len(names)} tricks; plain tools called in the same repository walk into {len(real)} of them; "
                "not shown to work here: " + ", ".join(name for name in names if name not in real)
            )
        for when in ("in the change", *(() if setting.short else ("in the base",))):
            for machine in (None, *(() if setting.short else Machine)):
                _together(setting, tally, when, machine)
        _program_of_the_change(setting, tally)
        _tests(setting, tally)
        _unasked_tests(setting, tally)


def _den(folder: Path) -> Den:
    den = Den(make_repo(folder / "repo", FILES), folder)
    den.marks.mkdir()
    return den


def _flaw(den: Den) -> None:
    for path, text in CHANGED.items():
        den.repo.write(path, text)


def _worked(den: Den, said: Said, before: dict[str, str]) -> None:
    """The review must have been made, else nothing is shown; and the user's files are as they were."""
    assert said.code in (0, 1), f"exit {said.code}: {said.err[-300:]}"
    fixed = any(name.startswith("burnish/fix-") for name in den.repo.branches)
    assert fixed or "calc.py:6" in said.out, (
        f"nothing was found or fixed: {said.out[-300:]} {said.err[-300:]}"
    )
    after = den.repo.fingerprint()
    changed = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
    assert changed == [], f"changed in the user's repository: {changed}"


def _alone(setting: Setting, name: str, machine: Machine | None) -> None:
    den = _den(setting.folder / f"alone-{_place(machine)}-{list(TRICKS).index(name)}")
    env = lay(TRICKS[name], den.repo, den.mark(name))
    if not TRICKS[name].config:
        den.repo.commit("base")
    _flaw(den)
    before = den.repo.fingerprint()
    said = den.burnish(*(PLAIN if machine else QUICK), env=env, machine=machine)
    found = sorted(path.name for path in den.marks.iterdir())
    assert found == [], "its code was run"
    _worked(den, said, before)


def _is_real(setting: Setting, name: str) -> bool:
    den = _den(setting.folder / f"plain-{list(TRICKS).index(name)}")
    lay(TRICKS[name], den.repo, den.mark(name))
    _flaw(den)
    return walks_in(TRICKS[name], den.repo, den.mark(name))


def _place(machine: Machine | None) -> str:
    return machine.name if machine else "HERE"


def _together(setting: Setting, tally: Tally, when: str, machine: Machine | None) -> None:
    """All tricks in one tree: counted one by one, by their marks."""
    den = _den(setting.folder / f"together-{_place(machine)}-{when.replace(' ', '-')}")
    when = f"{machine}, {when}" if machine else when
    env: dict[str, str] = {}
    for name, trick in TRICKS.items():
        if trick.config and when.endswith("in the base"):
            continue
        env |= lay(trick, den.repo, den.mark(name))
    if when.endswith("in the base"):
        den.repo.commit("base")
    _flaw(den)
    before = den.repo.fingerprint()
    result = Tally()
    words = PLAIN if machine else READ if setting.short else QUICK

    def reviewed(_: None) -> None:
        _worked(den, den.burnish(*words, env=env, machine=machine), before)

    inject(result, reviewed, [("the review itself", None)])
    for name in TRICKS:
        if den.mark(name).exists():
            tally.fall(f"{when}, {name}", "its code was run")
        elif result.fallen:
            tally.fall(f"{when}, {name}", result.fallen[0])
        else:
            tally.survive(name)


def _program_of_the_change(setting: Setting, tally: Tally) -> None:
    """Settings that name programs count from the base or the user, never from the change under review."""

    def work(text: str) -> None:
        den = _den(setting.folder / f"settings-{len(text)}")
        _flaw(den)
        den.repo.write("burnish.toml", text.format(mark=den.mark("x")))
        before = den.repo.fingerprint()
        said = den.burnish("review", "--fix", "--sandbox", "off", env={})
        assert list(den.marks.iterdir()) == [], "what the change names was run"
        _worked(den, said, before)

    settings = {
        "a gate named by the change": "[gate]\ncommand = \"touch '{mark}'\"\n",
        "an agent named by the change": "[agents]\nfixer = \"touch '{mark}'\"\n[review]\nagents = [\"touch '{mark}'\"]\n",
    }
    chosen = list(settings.items())[: 1 if setting.short else None]
    inject(tally, work, chosen)


def _tests(setting: Setting, tally: Tally) -> None:
    """The test command is the one thing that is run: in the sandbox, where its mark stays."""
    if bubblewrap.usable() is None:
        tally.note("skipped: tests in a sandbox, bubblewrap is not usable here")
        return

    def work(_: str) -> None:
        den = _den(setting.folder / "tests")
        den.repo.commit(
            "base", {"runner.py": RUNNER, "test_mark.py": "def test_leaves_a_mark():\n    pass\n"}
        )
        den.repo.write("test_mark.py", TEST.format(mark=str(den.mark("tests"))))
        den.repo.write("conftest.py", HARMLESS.format(mark=str(den.mark("conftest"))))
        before = den.repo.fingerprint()
        words = ("review", "--sandbox", "require", "--format", "json", "--gate", "python3 runner.py")
        said = den.burnish(*words, env={})
        found = sorted(path.name for path in den.marks.iterdir())
        assert found == [], f"a test reached out of its sandbox: {found}"
        told = json.loads(said.out)["findings"]
        assert any("test_it" in str(item) for item in told), f"the tests were not run: {said.err[-300:]}"
        assert den.repo.fingerprint() == before, "the user's repository changed"

    inject(tally, work, [("tests of the repository, sandboxed", "")])
    shutil.rmtree(setting.folder / "tests", ignore_errors=True)


def _unasked_tests(setting: Setting, tally: Tally) -> None:
    """Tests on a machine without bubblewrap: not run, however they are asked for, unless a person allows it."""
    suites, ways = _unasked.SUITES, _unasked.WAYS
    chosen = _unasked.SHORT if setting.short else [(way, suite) for way in ways for suite in suites]
    machines = [Machine.NONE] if setting.short else list(Machine)
    asked = [(f"{m}, {way}, {suite}", (m, way, suite)) for way, suite in chosen for m in machines]

    def work(one: tuple[Machine, str, str]) -> None:
        machine, way, suite = one
        place = f"unasked-{machine.name}-{list(ways).index(way)}-{suite}"
        _unasked.stays_unexecuted(setting.folder / place, suites[suite], ways[way], machine)

    inject(tally, work, asked)
    shown = list(suites)[: 1 if setting.short else None]
    inject(
        tally,
        lambda name: _unasked.is_executed_where_allowed(setting.folder / f"allowed-{name}", suites[name]),
        [(f"{name}, allowed by --run-unsandboxed", name) for name in shown],
    )
