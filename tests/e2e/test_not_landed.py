"""A pass whose result did not go where it was to go says so, and under --strict is no success."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.builds import DOCUMENT, REVIEWER, Builds, task
from tests.cli import Said, burnish, program
from tests.queues import APPROVER, WRITER, QueueBench
from tests.repos import TestRepo
from tests.slots import WRITER as SLOT_WRITER
from tests.slots import Slots, bead
from tests.specs import TWO, Specs
from tests.specs import WRITER as SPEC_WRITER

APPEND = "Path('app.py').write_text(Path('app.py').read_text() + '# more\\n')\n"
# A file that git refuses to take into any repository.
REFUSED = (
    "Path('.gitmodules').write_text('[submodule \"x\"]\\n\\tpath = x\\n\\turl = u\\n\\tupdate = !false\\n')\n"
)
Make = Callable[..., TestRepo]


def run(folder: Path, repo: TestRepo, implement: str, *more: str) -> Said:
    writer = program(folder, "writer", APPEND + implement)
    reviewer = program(folder, "reviewer", "print('**Verdict: APPROVED**')\n")
    agents = ("--implementer", writer, "--reviewer", reviewer, "--sandbox", "off")
    return burnish(repo.path, "run", "Add it", *agents, *more)


def edit(repo: TestRepo, name: str) -> str:
    """What a person does to the checkout while an agent is at work."""
    return f"Path({str(repo.path / name)!r}).write_text('meanwhile\\n')\n"


def moved(repo: TestRepo, branch: str) -> str:
    """What a person does to a branch while an agent is at work: back to where it began."""
    words = ["git", "-C", str(repo.path), "update-ref", f"refs/heads/{branch}", "main"]
    return f"import subprocess\nsubprocess.run({words}, check=True)\n"


@pytest.mark.parametrize(
    ("edited", "land", "why", "kept"),
    [
        ("", "branch", "but not landed: ", "names the place"),
        ("app.py", "apply", "but not applied: app.py changed since", "the result is on branch burnish/r-"),
        ("new.py", "apply", "but not applied: new.py changed since", "the result is on branch burnish/r-"),
    ],
    ids=["refused by git", "edited meanwhile", "added meanwhile"],
)
def test_a_run_that_is_not_landed_says_where_the_result_is_and_is_no_success_when_strict(
    tmp_path: Path, repo: Make, edited: str, land: str, why: str, kept: str
) -> None:
    mine = repo({"app.py": "x = 1\n"})
    implement = edit(mine, edited) if edited else REFUSED
    for strict, code in (((), 0), (("--strict",), 4)):
        mine.git("checkout", "-q", "--", ".")
        mine.git("clean", "-qfd")
        said = run(tmp_path, mine, implement, "--land", land, *strict)
        assert said.code == code, said.out + said.err
        [line] = [one for one in said.out.splitlines() if why in one]
        assert "APPROVED after 1 cycle" in line
        assert kept in line


def test_what_neither_the_checkout_nor_git_takes_is_kept_in_the_store(tmp_path: Path, repo: Make) -> None:
    mine = repo({"app.py": "x = 1\n"})
    end = run(tmp_path, mine, REFUSED + edit(mine, "app.py"), "--land", "apply", "--strict", "--json").end
    assert (end["outcome"], end["branch"], end["exit_code"]) == ("passed", None, 4)
    assert end["note"].startswith("not landed: ")
    assert end["commit"] in burnish(mine.path, "show", end["run"]).out


@pytest.mark.parametrize("land", ["branch", "apply", "none"])
def test_a_run_that_is_landed_as_asked_is_a_success_when_strict(
    tmp_path: Path, repo: Make, land: str
) -> None:
    said = run(tmp_path, repo({"app.py": "x = 1\n"}), "", "--land", land, "--strict")
    assert (said.code, "but not" in said.out) == (0, False), said.out + said.err


def test_a_task_whose_result_is_not_landed_says_so_where_it_ends(tmp_path: Path, repo: Make) -> None:
    bench = QueueBench(tmp_path, repo({"app.py": "x = 1\n"}))
    bench.configure(APPEND + REFUSED, APPROVER)
    bench.do("add", "Task one", "--auto-review")
    said = bench.do("work")
    [line] = [one for one in said.out.splitlines() if "APPROVED after" in one]
    assert "but not landed: " in line
    assert f"`burnish show {bench.task(1).task.run_id}` names the place" in line


def test_fixes_that_were_not_applied_are_not_called_landed(repo: Make) -> None:
    mine = repo({"calc.py": "x = 1\n"})
    mine.write("calc.py", "def nothing(a):\n    return a == None\n")
    meddle = f"echo '# mine' >> '{mine.path}/calc.py'"
    words = ("review", "--fix", "--sandbox", "off", "--run-unsandboxed", "--gate", meddle, "--land", "apply")
    said = burnish(mine.path, *words)
    assert "Landed:" not in said.out
    assert "Not applied: calc.py changed since the run started" in said.out, said.out + said.err
    assert "the result is on branch burnish/" in said.out


def test_a_spec_whose_branch_lost_a_phase_is_not_called_landed(tmp_path: Path, repo: Make) -> None:
    specs = Specs(tmp_path / "agents", repo({"specs/042-login.md": TWO, "app.py": "start\n"}))
    body = "if phase == 2:\n    " + moved(specs.repo, "burnish/spec-042-login").replace("\n", "\n    ") + "\n"
    specs.agent("implementer", SPEC_WRITER + body)
    said = specs.run()
    told = said.out + said.err
    assert said.code == 4, told
    assert "2 of 2 phases passed, but not landed: burnish/spec-042-login no longer has " in told
    assert "what passed is kept as a commit: git branch NAME " in told


def test_slots_whose_branch_lost_a_slot_are_not_called_landed(tmp_path: Path, repo: Make) -> None:
    slots = Slots(tmp_path / "agents", repo({"app.py": "start\n"}))
    slots.repo.git("branch", "line")
    slots.beads(bead("bd-1"), bead("bd-2"))
    body = "if bead == 'bd-2':\n    " + moved(slots.repo, "line").replace("\n", "\n    ") + "\n"
    slots.agent("implementer", SLOT_WRITER + body)
    said = slots.run("--onto", "line", code=4)
    assert "but not landed: line no longer has " in said.out + said.err


def test_a_build_whose_branch_lost_a_loop_is_not_called_landed(tmp_path: Path, repo: Make) -> None:
    tasks = (task("cart"), task("till", "cart"))
    builds = Builds(tmp_path / "agents", repo({"shop.md": DOCUMENT}), tasks, (("cart",), ("till",)))
    builds.repo.git("branch", "goal")
    body = "if mine['id'] == 'till':\n    " + moved(builds.repo, "goal").replace("\n", "\n    ") + "\n"
    builds.agent("reviewer", body + REVIEWER)
    said = builds.run("--effort", "low", "--onto", "goal")
    told = said.out + said.err
    assert said.code == 4, told
    assert "2 of 2 loops passed, but not landed: goal no longer has " in told
    assert "are on goal" not in told


def test_an_improvement_whose_branch_was_moved_meanwhile_lands_beside_it_and_says_so(
    tmp_path: Path, repo: Make
) -> None:
    bench = QueueBench(tmp_path, repo({"app.py": "x = 1\n"}))
    bench.configure()
    bench.do("add", "Add it", "-a", "--max-cycles", "1")
    bench.do("work")
    branch = bench.task(1).branch
    assert branch
    bench.configure(moved(bench.repo, branch) + WRITER)
    bench.do("improve", "1")
    said = bench.do("work")
    told = said.out + said.err
    assert f"but not landed: {branch} stays where it is: the branch {branch} was expected at " in told
    assert "; the result is on branch burnish/" in told
    assert bench.task(2).branch != branch
