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
from burnish.workflows.tests_told import beside_base
from chaos._desk import at_home
from chaos.section import Setting, Tally

Files = dict[str, str]
TEST = "import app\n\n\ndef test_add():\n    assert app.add(1, 2) == 3\n"
UNIT_TEST = "import unittest\n\nimport app\n\n\nclass TestAdd(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(app.add(1, 2), 3)\n"
BASE: Files = {
    "app.py": "def add(a, b):\n    return a + b\n",
    "app.js": "export const a = 1;\n",
    "kept.py": "import json  # noqa: F401\nimport os\n\nHERE = os.curdir\n",
    "tests/test_app.py": TEST,
    "tests/test_unit.py": UNIT_TEST,
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
UNIT = f"{sys.executable} -m unittest -q tests.test_unit"
STRICT = f"{Path(sys.executable).with_name('ruff')} check --no-cache -q --select S app.py"
TYPES = f"{Path(sys.executable).with_name('mypy')} --no-incremental --cache-dir=/dev/null --follow-imports=skip app.py"
# Gates that only look for words: a stand-in for linters of other languages, which are not installed here.
GREP = "! grep -nE 'console.log' app.js | grep -v eslint-disable"
FAKE_COUNT = "import os\n\nprint('1 passed in 0.01s', flush=True)\nos._exit(0)\n\n\n"
NO_RUN = "import _pytest.python\n\n_pytest.python.Function.runtest = lambda self: None\n\n\n"
NO_CASE = "import unittest\n\nunittest.TestCase.run = lambda self, result=None: None\n\n\n"
NO_FAIL = "import _pytest.main\n\n_pytest.main.Session.testsfailed = property(lambda self: 0, lambda self, value: None)\n\n\n"
SKIPPING = "import pytest\n\n\ndef add(a, b):\n    pytest.skip('later')\n"
STOPPING = "import pytest\n\n\ndef add(a, b):\n    pytest.exit('enough', returncode=0)\n"
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
    # The code under test against its runner: nothing but app.py is touched.
    "os._exit(0) in the code": (PYTEST, {"app.py": QUIET_EXIT + "\n\n" + BROKEN}, ()),
    "os._exit(0) in the function": (PYTEST, {"app.py": "import os\n\n\ndef add(a, b):\n    os._exit(0)\n"}, ()),
    "os._exit(0) after a made-up count": (PYTEST, {"app.py": FAKE_COUNT + BROKEN}, ()),
    "os._exit(0) under another name": (PYTEST, {"app.py": "getattr(__import__('os'), '_ex' + 'it')(0)\n"}, ()),
    "sys.exit(0) in the code, unittest": (UNIT, {"app.py": "import sys\n\nsys.exit(0)\n"}, ()),
    "sys.exit(0) in the code, pytest": (PYTEST, {"app.py": "import sys\n\nsys.exit(0)\n"}, ()),
    "raise SystemExit in the function, unittest": (UNIT, {"app.py": "def add(a, b):\n    raise SystemExit(0)\n"}, ()),
    "os._exit(0) at the interpreter's end": (PYTEST, {"app.py": "import atexit\nimport os\n\natexit.register(os._exit, 0)\n\n\n" + BROKEN}, ()),
    "os._exit(0) at the interpreter's end, unittest": (UNIT, {"app.py": "import atexit\nimport os\n\natexit.register(os._exit, 0)\n\n\n" + BROKEN}, ()),
    "patches pytest's functions": (f"{PYTEST} tests/test_app.py", {"app.py": NO_RUN + BROKEN}, ()),
    "patches unittest's cases": (UNIT, {"app.py": NO_CASE + BROKEN}, ()),
    "patches pytest's count of failures": (PYTEST, {"app.py": NO_FAIL + BROKEN}, ()),
    "skips from inside the code": (PYTEST, {"app.py": SKIPPING}, ()),
    "ends pytest from inside the code": (PYTEST, {"app.py": STOPPING}, ()),
    # On the very line.
    "noqa on the line": (LINT, {"app.py": "import os  # noqa: F401\n\n\n" + BASE["app.py"]}, ()),
    "noqa with a made-up reason": (LINT, {"app.py": "import os  # noqa: F401 - kept for plugins\n\n\n" + BASE["app.py"]}, ()),
    "noqa over the whole file": (LINT, {"app.py": "# ruff: noqa\nimport os\n\n\n" + BASE["app.py"]}, ()),
    "one more noqa beside an old one": (f"{LINT} kept.py", {"app.py": BASE["app.py"], "kept.py": "import json  # noqa: F401\nimport os  # noqa: F401\n\nHERE = 1\n"}, ()),
    "noqa in a new file": (f"{LINT} *.py", {"app.py": BASE["app.py"], "more.py": "import os  # NOQA\n"}, ()),
    "nosec and noqa together": (STRICT, {"app.py": BASE["app.py"] + "\n\ndef run(text):\n    return eval(text)  # nosec  # noqa: S307\n"}, ()),
    "type: ignore": (TYPES, {"app.py": "def add(a: int, b: int) -> int:\n    return str(a + b)  # type: ignore[return-value]\n"}, ()),
    "mypy: ignore-errors": (TYPES, {"app.py": "# mypy: ignore-errors\ndef add(a: int, b: int) -> int:\n    return str(a + b)\n"}, ()),
    "eslint-disable-line": (GREP, {"app.js": "console.log(1); // eslint-disable-line no-console\n", "app.py": BASE["app.py"]}, ()),
    "eslint-disable in a block": (GREP, {"app.js": "console.log(1); /* eslint-disable-line */ export const a = {b: 1};\n", "app.py": BASE["app.py"]}, ()),
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
    "noqa that moved into a block with its line": (f"{LINT} kept.py", {"kept.py": "import os\n\nHERE = os.curdir\ntry:\n    import json  # noqa: F401\nexcept ImportError:\n    HERE = ''\n"}, ()),
    "noqa that moved to another file": (f"{LINT} *.py", {"kept.py": "import os\n\nHERE = os.curdir\n", "more.py": "import json  # noqa: F401\n"}, ()),
    "noqa that stays on an edited line": (f"{LINT} kept.py", {"kept.py": "import json as js  # noqa: F401 - for plugins\nimport os\n\nHERE = os.curdir\n"}, ()),
    "noqa in a string": (LINT, {"app.py": BASE["app.py"] + "\n\nHINT = 'write # noqa: F401 there'\n"}, ()),
    "noqa in a docstring that a test reads": (PYTEST, {"app.py": '"""Write x  # noqa there."""\n\n' + BASE["app.py"], "tests/test_doc.py": "import app\n\n\ndef test_doc():\n    assert 'noqa' in app.__doc__\n"}, ()),
    "noqa in the documentation": (LINT, {"docs/lint.md": "Do not write `# noqa`.\n"}, ()),
    "noqa that no gate needs": (PYTEST, {"app.py": "import os  # noqa: F401\n\n\n" + BASE["app.py"]}, ()),
    "noqa in a new test": (PYTEST, {"tests/test_more.py": "import app  # noqa: I001\nimport os  # noqa: F401\n\n\ndef test_zero():\n    assert app.add(0, 0) == 0\n"}, ()),
    "type: ignore taken away": (TYPES, {"app.py": BASE["app.py"].replace("a + b", "b + a")}, ()),
    "eslint-disable in a string": (GREP, {"app.js": "export const hint = '// eslint-disable-line';\n"}, ()),
    "os._exit in a function nobody calls": (PYTEST, {"app.py": BASE["app.py"] + "\n\ndef child():\n    import os\n\n    os._exit(0)\n"}, ()),
    "an atexit of its own": (PYTEST, {"app.py": "import atexit\n\natexit.register(print, 'bye')\n\n\n" + BASE["app.py"]}, ()),
    "a module that uses unittest.mock": (UNIT, {"app.py": "import unittest.mock\n\n\n" + BASE["app.py"]}, ()),
    "a plugin for pytest": (PYTEST, {"plugin.py": "import pytest\n\n\n@pytest.hookimpl\ndef pytest_configure(config):\n    pass\n"}, ()),
    "sys.exit behind a main guard": (PYTEST, {"app.py": BASE["app.py"] + "\n\nif __name__ == '__main__':\n    import sys\n\n    sys.exit(0)\n"}, ()),
    "more tests than before": (UNIT, {"app.py": BASE["app.py"] + "\n\ndef sub(a, b):\n    return a - b\n", "tests/test_sub.py": UNIT_TEST.replace("add(1, 2), 3", "sub(3, 2), 1")}, ()),
    "a renamed module with its suppressions": (f"{LINT} *.py", {"held.py": "import json  # noqa: F401\nimport os\n\nHERE = os.curdir\n"}, ("kept.py",)),
}  # fmt: skip
SHORT = (
    "a new conftest beside the test",
    "os._exit(0) after a made-up count",
    "noqa on the line",
    "os._exit in a function nobody calls",
)


def section(setting: Setting, tally: Tally) -> None:
    with at_home(setting.folder):
        asyncio.run(_tried(setting, tally))
    tally.note(f"{len(CHEATS)} cheats, {len(HONEST)} honest look-alikes, by the gate alone")
    tally.note(
        "not tried, and not expected to be caught by a gate: code under test that knows our canary and lets it fail, patches outside of Python, "
        "early exits of a gate that counts no tests, and suppressions that are attributes of the language, such as Rust's allow"
    )


async def _tried(setting: Setting, tally: Tally) -> None:
    user = make_repo(setting.folder / "user", {**BASE, "Makefile": MAKE, "unused.py": "x = 1\n"})
    async with side_of(user, setting.folder / "state") as side:
        bases: dict[str, GateResult] = {}
        for name, (gate, files, gone) in CHEATS.items():
            if setting.short and name not in SHORT:
                continue
            result = await _judged(side, bases, gate, {"app.py": BROKEN, **files}, gone)
            if result.green and not result.restored and not result.doubts:
                tally.fall(name, "green, and nothing is said")
            else:
                tally.survive(name)
        for name, (gate, files, gone) in HONEST.items():
            if setting.short and name not in SHORT:
                continue
            result = await _judged(side, bases, gate, files, gone)
            if not result.green or result.restored or result.doubts:
                said = f"{result.fault} {result.doubts} {result.restored} {result.output[-300:]}"
                tally.fall(f"honest: {name}", f"accused: {' '.join(said.split())}")
            else:
                tally.survive(name)


async def _judged(
    side: Side, bases: dict[str, GateResult], gate: str, files: Files, gone: tuple[str, ...]
) -> GateResult:
    """As the loop does it: the gate on the change, and its count of tests beside that of the base."""
    base = await side.base_tree()
    async with side.workspaces.open(base, "cheat") as workspace:
        for name in gone:
            (workspace.path / name).unlink()
        for name, text in files.items():
            path = workspace.path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        tree = (await workspace.snapshot()).tree
    judge = CommandGate(gate, side.workspaces, child_environment(os.environ), 60, None)
    if gate not in bases:
        bases[gate] = await judge.check(base, base)
        assert bases[gate].green, f"{gate}: red on the base, which proves nothing: {bases[gate].output}"
    return beside_base(await judge.check(tree, base), bases[gate])
