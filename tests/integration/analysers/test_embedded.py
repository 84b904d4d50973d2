"""The embedded reviewer as a whole: nothing of the repository runs, nothing leads out of the tree."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from burnish.analysers._embedded import embedded, identified, not_assessed, text_of
from burnish.model.assessment import Analysis
from burnish.registry import load, names
from tests.integration.analysers.planted import SETUP, all_files, lay, look, rules

MINE = ("ruff", "lizard", "import-cycles", "added")
SHELL = "import subprocess\nsubprocess.run('ls ' + input(), shell=True, check=True)\n"


def test_every_analyser_of_the_folder_takes_part() -> None:
    made = embedded(SETUP)
    assert [analyser.name for analyser in made] == names("analysers")
    assert set(MINE) | {"tests"} <= {analyser.name for analyser in made}


@pytest.mark.parametrize("name", MINE)
def test_no_file_of_the_repository_is_executed(tmp_path: Path, name: str) -> None:
    marker = tmp_path / "executed"
    trap = f"open({str(marker)!r}, 'w').close()\nraise SystemExit('trapped')\n"
    modules = (
        "ruff lizard lizard_core lizard_languages lizard_ext ast json re sitecustomize usercustomize signal"
    )
    files: dict[str, str | bytes] = {f"{module}.py": trap for module in modules.split()}
    files |= {f"{module}/__init__.py": trap for module in ("burnish", "encodings", "conftest")}
    files |= {
        "setup.py": trap,
        "a.py": f"{SHELL}{trap}",
        "ruff": f"#!/bin/sh\ntouch {marker}\n",
        "lizard.pth": trap,
    }
    # A cycle, so that the child that reads imports is started too.
    files |= {"one.py": "import two\n", "two.py": "import one\n"}
    source = lay(tmp_path / "tree", files)
    (source.root / "ruff").chmod(0o755)
    hostile = {**SETUP.env, "PYTHONPATH": str(source.root), "PYTHONSTARTUP": str(source.root / "a.py")}
    found = look(name, source, env=hostile, search=f".:{SETUP.search}")
    assert found.failed == ""
    assert not marker.exists()


def test_a_link_out_of_the_tree_is_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    lay(outside, {"secret.py": SHELL})
    source = lay(tmp_path / "tree", {"a.py": "x = 1\n"})
    (source.root / "link.py").symlink_to(outside / "secret.py")
    (source.root / "folder").symlink_to(outside)
    wanted = ("a.py", "link.py", "folder/secret.py", "../outside/secret.py", str(outside / "secret.py"))
    for name in MINE:
        found = look(name, source, wanted)
        assert found.findings == ()
        assert {skipped.path for skipped in found.not_reviewed} == set(wanted[1:])


@pytest.mark.parametrize("path", ["../a.py", "/etc/passwd", "", "gone.py", "."])
def test_only_regular_files_inside_the_tree_are_read_as_text(tmp_path: Path, path: str) -> None:
    lay(tmp_path, {"tree/b.py": "b", "a.py": "a"})
    assert text_of(tmp_path / "tree", path) is None
    assert text_of(tmp_path / "tree", "b.py") == "b"


def test_findings_have_their_line_and_an_identity_whoever_found_them(tmp_path: Path) -> None:
    source = lay(tmp_path, {"a.py": f"{SHELL}# TODO: more\n"})
    for name in ("ruff", "added"):
        for finding in look(name, source).findings:
            assert finding.identity and finding.snippet and finding.dimension and finding.category


def test_base_and_head_give_the_same_identities_for_what_did_not_change(tmp_path: Path) -> None:
    base = look("ruff", lay(tmp_path / "base", {"a.py": SHELL}))
    head = look("ruff", lay(tmp_path / "head", {"a.py": f"'''New.'''\n\n\n{SHELL}eval(input())\n"}))
    new = {finding.identity for finding in head.findings} - {finding.identity for finding in base.findings}
    assert {finding.rule for finding in head.findings if finding.identity in new} == {"ruff:S307"}


def test_the_whole_works_at_once_on_a_tree_of_several_languages(tmp_path: Path) -> None:
    source = lay(
        tmp_path,
        {
            "a.py": SHELL,
            "b.js": "debugger;\n",
            "c.go": "package c\n// FIXME: x\n",
            "d.bin": b"\0\1",
            "e.sh": "# TODO\n",
        },
    )

    async def everything() -> list[Analysis]:
        made = [identified(load("analysers", name)(SETUP)) for name in MINE]
        return await asyncio.gather(*(analyser.analyse(source, all_files(tmp_path)) for analyser in made))

    ran = asyncio.run(everything())
    assert [analysis.failed for analysis in ran] == [""] * len(MINE)
    told = set().union(*(rules(analysis) for analysis in ran))
    assert {"ruff:S602", "added:debugger", "added:fixme", "added:todo"} <= told


def test_what_no_tool_judges_is_always_said() -> None:
    told = not_assessed((Analysis("ruff"), Analysis("tests")))
    assert "action-items: whether the task was done: no analyser judges that" in told
    assert "security: known vulnerabilities of dependencies: not assessed offline" in told
    assert not any("they were not run" in sentence for sentence in told)


def test_an_analyser_that_failed_and_tests_that_did_not_run_are_said() -> None:
    told = not_assessed((Analysis("lizard", failed="lizard is not installed"),))
    assert "quality: complexity and length (lizard is not installed)" in told
    assert "action-items: the tests: they were not run, because no test command is known" in told
