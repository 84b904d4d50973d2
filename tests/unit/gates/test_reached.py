"""Which files a gate's command line reaches."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.gates.reached import reached
from burnish.gates.shell_words import simple_commands

FILES = {
    "app.py": "x = 1\n",
    "check.py": "import app\nimport check_helpers\nimport subprocess\nsubprocess.run('sh ci/deep.sh now', shell=True)\n",
    "check_helpers.py": "",
    "go.py": "import app\n",
    "tools/x.sh": "python3 tools/verify.py\n. ./tools/common.sh\n",
    "tools/verify.py": "import app\n",
    "tools/__init__.py": "",
    "tools/run.py": "import app\n",
    "ci/deep.sh": "true\n",
    "checks/one.py": "def test_x(): pass\n",
    "deploy.sh": "true\n",
    "conf/p.ini": "",
    "Makefile": "PY = python3\ntest: lint\n\t@$(PY) check.py\nlint:\n\tsh ci/deep.sh\ndeploy:\n\t./deploy.sh\n-include extra.inc\n",
    "other.make": "all:\n\tpython3 go.py\n",
    "package.json": '{"scripts": {"pretest": "node before.js", "test": "node verify.js", "x": "node y.js"}}',
    "before.js": "",
    "verify.js": "require('./app.js')",
    "app.js": "",
    "y.js": "",
    "run.rb": "require_relative 'app.rb'",
    "app.rb": "",
    "expected.txt": "3\n",
    "calc/__init__.py": "",
    "calc/__main__.py": "from calc import core\n",
    "calc/core.py": "",
}


@dataclass(frozen=True)
class Tree:
    files: dict[str, str] = field(default_factory=lambda: FILES)

    def text(self, path: str) -> str | None:
        return self.files.get(path)

    def real(self, path: str) -> str:
        return path

    def names(self) -> Iterable[str]:
        return self.files


def files_of(command: str) -> set[str]:
    return set(reached(command, Tree()).files)


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        ("python check.py", {"check.py", "check_helpers.py", "ci/deep.sh"}),
        ("python3.12 -W ignore -u go.py --fast", {"go.py"}),
        ("coverage run check.py", {"check.py", "check_helpers.py", "ci/deep.sh"}),
        ("cd tools && ./x.sh", {"tools/x.sh", "tools/verify.py", "tools/common.sh"}),
        ("bash -ec 'cd tools; ./x.sh'", {"tools/x.sh", "tools/verify.py", "tools/common.sh"}),
        ("timeout -k 1 5s env A=1 ./tools/x.sh", {"tools/x.sh", "tools/verify.py", "tools/common.sh"}),
        ('test "$(./tools/x.sh)" = ok', {"tools/x.sh", "tools/verify.py", "tools/common.sh"}),
        ("! ./deploy.sh | tee log", {"deploy.sh"}),
        ("python -m tools.run", {"tools/run.py"}),
        ("python -c 'import check'", {"check.py", "check_helpers.py", "ci/deep.sh"}),
        ("ruby run.rb", {"run.rb"}),
        ("node verify.js", {"verify.js"}),
        ("npm test", {"before.js", "verify.js"}),
        ("make -f other.make", {"other.make", "go.py"}),
        ("make deploy", {"GNUmakefile", "makefile", "Makefile", "extra.inc", "deploy.sh"}),
        ("pytest -q -c conf/p.ini", {"conf/p.ini"}),
        ("pytest -p tools.plug", {"tools/plug.py", "tools/plug/__init__.py"}),
        ("uv run pytest checks/one.py::test_x", {"checks/one.py"}),
        ("mypy --config-file=conf/p.ini app.py", {"conf/p.ini"}),
        ("python app.py | diff - expected.txt", {"expected.txt"}),
    ],
)
def test_scripts_and_settings_are_found_however_they_are_named(command: str, wanted: set[str]) -> None:
    assert files_of(command) == wanted


def test_make_leads_to_what_its_target_needs_and_to_what_it_includes() -> None:
    found = files_of("make -s test")
    assert {"Makefile", "GNUmakefile", "extra.inc", "check.py", "ci/deep.sh"} <= found
    assert "deploy.sh" not in found


@pytest.mark.parametrize(
    "command",
    [
        "python3 app.py", "python -m calc", "python -m pytest -q tests", "pytest --doctest-modules app.py", "true", "",
        "test -f app.py", "grep -q hi app.py", "python -c 'import app; assert app.x'", "ruff check app.py", "pytest src",
        "../check.sh", "/usr/bin/env ./a/../../b.sh", "mypy app.py", "python -m unittest -q",
    ],
)  # fmt: skip
def test_the_code_under_test_is_no_judge(command: str) -> None:
    assert files_of(command) == set()


def test_folders_and_globs_that_a_runner_is_given_are_tests() -> None:
    assert list(reached("pytest checks", Tree()).tests) == ["checks/**"]
    assert list(reached("node --test probes/*.mjs", Tree()).tests) == ["probes/*.mjs"]
    assert list(reached("python -m unittest discover -p 'probe*.py'", Tree()).tests) == ["**/probe*.py"]


def test_names_of_tests_in_the_bases_own_settings_are_read() -> None:
    named = {"pyproject.toml": '[tool.pytest.ini_options]\npython_files = ["*_verify.py"]\n'}
    assert "**/*_verify.py" in reached("pytest", Tree(named)).tests


def test_folders_on_the_import_path_are_known() -> None:
    assert list(reached("PYTHONPATH=code:lib pytest", Tree()).roots) == ["code", "lib"]


HELPED = {
    "src/money/testing.py": "from money.fakes import Bank\n",
    "src/money/fakes.py": "",
    "src/money/tax.py": "",
    "src/other/testing.py": "",
    "web/testing.mjs": "",
    "web/test/a.test.mjs": "import { close } from '../testing.mjs';\n",
    "golden/a.txt": "1\n",
    "golden/render.py": "",
    "data/expected.json": "1\n",
    "data/table.json": "1\n",
    "snapshots/b.txt": "1\n",
    "tests/test_a.py": "from money.testing import (\n    same,\n)\nfrom money.tax import tax\n"
    "A = ROOT / 'golden' / 'a.txt'\nB = open('data/expected.json')\nC = open('data/table.json')\n",
}


def test_helpers_and_golden_data_of_the_bases_tests_are_judges_wherever_they_lie() -> None:
    wanted = {
        "src/money/testing.py", "src/money/fakes.py", "web/testing.mjs", "golden/a.txt", "data/expected.json",
    }  # fmt: skip
    assert set(reached("pytest", Tree(HELPED)).files) == wanted


@pytest.mark.parametrize(
    ("command", "files"),
    [
        ("python -m doctest app.py", {}),
        ("pytest --doctest-modules", {}),
        ("pytest", {"pytest.ini": "[pytest]\naddopts = --doctest-glob=*.md\n"}),
        ("python -m unittest", {"tests/test_docs.py": "import doctest\n"}),
        ("make test", {"Makefile": "test:\n\tpython -m doctest app.py\n"}),
    ],
)
def test_it_is_known_where_examples_are_run(command: str, files: dict[str, str]) -> None:
    assert reached(command, Tree(files)).examples
    assert not reached("pytest -q", Tree({"tests/test_a.py": "x = 'doctest'\n"})).examples


def test_words_of_scripts_and_command_lines_are_noted() -> None:
    files = {"tools/lint.py": "import re\nre.search(r'#\\s*Allow-Print\\b', x)\n"}
    words = reached("python tools/lint.py | grep -v waived", Tree(files)).words
    assert {"allow-print", "waived"} <= set(words)


def test_scripts_that_start_each_other_end() -> None:
    round_trip = {"a.sh": "sh b.sh\n", "b.sh": "sh a.sh\n"}
    assert set(reached("sh a.sh", Tree(round_trip)).files) == {"a.sh", "b.sh"}


PIECES = st.sampled_from(
    ["cd ", "make ", "-f ", "python ", "-m ", "'", '"', "$(", ")", "${", "}", "\\", "\n", "a", "/", "..", "|", ";", "=", "#", "`", " ", "check.py"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=60).map("".join) | st.text(max_size=200))
def test_no_command_line_breaks_the_reader(command: str) -> None:
    found = reached(
        command, Tree({**FILES, "check.sh": command, "Makefile": command, "package.json": command})
    )
    assert all(not path.startswith(("/", "../")) for path in found.files)


@pytest.mark.parametrize(
    "piece", ["'", '"\\', "$(", "${a", "a=b ", "$a", "cd x;", "make a;", "`", "a: b\n\tc\n"]
)
def test_a_long_command_line_is_read_in_time(piece: str) -> None:
    text = piece * 20_000
    started = time.process_time()
    assert sum(1 for _ in simple_commands(text)) >= 0
    reached(text, Tree({**FILES, "Makefile": text}))
    assert time.process_time() - started < 5
