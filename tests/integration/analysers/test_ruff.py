"""ruff as we run it: what it finds, and that nothing in the repository steers or silences it."""

from __future__ import annotations

from pathlib import Path

import pytest

from burnish.analysers.ruff import target_version
from burnish.model.review import Severity
from tests.integration.analysers.planted import lay, look, one, rules

SHELL = "import subprocess\n\n\ndef f(a):\n    subprocess.run('ls ' + a, shell=True, check=True)\n"


PLANTED = {
    "S506": "import yaml\nyaml.load(open('a'))\n",
    "S608": "def f(c, u):\n    c.execute('SELECT * FROM t WHERE a = ' + u)\n",
    "S301": "import pickle\npickle.loads(b'')\n",
    "S324": "import hashlib\nhashlib.md5(b'a')\n",
    "S501": "import requests\nrequests.get('http://a', verify=False, timeout=1)\n",
    "S113": "import requests\nrequests.get('http://a')\n",
    "S306": "import tempfile\ntempfile.mktemp()\n",
    "B006": "def f(a=[]):\n    return a\n",
    "E722": "try:\n    x = 1\nexcept:\n    x = 2\n",
    "F821": "print(nowhere)\n",
    "E711": "x = 1\nif x == None:\n    pass\n",
    "ASYNC251": "import time\nasync def f():\n    time.sleep(1)\n",
    "PERF401": "def f(a):\n    r = []\n    for x in a:\n        r.append(x * 2)\n    return r\n",
    "F631": "assert (1, 'always true')\n",
    "T100": "breakpoint()\n",
}


def test_planted_defects_are_found(tmp_path: Path) -> None:
    found = look("ruff", lay(tmp_path, {f"{rule}.py": code for rule, code in PLANTED.items()}))
    told = {(finding.file, finding.rule) for finding in found.findings}
    assert {(f"{rule}.py", f"ruff:{rule}") for rule in PLANTED} <= told


def test_a_finding_tells_where_what_and_what_to_do(tmp_path: Path) -> None:
    found = look("ruff", lay(tmp_path, {"pkg/a.py": SHELL}))
    finding = one(found, "ruff:S602")
    assert (finding.file, finding.line, finding.severity) == ("pkg/a.py", 5, Severity.CRITICAL)
    assert finding.snippet == "subprocess.run('ls ' + a, shell=True, check=True)"
    assert finding.identity and finding.cwe == "CWE-78" and finding.suggestion
    assert (found.files, found.failed, found.version != "") == (1, "", True)


def test_clean_code_has_no_findings(tmp_path: Path) -> None:
    found = look("ruff", lay(tmp_path, {"a.py": "def double(a: int) -> int:\n    return a * 2\n"}))
    assert (found.findings, found.failed, found.files) == ((), "", 1)


@pytest.mark.parametrize(
    "config",
    [
        'extend-exclude = ["*"]\n',
        'required-version = "==0.0.1"\n',
        'fix = true\nunsafe-fixes = true\n[lint]\nselect = ["ALL"]\n',
        '[lint]\nignore = ["ALL"]\n',
        '[lint.per-file-ignores]\n"*" = ["ALL"]\n',
        "this is = not [toml\n",
        'extend = "/etc/passwd"\n',
    ],
)
def test_the_repositorys_own_settings_neither_silence_it_nor_make_it_write(
    tmp_path: Path, config: str
) -> None:
    source = lay(tmp_path, {"a.py": SHELL, "ruff.toml": config, ".ruff.toml": config})
    assert "ruff:S602" in rules(look("ruff", source, ("a.py",)))
    assert (tmp_path / "a.py").read_text() == SHELL


def test_it_writes_no_cache_anywhere_the_repository_says(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    source = lay(tmp_path / "tree", {"a.py": SHELL, "ruff.toml": f'cache-dir = "{elsewhere}"\n'})
    look("ruff", source, ("a.py",))
    assert not elsewhere.exists()
    assert sorted(path.name for path in source.root.iterdir()) == ["a.py", "ruff.toml"]


@pytest.mark.parametrize("comment", ["# noqa", "# noqa: S602", "# ruff: ignore[S602]"])
def test_a_comment_on_the_line_does_not_silence_it(tmp_path: Path, comment: str) -> None:
    code = SHELL.replace("check=True)", f"check=True)  {comment}")
    assert "ruff:S602" in rules(look("ruff", lay(tmp_path, {"a.py": code})))


@pytest.mark.parametrize("comment", ["# ruff: noqa", "# flake8: noqa", "# ruff: noqa: S602"])
def test_a_comment_for_the_file_does_not_silence_it(tmp_path: Path, comment: str) -> None:
    assert "ruff:S602" in rules(look("ruff", lay(tmp_path, {"a.py": f"{comment}\n{SHELL}"})))


def test_files_that_git_ignores_or_that_ruff_leaves_out_are_still_looked_at(tmp_path: Path) -> None:
    source = lay(tmp_path, {"build/a.py": SHELL, ".venv/b.py": SHELL, ".gitignore": "*\n"})
    found = look("ruff", source, ("build/a.py", ".venv/b.py"))
    assert {finding.file for finding in found.findings} == {"build/a.py", ".venv/b.py"}


def test_a_file_that_is_not_python_is_one_finding_and_not_reviewed(tmp_path: Path) -> None:
    found = look("ruff", lay(tmp_path, {"a.py": "def f(:\n  x = (\n", "b.py": SHELL}))
    broken = one(found, "ruff:invalid-syntax")
    assert (broken.file, broken.line, broken.severity) == ("a.py", 1, Severity.HIGH)
    assert [skipped.path for skipped in found.not_reviewed] == ["a.py"]
    assert found.not_reviewed[0].why.startswith("not valid Python: ")
    assert "ruff:S602" in rules(found)


def test_a_file_that_is_not_utf8_is_not_reviewed_and_no_finding(tmp_path: Path) -> None:
    found = look("ruff", lay(tmp_path, {"a.py": b"x = '\xff'\n"}))
    assert [(skipped.path, skipped.why) for skipped in found.not_reviewed] == [
        ("a.py", "stream did not contain valid UTF-8")
    ]
    assert found.findings == ()


def test_removing_an_import_is_never_called_a_safe_fix(tmp_path: Path) -> None:
    found = look("ruff", lay(tmp_path, {"a.py": "import os\n", "pkg/__init__.py": "import os\n"}))
    assert {finding.rule for finding in found.findings} == {"ruff:F401"}
    assert not any(finding.fixable for finding in found.findings)
    plain, exported = found.findings
    assert plain.confidence is not None and exported.confidence is not None
    assert exported.confidence < 0.3 < plain.confidence


def test_only_safe_fixes_are_offered(tmp_path: Path) -> None:
    code = (
        "def f(user, items):\n    if items == None:\n        return \"a '%s'\" % user\n    return list([1])\n"
    )
    found = look("ruff", lay(tmp_path, {"a.py": code}))
    assert not one(found, "ruff:UP031").fixable
    assert not one(found, "ruff:E711").fixable


def test_new_syntax_is_an_error_only_where_the_project_promises_an_older_python(tmp_path: Path) -> None:
    code = "type X = int\n"
    open_ = look("ruff", lay(tmp_path / "a", {"a.py": code}))
    old = look(
        "ruff",
        lay(tmp_path / "b", {"a.py": code, "pyproject.toml": '[project]\nrequires-python = ">=3.9"\n'}),
    )
    assert open_.not_reviewed == ()
    assert "ruff:invalid-syntax" in rules(old)


def test_newer_forms_are_recommended_only_where_the_project_names_its_oldest_python(tmp_path: Path) -> None:
    code = (
        "from typing import List, Optional\n\n\ndef f(a: Optional[int]) -> List[int]:\n    return [a or 0]\n"
    )
    told = {"a.py": code, "pyproject.toml": '[project]\nrequires-python = ">=3.12"\n'}
    newer = {"ruff:UP006", "ruff:UP035", "ruff:UP045"}
    assert not newer & set(rules(look("ruff", lay(tmp_path / "a", {"a.py": code}))))
    assert newer <= set(rules(look("ruff", lay(tmp_path / "b", told))))


@pytest.mark.parametrize(
    ("wanted", "target"),
    [
        (">=3.9", "py39"),
        (">=3.12,<4", "py312"),
        ("~=3.11", "py311"),
        (">=3.6", "py37"),
        ("<4", ""),
        (">=3.99", "py315"),
    ],
)
def test_the_oldest_python_is_read_from_what_the_project_requires(
    tmp_path: Path, wanted: str, target: str
) -> None:
    lay(tmp_path, {"pyproject.toml": f'[project]\nrequires-python = "{wanted}"\n'})
    assert target_version(tmp_path) == target


@pytest.mark.parametrize("text", ["project = 3\n", "not toml [", "[project]\nrequires-python = 3\n"])
def test_odd_project_files_are_no_obstacle(tmp_path: Path, text: str) -> None:
    assert target_version(lay(tmp_path, {"pyproject.toml": text}).root) == ""
