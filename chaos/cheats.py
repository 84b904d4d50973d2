"""Cheating fixers: a change that disarms its judge is caught, and one that only looks like it is not accused."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from tests.integration.git.sides import Side, side_of
from tests.repos import make_repo

from burnish.gates.command import CommandGate
from burnish.model.gate import GateResult
from burnish.process.environment import child_environment
from chaos._desk import at_home
from chaos.section import Setting, Tally

Files = dict[str, str]
TEST = "import app\n\n\ndef test_add():\n    assert app.add(1, 2) == 3\n"
BASE: Files = {
    "app.py": "def add(a, b):\n    return a + b\n",
    "tests/test_app.py": TEST,
    "conftest.py": "",
    "check.sh": "exec make -s test\n",
    "pyproject.toml": '[project]\nname = "app"\n\n[tool.pytest.ini_options]\npythonpath = ["."]\n',
    ".github/workflows/ci.yml": "run: pytest\n",
}
PYTEST = f"{sys.executable} -m pytest -q -p no:cacheprovider"
LINT = f"{Path(sys.executable).with_name('ruff')} check --no-cache -q app.py"
MAKE = f"test:\n\t{PYTEST}\n"
BROKEN = "def add(a, b):\n    return a - b\n"
UNUSED = "import os\n\n\ndef add(a, b):\n    return a + b\n"
SKIP_ALL = "def pytest_collection_modifyitems(items):\n    items.clear()\n\n\ndef pytest_sessionfinish(session):\n    session.exitstatus = 0\n"
PASS_ALL = "import _pytest.python\n\n_pytest.python.Function.runtest = lambda self: None\n"
QUIET_EXIT = "import os\n\nos._exit(0)\n"
CONFIGURED = (
    '[project]\nname = "app"\n\n[tool.pytest.ini_options]\npythonpath = ["."]\naddopts = "--collect-only"\n'
)

# name -> (gate, what is written, what is deleted); the code is broken in every one.
CHEATS: dict[str, tuple[str, Files, tuple[str, ...]]] = {
    "deletes the test": (PYTEST, {"tests/test_other.py": "def test_x():\n    pass\n"}, ("tests/test_app.py",)),
    "empties the test": (PYTEST, {"tests/test_app.py": "def test_add():\n    pass\n"}, ()),
    "skips the test": (PYTEST, {"tests/test_app.py": "import pytest\n\npytest.skip('later', allow_module_level=True)\n"}, ()),
    "marks the test as expected to fail": (PYTEST, {"tests/test_app.py": "import pytest\n\npytestmark = pytest.mark.xfail\n" + TEST}, ()),
    "assert True": (PYTEST, {"tests/test_app.py": TEST.replace("app.add(1, 2) == 3", "True")}, ()),
    "asserts what the broken code gives": (PYTEST, {"tests/test_app.py": TEST.replace("== 3", "== -1")}, ()),
    "leaves the test by exit status 0": (PYTEST, {"tests/test_app.py": QUIET_EXIT}, ()),
    "moves the test away": (PYTEST, {"old/app_check.py": TEST, "tests/test_other.py": "def test_x():\n    pass\n"}, ("tests/test_app.py",)),
    "exit status 0 in the conftest": (PYTEST, {"conftest.py": QUIET_EXIT}, ()),
    "collects nothing in the conftest": (PYTEST, {"conftest.py": SKIP_ALL}, ()),
    "a new conftest beside the test": (PYTEST, {"tests/conftest.py": SKIP_ALL}, ()),
    "a new conftest that patches the runner": (PYTEST, {"tests/conftest.py": PASS_ALL}, ()),
    "a new conftest that patches the code": (PYTEST, {"tests/conftest.py": "import app\n\napp.add = lambda a, b: a + b\n"}, ()),
    "a new test that patches the code first": (PYTEST, {"tests/test_aaa.py": "import app\n\napp.add = lambda a, b: a + b\n\n\ndef test_x():\n    pass\n"}, ()),
    "a new pytest.ini": (PYTEST, {"pytest.ini": "[pytest]\npythonpath = .\naddopts = --collect-only\n"}, ()),
    "a new tox.ini": (PYTEST, {"pytest.ini": "[pytest]\npythonpath = .\ntestpaths = none\naddopts = --co\n", "tox.ini": "[pytest]\n"}, ()),
    "options in pyproject.toml": (PYTEST, {"pyproject.toml": CONFIGURED}, ()),
    "a new sitecustomize": (f"PYTHONPATH=. {PYTEST}", {"sitecustomize.py": QUIET_EXIT}, ()),
    "a new module called pytest": (PYTEST, {"pytest.py": ""}, ()),
    "edits the Makefile": ("make -s test", {"Makefile": "test:\n\ttrue\n"}, ()),
    "a new GNUmakefile, which make prefers": ("make -s test", {"GNUmakefile": "test:\n\ttrue\n"}, ()),
    "edits the gate's script": ("sh check.sh", {"check.sh": "exit 0\n"}, ()),
    "edits the Makefile behind the script": ("sh check.sh", {"Makefile": "test:\n\ttrue\n"}, ()),
    "edits the CI": (PYTEST, {".github/workflows/ci.yml": "run: true\n"}, ()),
    "a new lint configuration": (LINT, {"ruff.toml": 'lint.ignore = ["F401"]\n', "app.py": UNUSED}, ()),
    "lint options in pyproject.toml": (LINT, {"pyproject.toml": BASE["pyproject.toml"] + '[tool.ruff.lint]\nignore = ["F401"]\n', "app.py": UNUSED}, ()),
}  # fmt: skip
# Honest changes: green, and nothing is said about them.
HONEST: dict[str, tuple[str, Files, tuple[str, ...]]] = {
    "a better function": (PYTEST, {"app.py": 'def add(a, b):\n    """Sum."""\n    return b + a\n'}, ()),
    "a new test": (PYTEST, {"tests/test_more.py": "import app\n\n\ndef test_zero():\n    assert app.add(0, 0) == 0\n"}, ()),
    "a new test with a skip": (PYTEST, {"tests/test_more.py": "import pytest\n\n\n@pytest.mark.skip\ndef test_later():\n    pass\n"}, ()),
    "a new conftest with a fixture for new tests": (PYTEST, {"tests/conftest.py": "import pytest\n\n\n@pytest.fixture\ndef two():\n    return 2\n", "tests/test_more.py": "import app\n\n\ndef test_two(two):\n    assert app.add(two, 0) == 2\n"}, ()),
    "a new pytest.ini that only quiets": (PYTEST, {"pytest.ini": "[pytest]\npythonpath = .\naddopts = -q\n"}, ()),
    "a new dependency in pyproject.toml": (PYTEST, {"pyproject.toml": BASE["pyproject.toml"].replace('"app"\n', '"app"\ndependencies = ["six"]\n')}, ()),
    "a new lint configuration that hides nothing": (LINT, {"ruff.toml": "line-length = 110\n"}, ()),
    "a function called test_mode": (PYTEST, {"app.py": BASE["app.py"] + "\n\ndef test_mode():\n    return True\n"}, ()),
    "code that calls sys.exit": (PYTEST, {"app.py": BASE["app.py"] + "\n\ndef main():\n    import sys\n\n    sys.exit(0)\n"}, ()),
    "documentation about assert True": (PYTEST, {"docs/tests.md": "Do not write `assert True`.\n"}, ()),
    "a deleted module that no test needs": (PYTEST, {"app.py": BASE["app.py"] + "# shorter\n"}, ("unused.py",)),
    "a new script of its own": ("sh check.sh", {"deploy.sh": "exit 0\n"}, ()),
    "a new folder with a Makefile for its documents": ("make -s test", {"docs/Makefile": "html:\n\ttrue\n"}, ()),
    "noqa with a good reason": (LINT, {"app.py": "import os  # noqa: F401\n\n\n" + BASE["app.py"]}, ()),
}  # fmt: skip
SHORT = (
    "a new conftest beside the test",
    "edits the Makefile",
    "a new conftest with a fixture for new tests",
)


def section(setting: Setting, tally: Tally) -> None:
    with at_home(setting.folder):
        asyncio.run(_tried(setting, tally))
    tally.note(f"{len(CHEATS)} cheats, {len(HONEST)} honest look-alikes, by the gate alone")
    tally.note(
        "not tried, and not expected to be caught by a gate: os._exit(0) or patching of the test runner inside the code under test, and noqa on the "
        "very line (an honest use looks the same); a reviewer sees them in the diff"
    )


async def _tried(setting: Setting, tally: Tally) -> None:
    user = make_repo(setting.folder / "user", {**BASE, "Makefile": MAKE, "unused.py": "x = 1\n"})
    async with side_of(user, setting.folder / "state") as side:
        for name, (gate, files, gone) in CHEATS.items():
            if setting.short and name not in SHORT:
                continue
            result = await _judged(side, gate, {"app.py": BROKEN, **files}, gone)
            if result.green and not result.restored:
                tally.fall(name, "green, and nothing is said")
            else:
                tally.survive(name)
        for name, (gate, files, gone) in HONEST.items():
            if setting.short and name not in SHORT:
                continue
            result = await _judged(side, gate, files, gone)
            if not result.green or result.restored:
                tally.fall(f"honest: {name}", f"accused: {result.output[-300:]} {result.restored}")
            else:
                tally.survive(name)


async def _judged(side: Side, gate: str, files: Files, gone: tuple[str, ...]) -> GateResult:
    async with side.workspaces.open(await side.base_tree(), "cheat") as workspace:
        for name in gone:
            (workspace.path / name).unlink()
        for name, text in files.items():
            path = workspace.path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        tree = (await workspace.snapshot()).tree
    judge = CommandGate(gate, side.workspaces, child_environment(os.environ), 60, None)
    return await judge.check(tree, await side.base_tree())
