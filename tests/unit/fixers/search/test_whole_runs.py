"""Test commands that are neither pytest nor unittest: each candidate is a run of all of it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest

from burnish.fixers.search import repair_folder
from burnish.fixers.search._baseline import Baseline, look
from burnish.fixers.search._contexts import guessed, named, shared
from burnish.fixers.search._editable import editable
from burnish.fixers.search._jobs import Job, NotServed, Replacement, Told
from burnish.fixers.search._judges import judges_among, started_by
from burnish.fixers.search._outcomes import OTHERS, Before, Printed, again, first
from burnish.fixers.search._whole_runs import WholeRuns, whole_runs
from burnish.process.environment import child_environment
from burnish.process.tool_setup import ToolSetup
from burnish.suite_output import Failure, Layout

Found = TypeVar("Found")
ENV = child_environment({"PATH": "/usr/bin:/bin"})
LAYOUT = Layout("/work", frozenset({"calc.py", "checks.py"}))
CALC = """def add(a, b):
    return a - b


def double(a):
    return a * 2
"""
CHECKS = """import calc


def check(name, ok):
    print(("PASS: " if ok else "FAIL: ") + name)
    return ok


def test_adding():
    return check("test_adding one and two", calc.add(1, 2) == 3)


def test_doubling():
    return check("test_doubling", calc.double(4) == 8)


raise SystemExit(test_adding() + test_doubling() != 2)
"""
COMMAND = f"{sys.executable} checks.py"
ADDING = "test_adding one and two"
PLUS = {"calc.py": (Replacement(CALC.index("-"), CALC.index("-") + 1, b"+"),)}
TIMES = {"calc.py": (Replacement(CALC.index("-"), CALC.index("-") + 1, b"*"),)}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "calc.py").write_text(CALC)
    (folder / "checks.py").write_text(CHECKS)
    return folder


def in_a_copy(project: Path, use: Callable[[WholeRuns], Awaitable[Found]], command: str = COMMAND) -> Found:
    async def used() -> Found:
        place = project.parent / "place"
        place.mkdir()
        async with whole_runs(ToolSetup(ENV), project, place, command, Before()) as one:
            return await use(one)

    return asyncio.run(used())


def test_a_script_that_prints_a_line_for_each_test_is_enough(project: Path) -> None:
    repair = asyncio.run(repair_folder(project, COMMAND, 60, test=ADDING))
    assert repair.files == {"calc.py": CALC.replace("a - b", "a + b")}
    assert "passes the test that failed and the 1 that passed before" in repair.said
    assert (project / "calc.py").read_text() == CALC


def test_lines_are_known_by_test_and_the_script_itself_is_no_suspect(project: Path) -> None:
    async def looked(one: WholeRuns) -> Baseline:
        return await look(one, project, ("calc.py",), ADDING, 60)

    base = in_a_copy(project, looked, f"PYTHONPATH=. {COMMAND}")
    assert base.targets == (ADDING,)
    assert base.passing == ("test_doubling",)
    assert base.suspects[0].file == "calc.py"
    assert base.suspects[0].line == 2
    assert base.lines["test_doubling"]["calc.py"] == {6}


def test_edits_of_one_length_within_one_second_are_not_mixed_up_and_all_is_put_back(project: Path) -> None:
    async def tried(one: WholeRuns) -> list[Told]:
        jobs = [Job(30.0), Job(30.0, edits=TIMES), Job(30.0, edits=PLUS), Job(30.0)]
        told = [await one.do(job) for job in jobs]
        assert (one.copy.tree / "calc.py").read_text() == CALC
        return told

    assert [one.failing for one in in_a_copy(project, tried)] == [(ADDING,), (ADDING,), (), (ADDING,)]


def test_tests_that_turn_a_folder_into_a_link_out_of_the_copy_reach_nothing_there(project: Path) -> None:
    outside = project.parent / "outside"
    (project / "inner").mkdir()
    for folder in (outside, project / "inner"):
        folder.mkdir(exist_ok=True)
        (folder / "calc.py").write_text(CALC)
    spoil = f"{COMMAND}; rm -rf inner; ln -s {outside} inner; false"

    async def tried(one: WholeRuns) -> None:
        assert ADDING in (await one.do(Job(30.0))).failing
        with pytest.raises(NotServed):
            await one.do(Job(30.0, edits={"inner/calc.py": PLUS["calc.py"]}))

    in_a_copy(project, tried, spoil)
    assert (outside / "calc.py").read_text() == CALC


QUIET = """import calc


def test_adding():
    assert calc.add(1, 2) == 3


def test_doubling():
    assert calc.double(4) == 8


for test in (test_adding, test_doubling):
    try:
        test()
    except AssertionError:
        print(f"FAIL: {test.__name__}")
"""


@pytest.mark.parametrize("leave", ["raise SystemExit(0)", "import os; os._exit(0)"])
def test_a_candidate_that_ends_early_is_no_repair_where_only_failures_are_told(
    project: Path, leave: str
) -> None:
    minus = CALC.index("return a - b")
    early = {"calc.py": (Replacement(minus, minus + len("return a - b"), leave.encode()),)}

    async def tried(one: WholeRuns) -> list[bool]:
        jobs = [Job(30.0), Job(30.0, edits=early), Job(30.0, edits=PLUS)]
        return [(await one.do(job)).passes(("test_adding", "__main__.test_doubling")) for job in jobs]

    (project / "checks.py").write_text(QUIET)
    assert in_a_copy(project, tried)[1:] == [False, True]


def test_a_candidate_that_never_ends_passes_nothing(project: Path) -> None:
    endless = {"calc.py": (Replacement(CALC.index("return a -"), CALC.index(" - b"), b"while 1: a"),)}

    async def tried(one: WholeRuns) -> Told:
        await one.do(Job(30.0))
        return await one.do(Job(0.5, edits=endless))

    told = in_a_copy(project, tried)
    assert not told.finished
    assert not told.passes((ADDING,))


BEFORE = "FAIL: one\nPASS: two\n"


def printed(output: str, status: int = 1, *, ended: bool = True) -> Printed:
    return Printed(output, status, ended)


def before(output: str) -> Before:
    state = Before()
    first(printed(output), Told(), LAYOUT, {"calc.py": CALC}, state)
    return state


UNNAMED = "==========\nFAIL: test_a (t.T)\n-----\nValueError\n\nRan 3 tests in 1s\n"
ALL, UNNAMED_ALL = ("one", "two"), ("test_a (t.T)", OTHERS)


@pytest.mark.parametrize(
    ("output", "now", "tests", "passes"),
    [
        (BEFORE, printed("PASS: one\nPASS: two\n", 0), ALL, True),
        (BEFORE, printed("PASS: one\nFAIL: two\n"), ALL, False),
        (BEFORE, printed("PASS: one\n", 0), ALL, False),
        (BEFORE, printed("PASS: two\n", 0), ALL, False),
        (BEFORE, printed("PASS: one\nPASS: two\nSegmentation fault\n", 139), ALL, False),
        (UNNAMED, printed("Ran 3 tests in 1s\nOK\n", 0), UNNAMED_ALL, True),
        (UNNAMED, printed("Ran 2 tests in 1s\nOK\n", 0), UNNAMED_ALL, False),
        (UNNAMED, printed("Ran 3 tests in 1s\n", 1), UNNAMED_ALL, False),
        (UNNAMED, printed("Ran 3 tests in 1s\nOK\n", 0, ended=False), UNNAMED_ALL, False),
        (UNNAMED, printed(UNNAMED.replace("test_a", "test_b")), UNNAMED_ALL, False),
    ],
)
def test_what_is_not_named_passes_only_where_all_ran_and_nothing_new_fails(
    output: str, now: Printed, tests: tuple[str, ...], passes: bool
) -> None:
    assert again(now, LAYOUT, before(output)).passes(tests) is passes


def test_functions_are_matched_with_the_names_that_are_printed() -> None:
    one, two = {"calc.py": frozenset({1})}, {"calc.py": frozenset({2})}
    contexts = {"t.T.test_a": one, "t.U.test_a": two, "t.U.test_b": two, "": one}
    tests = ("test_a (t.T.test_a)", "test_a (t.U.test_a)")
    assert named(contexts, tests) == {tests[0]: one, tests[1]: two, "t.U.test_b": two, "": one}


def test_where_no_test_can_be_told_apart_all_of_them_ran_everything() -> None:
    one, two = {"calc.py": frozenset({1})}, {"calc.py": frozenset({2})}
    both = {"calc.py": frozenset({1, 2})}
    assert shared({"": one, "t.f": two}, ["adds"], ["zero"]) == {"adds": both, "zero": both}
    assert shared({"adds": one, "": two}, ["adds"], ["zero"]) == {"adds": one, "": two}


def test_without_any_lines_the_traceback_tells_the_function_and_else_the_names() -> None:
    texts = {"calc.py": CALC, "other.py": "def far():\n    return 1\n"}
    assert guessed(Failure("adds"), [("calc.py", 2)], texts) == {"calc.py": {1, 2}}
    assert list(guessed(Failure("adds", block=("expected double(2)",)), [], texts)) == ["calc.py"]
    assert list(guessed(Failure("adds"), [], texts)) == ["calc.py", "other.py"]


MAKEFILE = "NAME = x\n\ntest: lint\n\tsh ci/check.sh\n\nlint:\n\tpython lint.py\n\nrun:\n\tpython calc.py\n"


@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("python checks.py", {"checks.py"}),
        ("python3 -u ./tools/run.py -v", {"tools/run.py"}),
        ("python -m tools.run", {"tools/run.py"}),
        ("python -m tools", {"tools/__main__.py"}),
        ("sh ci/check.sh", {"tools/run.py"}),
        ("make test", {"tools/run.py", "lint.py"}),
        ("python -m doctest calc.py", set()),
        ("pytest", set()),
    ],
)
def test_what_the_command_starts_judges_also_through_scripts(
    tmp_path: Path, command: str, names: set[str]
) -> None:
    for name in ("checks.py", "calc.py", "lint.py", "tools/run.py", "tools/__main__.py", "ci/check.sh"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("set -e\npython3 -m tools.run\n" if name.endswith(".sh") else "")
    (tmp_path / "Makefile").write_text(MAKEFILE)
    assert set(started_by(command, tmp_path)) == names


def test_steps_of_behave_judge() -> None:
    assert not editable("features/steps/s.py")
    assert not editable("features/environment.py")


CASES = "from verify.close import close\nfrom shop.cart import total\n\n\ndef test_a():\n    assert close(total(), 1)\n"
TEXTS = {
    "verify/cases.py": CASES,
    "verify/close.py": "def close(a, b):\n    return a == b\n",
    "shop/cart.py": "from shop.money import cents\n\n\ndef total():\n    return cents(1)\n",
    "shop/money.py": "def cents(a):\n    return a\n",
}


@pytest.mark.parametrize(
    "name", ["test_a", "verify/cases.py::test_a", "test_a (verify.cases.T.test_a)", "verify.cases.T.test_a"]
)
def test_the_file_of_a_test_and_what_only_that_uses_beside_it_are_judges(name: str) -> None:
    assert judges_among(TEXTS, [name], {}) == {"verify/cases.py", "verify/close.py"}


def test_what_only_the_judges_use_elsewhere_is_the_program() -> None:
    known = {"verify/main.py": "import shop.cart\nimport verify.close\n"}
    texts = {name: text for name, text in TEXTS.items() if name != "verify/cases.py"}
    assert judges_among(texts, ["adds one and two"], known) == {"verify/close.py"}
    assert judges_among({"calc.py": CALC}, ["calc.py::calc.add"], {}) == set()
    assert judges_among({"calc.py": CALC}, ["adds"], {"checks.py": "import calc\n"}) == set()


def test_a_test_that_cannot_be_met_is_not_changed_itself(project: Path) -> None:
    (project / "verify").mkdir()
    (project / "verify" / "cases.py").write_text(
        "import calc\n\n\ndef test_two():\n    assert calc.double(2) == 77\n"
    )
    (project / "checks.py").write_text(
        "from verify import cases\n\ntry:\n    cases.test_two()\nexcept AssertionError:\n"
        "    print('FAIL: two')\n    raise SystemExit(1)\nprint('PASS: two')\n"
    )

    async def looked(one: WholeRuns) -> Baseline:
        return await look(one, project, ("calc.py", "verify/cases.py"), "two", 60)

    base = in_a_copy(project, looked, f"{sys.executable} checks.py")
    assert [code.file for code in base.codes] == ["calc.py"]
