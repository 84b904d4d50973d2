"""Which modules import each other, and which of these cycles count."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from burnish.analysers._cycles import cycles, knots
from burnish.model.review import Severity
from tests.integration.analysers.planted import lay, look, one, rules

CYCLE = {
    "pkg/__init__.py": "",
    "pkg/a.py": "import os\nfrom pkg import b\n",
    "pkg/b.py": "from . import c\n",
    "pkg/c.py": "import pkg.a\n",
    "pkg/d.py": "from pkg import a\n",
}


def test_a_cycle_is_one_finding_at_the_import_that_begins_it(tmp_path: Path) -> None:
    found = look("import-cycles", lay(tmp_path, dict(CYCLE)))
    finding = one(found, "import-cycles:cycle")
    assert (finding.file, finding.line, finding.snippet) == ("pkg/a.py", 2, "from pkg import b")
    assert "pkg/a.py -> pkg/b.py -> pkg/c.py -> pkg/a.py" in finding.detail
    assert (finding.dimension, finding.category) == ("architecture", "dependency")
    assert finding.severity is Severity.HIGH
    assert len(found.findings) == 1


def test_a_change_of_one_file_sees_the_cycle_through_files_that_did_not_change(tmp_path: Path) -> None:
    source = lay(tmp_path, dict(CYCLE))
    assert rules(look("import-cycles", source, ("pkg/c.py",))) == {"import-cycles:cycle"}
    assert look("import-cycles", source, ("pkg/d.py",)).findings == ()


def test_a_cycle_that_waits_in_a_function_counts_less(tmp_path: Path) -> None:
    files = dict(CYCLE) | {"pkg/c.py": "def f():\n    import pkg.a\n"}
    finding = one(look("import-cycles", lay(tmp_path, dict(files))), "import-cycles:deferred")
    assert finding.severity is Severity.LOW


def test_imports_for_the_type_checker_alone_make_no_cycle(tmp_path: Path) -> None:
    for number, guard in enumerate(
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:", "import typing as t\nif t.TYPE_CHECKING:")
    ):
        files = dict(CYCLE) | {"pkg/c.py": f"{guard}\n    import pkg.a\n"}
        assert look("import-cycles", lay(tmp_path / str(number), dict(files))).findings == ()


def test_imports_in_try_and_class_bodies_run_on_loading(tmp_path: Path) -> None:
    files = dict(CYCLE) | {
        "pkg/c.py": "try:\n    class X:\n        import pkg.a\nexcept ImportError:\n    pass\n"
    }
    assert rules(look("import-cycles", lay(tmp_path, dict(files)))) == {"import-cycles:cycle"}


def test_the_repositorys_settings_do_not_hide_a_cycle(tmp_path: Path) -> None:
    hiding = 'exclude = ["*"]\nrequired-version = "==0.0.1"\n[analyze]\nexclude = ["*"]\n'
    files = {f"src/{name}": text for name, text in CYCLE.items()} | {"ruff.toml": hiding, ".gitignore": "*\n"}
    found = look("import-cycles", lay(tmp_path, dict(files)))
    assert (rules(found), found.failed) == ({"import-cycles:cycle"}, "")


def test_files_that_are_not_python_do_not_end_it(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {**CYCLE, "x.py": "def f(:", "y.py": b"\xff", "--z.py": "import pkg.a\n"}
    assert rules(look("import-cycles", lay(tmp_path, files))) == {"import-cycles:cycle"}


def test_the_same_cycle_is_the_same_finding_after_lines_moved(tmp_path: Path) -> None:
    moved = dict(CYCLE) | {"pkg/a.py": "import os\n\n\nimport sys\nfrom pkg import b\n"}
    before = look("import-cycles", lay(tmp_path / "a", dict(CYCLE)))
    after = look("import-cycles", lay(tmp_path / "b", dict(moved)))
    assert before.findings[0].identity == after.findings[0].identity
    assert before.findings[0].line != after.findings[0].line


def test_a_chain_of_many_thousand_modules_is_no_problem() -> None:
    ring = {str(at): (str((at + 1) % 20_000),) for at in range(20_000)}
    (knot,) = knots(ring)
    assert len(knot) == 20_000
    assert len(cycles(ring, knot, {"7"})[0]) == 20_000


@given(
    st.dictionaries(st.sampled_from("abcdef"), st.lists(st.sampled_from("abcdef"), max_size=4), max_size=6)
)
def test_every_cycle_told_is_one_and_every_knot_has_one(raw: dict[str, list[str]]) -> None:
    graph = {node: tuple(targets) for node, targets in raw.items()}
    for knot in knots(graph):
        told = cycles(graph, knot, set(knot))
        assert told
        for cycle in told:
            assert cycle[0] == min(cycle)
            assert all(
                after in graph[node] for node, after in zip(cycle, (*cycle[1:], cycle[0]), strict=True)
            )
