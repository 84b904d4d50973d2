"""Files of several purposes: the judging parts come from the base, the rest from the change."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.gates.sections import merged

PYPROJECT = """\
[project]
name = "app"  # the name
dependencies = []

[tool.pytest.ini_options]
addopts = "-q"

[tool.ruff.lint]
select = ["F"]
"""


def merge(path: str, base: str | None, change: str) -> str | None:
    made = merged(path, None if base is None else base.encode(), change.encode())
    return None if made is None else made.decode()


def test_a_dependency_can_be_edited() -> None:
    change = PYPROJECT.replace("[]", '["six"]', 1)
    assert merge("pyproject.toml", PYPROJECT, change) == change


def test_options_of_runners_and_linters_stay_beside_a_new_dependency() -> None:
    change = PYPROJECT.replace("[]", '["six"]', 1).replace("-q", "--co").replace('["F"]', "[]")
    made = merge("pyproject.toml", PYPROJECT, f"{change}\n[tool.coverage.run]\nomit = ['*']\n") or ""
    assert tomllib.loads(made) == tomllib.loads(PYPROJECT.replace("[]", '["six"]', 1))
    assert "# the name" in made


@pytest.mark.parametrize(
    "change",
    [
        '[project]\nname = "x"\n[tool]\npytest = {ini_options = {addopts = "--co"}}\n',
        'tool.pytest.ini_options.addopts = "--co"\n[project]\nname = "x"\n',
        'x = """\n[tool.pytest.ini_options]\naddopts = "-q"\n"""\n[tool.pytest.ini_options]\naddopts = "--co"\n',
        '[tool.hatch.envs.default.scripts]\ntest = "true"\n',
        '[project.entry-points.pytest11]\nevil = "evil"\n',
        "not toml at all [",
    ],
)
def test_however_options_are_written_the_bases_are_used(change: str) -> None:
    made = tomllib.loads(merge("sub/pyproject.toml", PYPROJECT, change) or "")
    assert made["tool"] == tomllib.loads(PYPROJECT)["tool"]
    assert "pytest11" not in made.get("project", {}).get("entry-points", {})


def test_a_new_file_keeps_only_what_does_not_judge() -> None:
    assert tomllib.loads(merge("pyproject.toml", None, PYPROJECT) or "") == {
        "project": {"name": "app", "dependencies": []}
    }
    assert merge("pyproject.toml", None, "not toml [") is None


def test_scripts_of_a_package_stay_and_new_ones_are_added_but_no_hooks() -> None:
    base = '{"version": "1", "scripts": {"test": "node t.js"}, "jest": {"bail": true}}'
    change = '{"version": "2", "scripts": {"test": "true", "pretest": "x", "start": "node ."}, "jest": {}}'
    assert merge("package.json", base, change) == (
        '{\n  "version": "2",\n  "scripts": {\n    "test": "node t.js",\n    "start": "node ."\n  },\n'
        '  "jest": {\n    "bail": true\n  }\n}\n'
    )
    harmless = base.replace('"1"', '"3"')
    assert merge("package.json", base, harmless) == harmless


def test_sections_of_setup_cfg_and_cargo_toml() -> None:
    base = "[metadata]\nname = a\n\n[tool:pytest]\naddopts = -q\n"
    change = "[metadata]\nname = b\n\n[tool:pytest]\naddopts = --co\n\n[flake8]\nignore = F\n"
    assert merge("setup.cfg", base, change) == base.replace("name = a", "name = b") + "\n"
    cargo = '[package]\nname = "a"\n\n[lints.clippy]\nall = "deny"\n'
    made = merge("Cargo.toml", cargo, cargo.replace("deny", "allow") + '\n[dependencies]\nx = "1"\n') or ""
    assert tomllib.loads(made)["lints"] == {"clippy": {"all": "deny"}}
    assert tomllib.loads(made)["dependencies"] == {"x": "1"}
    assert merge("Cargo.toml", cargo, cargo.replace('"a"', '"a"\nautotests = false')) == cargo


@given(st.text(max_size=200), st.text(max_size=200), st.sampled_from(["pyproject.toml", "package.json", "setup.cfg", "Cargo.toml"]))  # fmt: skip
def test_no_text_breaks_the_merge(old: str, new: str, path: str) -> None:
    merged(path, old.encode("utf8", "surrogatepass"), new.encode("utf8", "surrogatepass"))
