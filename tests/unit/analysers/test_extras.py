"""ty, oxlint, mypy and the search for secrets, as they are installed: nothing of the repository steers them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from burnish import registry
from burnish.analysers._fingerprint import identify
from burnish.analysers._setup import AnalyserSetup
from burnish.model.assessment import Analysis
from burnish.model.review import Severity
from burnish.ports import Source

SETUP = AnalyserSetup(env={}, options={"mypy": "always"})
WRONG_TYPE = "def f(x: int) -> str:\n    return x\n"


def lay(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def analysed(name: str, root: Path, *files: str) -> Analysis:
    analyser = registry.load("analysers", name)(SETUP)
    if analyser.missing():
        pytest.skip(analyser.missing())
    return asyncio.run(analyser.analyse(Source(root, "t"), analyser.wants(files)))


def rules(found: Analysis) -> list[tuple[str, int | None, str]]:
    return [(one.file, one.line, one.rule) for one in found.findings]


def test_ty_finds_types_that_do_not_fit_and_is_not_configured_by_the_repository(tmp_path: Path) -> None:
    lay(
        tmp_path,
        {
            "pkg/a.py": "import nosuch\nfrom pkg.b import g\n" + WRONG_TYPE + "g(1, 2)\n",
            "pkg/b.py": "def g(a): return a\n",
            "pkg/__init__.py": "",
            "pyproject.toml": '[tool.ty.rules]\nall="ignore"\n[tool.ty.src]\nexclude=["*"]\n',
            "ty.toml": '[rules]\nall="ignore"\n',
            ".gitignore": "*\n",
        },
    )
    found = analysed("ty", tmp_path, "pkg/a.py", "pkg/b.py")
    assert found.failed == ""
    assert rules(found) == [
        ("pkg/a.py", 4, "ty:invalid-return-type"),
        ("pkg/a.py", 5, "ty:too-many-positional-arguments"),
    ]
    assert found.findings[1].severity is Severity.HIGH


def test_ty_is_not_believed_where_it_cannot_see_what_makes_a_call_fit(tmp_path: Path) -> None:
    code = (
        "def f(value: object, kind: type[object], text: str) -> object:\n"
        "    if hasattr(value, 'run'):\n        return value.run()\n    return kind(text)\n"
    )
    lay(tmp_path, {"a.py": code})
    found = analysed("ty", tmp_path, "a.py")
    calls = [one for one in found.findings if one.rule.startswith(("ty:call", "ty:too-many"))]
    assert [one.severity for one in calls] == [Severity.LOW] * len(calls)
    assert calls


def test_ty_says_what_it_could_not_read(tmp_path: Path) -> None:
    lay(tmp_path, {"a.py": "def f(:\n", "ok.py": WRONG_TYPE})
    (tmp_path / "b.py").write_bytes(b"x = '\xff'\n")
    found = analysed("ty", tmp_path, "a.py", "b.py", "ok.py")
    assert found.failed == ""
    assert sorted(one.path for one in found.not_reviewed) == ["a.py", "b.py"]
    assert [one.file for one in found.findings] == ["ok.py"]


def test_mypy_runs_no_plugin_and_no_interpreter_of_the_repository(tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    evil = f"open({str(mark)!r}, 'w')\n"
    lay(
        tmp_path,
        {
            "tree/a.py": WRONG_TYPE,
            "tree/evil.py": evil,
            "tree/mypy.py": evil,
            "tree/mypy.ini": "[mypy]\nplugins = ./evil.py\npython_executable = ./python\nignore_errors = True\n",
            "tree/python": f"#!/bin/sh\ntouch {mark}\n",
        },
    )
    (tmp_path / "tree" / "python").chmod(0o755)
    found = analysed("mypy", tmp_path / "tree", "a.py")
    assert found.failed == ""
    assert rules(found) == [("a.py", 2, "mypy:return-value")]
    assert not mark.exists()
    assert not (tmp_path / "tree" / ".mypy_cache").exists()


def test_mypy_stands_back_where_ty_is() -> None:
    if registry.load("analysers", "ty")(SETUP).missing():
        pytest.skip("ty is not installed")
    standing_back = registry.load("analysers", "mypy")(AnalyserSetup(env={}))
    assert standing_back.missing() == "ty judges types here"
    assert standing_back.wants(("a.py",)) == ()


def test_oxlint_is_silenced_by_no_comment_and_no_configuration(tmp_path: Path) -> None:
    lay(
        tmp_path,
        {
            "a.js": "/* eslint-disable */\n// oxlint-disable-next-line\ndebugger;\n",
            "b.ts": "let x: number = 1;\nif (x = 2) { eval(y); }\n",
            ".oxlintrc.json": '{"ignorePatterns": ["*"], "rules": {"no-debugger": "off"}}',
            ".eslintignore": "*\n",
            ".gitignore": "*\n",
        },
    )
    found = analysed("oxlint", tmp_path, "a.js", "b.ts")
    assert ("a.js", 3, "oxlint:no-debugger") in rules(found)
    assert ("b.ts", 2, "oxlint:no-cond-assign") in rules(found)
    assert {one.severity for one in found.findings if one.rule == "oxlint:no-eval"} == {Severity.HIGH}


def test_oxlint_says_what_does_not_parse(tmp_path: Path) -> None:
    lay(tmp_path, {"a.js": "let x = ;\n", "b.js": "debugger;\n"})
    found = analysed("oxlint", tmp_path, "a.js", "b.js")
    assert [one.path for one in found.not_reviewed] == ["a.js"]
    assert ("b.js", 1, "oxlint:no-debugger") in rules(found)


# Put together here, so that nobody takes this file for a leak.
AWS = "AKIA" + "Q7ZX3PLM5RTV9WKD"
GITHUB = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def test_a_token_is_found_on_whichever_line_it_stands_and_whatever_is_around_it(tmp_path: Path) -> None:
    tokens = {
        "artifactory": "AKC" + "p8abcdef12345",
        "github_token": "ghp_" + "a1B2" * 9,
        "private_key": "BEGIN RSA " + "PRIVATE KEY",
        "stripe": "sk_live_" + "a1" * 12,
        "basic_auth": "https://u:" + "passw0rd@host/x",
    }
    around = {"first": "{}\nb\n", "last": "a\n\n{}", "alone": "{}", "quoted": 'a\nx = "{}"\nb\n'}
    wanted = {
        f"{kind}-{place}.txt": text.format(tokens[kind]) for kind in tokens for place, text in around.items()
    }
    lay(tmp_path, wanted)
    found = analysed("secrets", tmp_path, *wanted)
    assert {(one.file, one.rule) for one in found.findings} == {
        (name, f"secrets:{name.partition('-')[0]}") for name in wanted
    }


def test_tokens_are_found_and_never_shown(tmp_path: Path) -> None:
    lay(
        tmp_path,
        {"a.py": f"x = 1\nkey = '{AWS}'\n", "conf/b.env": f"TOKEN={GITHUB}\n", "c.py": "x = 'hello'\n"},
    )
    found = analysed("secrets", tmp_path, "a.py", "conf/b.env", "c.py")
    assert rules(found) == [("a.py", 2, "secrets:aws"), ("conf/b.env", 1, "secrets:github_token")]
    assert {one.severity for one in found.findings} == {Severity.CRITICAL}
    shown = repr(found) + repr(identify(found.findings, lambda path: (tmp_path / path).read_text()))
    assert AWS not in shown
    assert GITHUB not in shown


def test_a_module_of_the_repository_is_not_imported_by_the_search(tmp_path: Path) -> None:
    evil = f"open({str(tmp_path / 'ran')!r}, 'w')\n"
    names = ("detect_secrets.py", "secrets.py", "re.py", "sitecustomize.py", "usercustomize.py")
    lay(tmp_path, {f"tree/{name}": evil for name in names})
    setup = AnalyserSetup(env={"PYTHONPATH": str(tmp_path / "tree")})
    analyser = registry.load("analysers", "secrets")(setup)
    if analyser.missing():
        pytest.skip(analyser.missing())
    found = asyncio.run(analyser.analyse(Source(tmp_path / "tree", "t"), names))
    assert found.failed == ""
    assert not (tmp_path / "ran").exists()


def test_a_pragma_does_not_silence_the_search(tmp_path: Path) -> None:
    lay(tmp_path, {"a.py": f"key = '{AWS}'  # pragma: allowlist secret\n"})
    assert len(analysed("secrets", tmp_path, "a.py").findings) == 1


def test_the_search_says_what_it_could_not_read(tmp_path: Path) -> None:
    (tmp_path / "a.bin").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "link").symlink_to("/etc/passwd")
    lay(tmp_path, {"min.js": f"x={'a' * 5000}\nkey='{AWS}'\n"})
    found = analysed("secrets", tmp_path, "a.bin", "link", "min.js")
    assert sorted(one.path for one in found.not_reviewed) == ["a.bin", "link"]
    assert rules(found) == [("min.js", 2, "secrets:aws")]
