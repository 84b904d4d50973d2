"""ast-grep as an analyser: nothing in the repository can silence it, and what it cannot read is said."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from burnish.analysers._setup import AnalyserSetup
from burnish.analysers.ast_grep import LANGUAGES, make
from burnish.model.assessment import Analysis
from burnish.model.review import Severity
from burnish.ports import Source

EVAL = "value = eval(text)\n"


def analysed(root: Path, *names: str, **settings: object) -> Analysis:
    setup = AnalyserSetup(env={}, **settings)  # type: ignore[arg-type]
    return asyncio.run(make(setup).analyse(Source(root, ""), names))


def lay(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def places(found: Analysis) -> list[tuple[str, int | None, str]]:
    return [(one.file, one.line, one.rule) for one in found.findings]


def test_a_finding_has_its_place_and_its_meaning_from_the_table(tmp_path: Path) -> None:
    lay(tmp_path, {"src/a.py": "import os\n\ndef f(d):\n    os.system(f'ls {d}')\n"})
    found = analysed(tmp_path, "src/a.py")
    assert found.failed == ""
    assert found.files == 1
    assert found.version
    one = found.findings[0]
    assert (one.file, one.line, one.rule) == ("src/a.py", 4, "ast-grep:py-shell-string")
    assert (one.dimension, one.category, one.severity) == ("security", "injection", Severity.CRITICAL)
    assert one.cwe == "CWE-78"
    assert "subprocess.run" in one.suggestion


@pytest.mark.parametrize("comment", ["# ast-grep-ignore", "# ast-grep-ignore: py-eval"])
def test_a_comment_in_the_code_does_not_silence_it(tmp_path: Path, comment: str) -> None:
    lay(tmp_path, {"a.py": f"# ast-grep-ignore\n\n{comment}\n{EVAL}", "pkg/b.py": EVAL})
    found = analysed(tmp_path, "a.py", "pkg/b.py")
    assert sorted(places(found)) == [("a.py", 4, "ast-grep:py-eval"), ("pkg/b.py", 1, "ast-grep:py-eval")]
    assert found.files == 2
    assert (tmp_path / "a.py").read_text().count("ast-grep-ignore") == 2, "the tree itself stays as it is"


def test_configuration_of_the_repository_is_not_read(tmp_path: Path) -> None:
    hostile = 'ruleDirs: [none]\nlanguageGlobs:\n  html: ["*.py"]\n'
    lay(tmp_path, {"a.py": EVAL, "sgconfig.yml": hostile, ".gitignore": "*\n", ".ignore": "*\n"})
    assert places(analysed(tmp_path, "a.py")) == [("a.py", 1, "ast-grep:py-eval")]


def test_hidden_and_odd_names_are_read_too(tmp_path: Path) -> None:
    lay(tmp_path, {".hidden/a.py": EVAL, "-c.py": EVAL, "we ird/ü.py": EVAL})
    found = analysed(tmp_path, ".hidden/a.py", "-c.py", "we ird/ü.py")
    assert sorted(one.file for one in found.findings) == ["-c.py", ".hidden/a.py", "we ird/ü.py"]


def test_what_it_cannot_read_is_not_called_clean(tmp_path: Path) -> None:
    (tmp_path / "latin.py").write_bytes(b"value = '\xff'\n")
    (tmp_path / "big.py").write_text("x = 1\n" * 800_000)
    (tmp_path / "link.py").symlink_to("/etc/passwd")
    os.mkfifo(tmp_path / "pipe.py")
    found = analysed(tmp_path, "latin.py", "big.py", "link.py", "pipe.py", "gone.py")
    assert {one.path: one.why.split(" (")[0] for one in found.not_reviewed} == {
        "latin.py": "not UTF-8",
        "big.py": "larger than 4 MB",
        "link.py": "not a regular file",
        "pipe.py": "not a regular file",
        "gone.py": "cannot be read",
    }


def test_each_suffix_it_wants_it_really_reads(tmp_path: Path) -> None:
    text = {
        "python": EVAL,
        "javascript": "eval(text)\n",
        "go": "package a\nvar h = md5.New()\n",
        "java": 'class A { Object h = MessageDigest.getInstance("MD5"); }\n',
        "rust": "fn f() { todo!() }\n",
        "ruby": "eval(text)\n",
        "shell": "eval $text\n",
    }
    written = {f"a{suffix}": text[of] for of, suffixes in LANGUAGES.items() for suffix in suffixes}
    lay(tmp_path, written)
    assert {one.file for one in analysed(tmp_path, *written).findings} == set(written)


def test_a_line_is_reported_once_for_each_rule(tmp_path: Path) -> None:
    lay(tmp_path, {"a.py": "a, b = eval(eval(x)), eval(y)\n"})
    assert places(analysed(tmp_path, "a.py")) == [("a.py", 1, "ast-grep:py-eval")]


def test_line_separators_inside_a_line_do_not_break_the_answer(tmp_path: Path) -> None:
    lay(tmp_path, {"a.py": "value = eval(text + '\u2028 \x85')\n"})
    found = analysed(tmp_path, "a.py")
    assert (found.failed, len(found.findings)) == ("", 1)


def test_a_program_that_is_not_there_is_said() -> None:
    analyser = make(AnalyserSetup(env={}))
    assert analyser.missing() == ""
    assert type(analyser)(analyser.setup, None).missing() == "ast-grep is not installed"


@pytest.mark.parametrize("prints", ["rubbish", '{"ruleId": 1}', "[]", '{"ruleId":"x","file":"/etc/x"}'])
def test_garbage_is_an_analysis_that_failed(tmp_path: Path, prints: str) -> None:
    program = tmp_path / "ast-grep"
    program.write_text(f"#!/bin/sh\ncat <<'END'\n{prints}\nEND\n")
    program.chmod(0o755)
    lay(tmp_path, {"a.py": EVAL})
    setup = AnalyserSetup(env={"PATH": "/usr/bin:/bin"})
    analyser = type(make(setup))(setup, program)
    found = asyncio.run(analyser.analyse(Source(tmp_path, ""), ("a.py",)))
    assert "not its format" in found.failed
    assert found.findings == ()


def test_no_files_wanted_is_an_empty_answer(tmp_path: Path) -> None:
    assert analysed(tmp_path, "README.md") == Analysis("ast-grep", version=analysed(tmp_path).version)
