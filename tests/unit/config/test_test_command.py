from __future__ import annotations

import pytest

from burnish.config.test_command import find_test_command, python_for, worth_reading

PLACEHOLDER = '{"scripts": {"test": "echo \\"Error: no test specified\\" && exit 1"}}'


def find(files: dict[str, str], programs: dict[str, str] | None = None) -> str | None:
    found = find_test_command(files.get, files, (programs or {"python": "/usr/bin/python"}).get)
    if found is None:
        return None
    assert found.why
    return found.command


@pytest.mark.parametrize(
    "files",
    [
        {"pytest.ini": "[pytest]\n"},
        {"pyproject.toml": "[tool.pytest.ini_options]\n"},
        {"setup.cfg": "[tool:pytest]\n"},
        {"tox.ini": "[tox]\n[pytest]\n"},
        {"tests/test_a.py": "import pytest\n"},
        {"tests/test_a.py": "def test_a():\n    pass\n"},
        {"tests/test_a.py": "import unittest\n", "tests/conftest.py": ""},
        {"Makefile": "test:\n\ttrue\n", "tests/test_a.py": "import pytest\n"},
    ],
)
def test_pytest_is_known_by_its_settings_or_its_tests(files: dict[str, str]) -> None:
    assert find(files) == "python -m pytest -q"


@pytest.mark.parametrize(
    ("files", "command"),
    [
        ({"package.json": '{"scripts": {"test": "jest"}}'}, "npm test"),
        ({"package.json": '{"scripts": {"test": "jest"}}', "pnpm-lock.yaml": ""}, "pnpm test"),
        ({"package.json": '{"scripts": {"test": "jest"}}', "yarn.lock": ""}, "yarn test"),
        ({"go.mod": "module a\n", "a_test.go": ""}, "go test ./..."),
        ({"Cargo.toml": ""}, "cargo test"),
        ({"pom.xml": ""}, "mvn -q test"),
        ({"build.gradle": "", "gradlew": ""}, "sh ./gradlew test"),
        ({"build.gradle.kts": ""}, "gradle test"),
        ({"tox.ini": "[tox]\n"}, "tox -q"),
        ({"pyproject.toml": "[tool.tox]\n"}, "tox -q"),
        ({"noxfile.py": ""}, "nox"),
        ({"Makefile": ".PHONY: test\ntest: build\n\ttrue\n"}, "make test"),
        ({"Makefile": "x:\n", "package.json": PLACEHOLDER, "go.mod": "", "a_test.go": ""}, "go test ./..."),
        ({"backend/pyproject.toml": "[tool.pytest]\n", "README.md": ""}, "cd backend && python -m pytest -q"),
        ({"my app/Cargo.toml": ""}, "cd 'my app' && cargo test"),
    ],
)
def test_each_way_of_testing_is_known_by_its_files(files: dict[str, str], command: str) -> None:
    assert find(files) == command


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"README.md": "run pytest"},
        {"package.json": PLACEHOLDER},
        {"package.json": "{ not json"},
        {"package.json": '["scripts"]'},
        {"package.json": '{"scripts": {"test": ""}}'},
        {"Makefile": "test := 1\nlatest:\n"},
        {"go.mod": "module a\n"},
        {"pyproject.toml": "[project]\n", "src/a.py": ""},
        {"pyproject.toml": "not [toml"},
        {"a/Cargo.toml": "", "b/Cargo.toml": ""},
    ],
)
def test_where_nothing_tells_nothing_is_guessed(files: dict[str, str]) -> None:
    assert find(files) is None


def test_the_files_worth_reading_are_enough_to_decide() -> None:
    files = {"tests/test_a.py": "import pytest\n", "src/a.py": "", "a/b/Cargo.toml": "", "backend/go.mod": ""}
    assert worth_reading(files) == ("backend/go.mod", "tests/test_a.py")
    assert find({path: files[path] for path in worth_reading(files)}) == find(files) == "python -m pytest -q"


def test_tests_written_for_unittest_need_no_pytest() -> None:
    files = {"tests/test_a.py": "import unittest\n"}
    assert find(files) == "python -m unittest discover -s tests"
    assert find(files | {"tests/__init__.py": ""}) == "python -m unittest discover -s tests -t ."
    both = {"pytest": "/v/bin/pytest", "python": "/v/bin/python"}
    assert find(files, both) == "python -m pytest -q"


@pytest.mark.parametrize(
    ("programs", "python"),
    [
        ({"pytest": "/v/bin/pytest", "python": "/v/bin/python"}, "python"),
        ({"pytest": "/v/bin/pytest", "python3": "/v/bin/python3"}, "python3"),
        (
            {
                "pytest": "/my v/bin/pytest",
                "python": "/usr/bin/python",
                "/my v/bin/python": "/my v/bin/python",
            },
            "'/my v/bin/python'",
        ),
        ({"python": "/usr/bin/python"}, "python"),
        ({"python3": "/usr/bin/python3"}, "python3"),
        ({}, "python3"),
    ],
)
def test_the_interpreter_is_the_one_beside_pytest(programs: dict[str, str], python: str) -> None:
    assert python_for(programs.get) == python
