"""Fixes that ruff and oxlint make: one rule, one file, and no importer breaks."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from burnish import codec, registry
from burnish.app.repairable import repairable
from burnish.app.tool_options import tool_options
from burnish.fixers import formatter, oxlint_fix, ruff_fix
from burnish.fixers._choose import code_fixers
from burnish.fixers._run import FixerFailed
from burnish.model.review import Finding
from burnish.ports import CodeFixer, Source
from burnish.process.tool_setup import ToolSetup

SETUP = ToolSetup(env={})


def fix(fixer: CodeFixer, workspace: Path, name: str, rule: str, line: int = 1) -> str:
    return asyncio.run(fixer.fix(Finding("x", file=name, line=line, rule=rule, fixable=True), workspace))


def lay(workspace: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (workspace / name).parent.mkdir(parents=True, exist_ok=True)
        (workspace / name).write_text(text)


def test_one_rule_of_one_file_is_fixed_and_nothing_else(tmp_path: Path) -> None:
    lay(tmp_path, {"a.py": "x = not a in b\ny = not a is b\n", "b.py": "x = not a in b\n"})
    assert fix(ruff_fix.make(SETUP), tmp_path, "a.py", "ruff:E713") == "ruff fixed E713"
    assert (tmp_path / "a.py").read_text() == "x = a not in b\ny = not a is b\n"
    assert (tmp_path / "b.py").read_text() == "x = not a in b\n"


def test_configuration_and_comments_of_the_repository_do_not_matter(tmp_path: Path) -> None:
    hostile = "fix = false\nextend-exclude = ['*']\nrequired-version = '==0.0.1'\n[lint]\nselect = []\n"
    tree = tmp_path / "tree"
    lay(
        tmp_path,
        {"tree/a.py": "x = not a in b  # noqa\n", "tree/ruff.toml": hostile, "ruff/ruff.toml": hostile},
    )
    setup = ToolSetup(env={"XDG_CONFIG_HOME": str(tmp_path), "HOME": str(tmp_path)})
    assert fix(ruff_fix.make(setup), tree, "a.py", "ruff:E713")
    assert (tree / "a.py").read_text() == "x = a not in b  # noqa\n"
    assert sorted(path.name for path in tree.iterdir()) == ["a.py", "ruff.toml"]


@pytest.mark.parametrize(
    ("files", "fixed"),
    [
        ({}, True),
        ({"pyproject.toml": '[project]\nrequires-python = ">=3.12"\n'}, True),
        ({"pyproject.toml": '[project]\nrequires-python = ">=3.8"\n'}, False),
        ({"setup.py": "setup(\n    python_requires='>=3.7',\n)\n"}, False),
        ({"setup.cfg": "[options]\npython_requires = >=3.8\n", "pyproject.toml": "[["}, False),
    ],
)
def test_a_fix_brings_no_syntax_that_the_project_cannot_read(
    tmp_path: Path, files: dict[str, str], fixed: bool
) -> None:
    text = "from typing import Optional\n\nx: Optional[int] = None\n"
    lay(tmp_path, {"a.py": text, **files})
    fix(ruff_fix.make_unsafe(SETUP), tmp_path, "a.py", "ruff:UP045")
    assert ("int | None" in (tmp_path / "a.py").read_text()) == fixed


def test_an_unused_import_goes_where_nobody_asks_for_it(tmp_path: Path) -> None:
    lay(tmp_path, {"app/tool.py": "import os\nimport re\n\nre.compile('a')\n", "app/other.py": "import os\n"})
    assert fix(ruff_fix.make(SETUP), tmp_path, "app/tool.py", "ruff:F401")
    assert (tmp_path / "app/tool.py").read_text() == "import re\n\nre.compile('a')\n"


@pytest.mark.parametrize(
    ("name", "text", "other"),
    [
        ("pkg/__init__.py", "from os import path\n", ""),
        ("pkg/conftest.py", "from os import path\n", ""),
        ("pkg/tool.py", "from os import path\n\n__all__ = ['x']\nx = 1\n", ""),
        ("pkg/tool.py", "from os import path\n", "from pkg.tool import path\n"),
        ("pkg/tool.py", "from os import path\n", "from .tool import (\n    other,\n    path,\n)\n"),
        ("pkg/tool.py", "from os import path\n", "from pkg.tool import *\n"),
        ("pkg/tool.py", "from os import path\n", "from pkg import tool\n\ntool.path\n"),
        ("pkg/tool.py", "from os import path\n", "import pkg.tool as t\n\nt.path\n"),
        ("pkg/tool.py", "from os import path\n", "patch('pkg.tool.path')\n"),
        ("pkg/tool.py", "from os import path\n", "patch.object(tool, 'path')\n"),
        ("pkg/tool.py", "import os.path as p\n", "from pkg.tool import p\n"),
    ],
)
def test_an_import_that_others_take_from_here_stays(tmp_path: Path, name: str, text: str, other: str) -> None:
    lay(tmp_path, {name: text, "pkg/other.py": other})
    assert fix(ruff_fix.make(SETUP), tmp_path, name, "ruff:F401") == ""
    assert fix(ruff_fix.make_unsafe(SETUP), tmp_path, name, "ruff:F401") == ""
    assert (tmp_path / name).read_text() == text


def test_an_import_in_code_that_does_not_parse_stays(tmp_path: Path) -> None:
    lay(tmp_path, {"a.py": "import os\ndef f(:\n"})
    assert fix(ruff_fix.make(SETUP), tmp_path, "a.py", "ruff:F401") == ""
    assert (tmp_path / "a.py").read_text() == "import os\ndef f(:\n"


def test_unsafe_fixes_are_made_only_by_the_fixer_for_them(tmp_path: Path) -> None:
    text = "x = 1\nif a == None:\n    pass\n"
    lay(tmp_path, {"a.py": text})
    finding = Finding("x", file="a.py", line=2, rule="ruff:E711")
    safe, unsafe = ruff_fix.make(SETUP), ruff_fix.make_unsafe(SETUP)
    assert not safe.can(finding, unsafe=True), "ruff has no safe fix, and the finding says so"
    assert not unsafe.can(finding)
    assert unsafe.can(finding, unsafe=True)
    assert asyncio.run(safe.fix(finding, tmp_path)) == ""
    assert (tmp_path / "a.py").read_text() == text
    assert asyncio.run(unsafe.fix(finding, tmp_path)) == "ruff fixed E711"
    assert "a is None" in (tmp_path / "a.py").read_text()


@pytest.mark.parametrize(
    "text",
    [
        "q = \"SELECT * FROM t WHERE id = '%s'\" % user\n",
        'db.execute("DELETE FROM t WHERE a = %s" % x)\n',
        'import os\nx = "a %s" % b\nos.system("ls %s" % folder)\n',
    ],
)
def test_a_rewrite_that_keeps_an_injection_is_no_fix(tmp_path: Path, text: str) -> None:
    lay(tmp_path, {"a.py": text})
    assert fix(ruff_fix.make_unsafe(SETUP), tmp_path, "a.py", "ruff:UP031") == ""
    assert (tmp_path / "a.py").read_text() == text


def test_harmless_text_is_rewritten(tmp_path: Path) -> None:
    lay(tmp_path, {"a.py": 'x = "hello %s" % name\n'})
    assert fix(ruff_fix.make_unsafe(SETUP), tmp_path, "a.py", "ruff:UP031")
    assert "%s" not in (tmp_path / "a.py").read_text()


@pytest.mark.parametrize("rule", ["ruff:--fix", "ruff:E713,F401", "ruff:", "oxlint:E713", "ruff:ALL --x"])
def test_a_rule_that_is_none_is_not_taken(tmp_path: Path, rule: str) -> None:
    finding = Finding("x", file="a.py", line=1, rule=rule, fixable=True)
    assert not any(fixer.can(finding, unsafe=True) for fixer in code_fixers(SETUP))


def test_oxlint_fixes_one_rule_of_a_copy(tmp_path: Path) -> None:
    text = "if (!('a') in b) { c(); }\nvar q = 1; use(q);\n"
    lay(tmp_path, {"a.js": text, ".oxlintrc.json": '{"ignorePatterns": ["*"]}'})
    assert fix(oxlint_fix.make(SETUP), tmp_path, "a.js", "oxlint:no-unsafe-negation")
    assert (tmp_path / "a.js").read_text() == "if (!(('a') in b)) { c(); }\nvar q = 1; use(q);\n"
    assert fix(oxlint_fix.make(SETUP), tmp_path, "a.js", "oxlint:no-unsafe-negation") == ""


def test_a_program_that_fails_is_said_and_the_file_stays(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "oxlint-none"
    program.write_text("#!/bin/sh\nexit 9\n")
    program.chmod(0o755)
    from burnish.fixers._run import run_fixer

    setup = ToolSetup(env={"PATH": "/usr/bin:/bin"}, search=str(tmp_path / "bin"))
    with pytest.raises(FixerFailed, match="exit 9"):
        asyncio.run(run_fixer(setup, "oxlint-none", (), frozenset({0})))
    with pytest.raises(FixerFailed, match="not installed"):
        asyncio.run(run_fixer(setup, "nowhere-to-be-found", (), frozenset({0})))


STYLE = formatter.Style(line_length=40, quotes="single")


@pytest.mark.parametrize(
    ("base", "style"),
    [
        ({}, None),
        ({"pyproject.toml": "[tool.ruff]\nline-length = 100\n"}, None),
        ({"pyproject.toml": "[tool.ruff.format]\nquote-style = 'single'\n[tool.ruff]\nline-length = 40\n"}, STYLE),
        ({"ruff.toml": "line-length = 40\n[format]\nquote-style = 'single'\n", "pyproject.toml": "x"}, STYLE),
        ({".pre-commit-config.yaml": "repos:\n- hooks:\n  - id: ruff-format\n"}, formatter.Style()),
        ({"Makefile": "lint:\n\truff format --check .\n"}, formatter.Style()),
        ({"ruff.toml": "line-length = 'x'\n[format]\nquote-style = 3\n"}, formatter.Style()),
        ({"ruff.toml": "line-length = 99999999\ntarget-version = '; rm'\n[format]\n"}, formatter.Style()),
        ({"pyproject.toml": "[[[", "ruff.toml": "not toml ["}, None),
    ],
)  # fmt: skip
def test_the_base_says_whether_and_how_it_formats(
    base: dict[str, str], style: formatter.Style | None
) -> None:
    assert formatter.style_of(base) == style


def test_a_formatted_file_stays_formatted_and_another_is_not_touched(tmp_path: Path) -> None:
    setup = ToolSetup(env={}, options={formatter.OPTION: codec.encode(STYLE)})
    fixer = next(one for one in code_fixers(setup) if one.name == "codemods")
    formatted = "import requests\n\nrequests.get(url, data, auth)\n"
    odd = "import requests\nx  =  1\nrequests.get(url, data, auth)\n"
    lay(tmp_path, {"a.py": formatted, "b.py": odd})
    assert "formatted" in fix(fixer, tmp_path, "a.py", "ruff:S113", line=3)
    assert (tmp_path / "a.py").read_text() == (
        "import requests\n\nrequests.get(\n    url, data, auth, timeout=30\n)\n"
    )
    assert "formatted" not in fix(fixer, tmp_path, "b.py", "ruff:S113", line=3)
    assert (tmp_path / "b.py").read_text() == odd.replace("auth", "auth, timeout=30")


def test_the_wiring_reads_the_style_of_the_base_and_follows_no_link(tmp_path: Path) -> None:
    lay(tmp_path, {"base/ruff.toml": "line-length = 40\n[format]\nquote-style = 'single'\n", "other/x": ""})
    told = tool_options(tmp_path / "repository", tmp_path / "base")
    assert told["repository"] == str(tmp_path / "repository")
    assert formatter.style_in(ToolSetup(env={}, options=told)) == STYLE
    (tmp_path / "other" / "ruff.toml").symlink_to(tmp_path / "base" / "ruff.toml")
    assert formatter.OPTION not in tool_options(tmp_path, tmp_path / "other")


def test_findings_that_a_rewrite_is_meant_for_say_so(tmp_path: Path) -> None:
    lay(tmp_path, {"a.py": "import yaml\n\nyaml.load(x)\neval(x)\n"})
    analysers = repairable((registry.load("analysers", "ruff")(SETUP),), SETUP)
    found = asyncio.run(analysers[0].analyse(Source(tmp_path, "t"), ("a.py",)))
    marked = {one.rule: one.fixable for one in found.findings}
    assert marked["ruff:S506"] is True
    assert marked["ruff:S307"] is False
