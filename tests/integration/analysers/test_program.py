"""Whatever a tool does, an analysis comes back: findings, or why there are none."""

from __future__ import annotations

import asyncio
import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from burnish.analysers._program import Answer, Call, chunks, over_files, relative, with_suffix
from burnish.analysers._table import Hit, classify
from burnish.model.assessment import Analysis
from tests.integration.analysers.planted import SETUP, lay


def script(tmp_path: Path, text: str) -> str:
    path = tmp_path / "tool"
    path.write_text(f"#!{sys.executable} -I\nimport sys, os, time\n{text}\n")
    path.chmod(0o755)
    return str(path)


def read(text: str) -> Answer:
    return Answer(
        tuple(
            classify("tool", Hit(rule, path, 1, rule))
            for rule, path in (line.split(" ") for line in text.splitlines())
        )
    )


def run(tmp_path: Path, text: str, files: tuple[str, ...] = ("a.py",), **changes: object) -> Analysis:
    source = lay(tmp_path / "tree", dict.fromkeys(("a.py", "b.py"), ""))
    call = Call("tool", (script(tmp_path, text),), frozenset({0, 1}), SETUP)
    return asyncio.run(over_files(replace(call, **changes), source, files, read))  # type: ignore[arg-type]


def test_an_exit_code_that_means_findings_is_no_failure(tmp_path: Path) -> None:
    found = run(tmp_path, "print('R1', sys.argv[1]); sys.exit(1)")
    assert [finding.rule for finding in found.findings] == ["tool:R1"]
    assert (found.failed, found.files) == ("", 1)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("sys.stderr.write('config is broken'); sys.exit(2)", "tool failed with exit 2: config is broken"),
        ("os.kill(os.getpid(), 11)", "signal 11"),
        ("print('{ not what we read')", "printed what is not its format"),
        ("raise SystemExit(3)", "exit 3"),
    ],
)
def test_a_crash_and_garbage_are_told_and_not_taken_for_clean(tmp_path: Path, text: str, why: str) -> None:
    found = run(tmp_path, text)
    assert why in found.failed
    assert (found.findings, found.files) == ((), 0)


def test_a_tool_that_does_not_end_is_stopped_and_told(tmp_path: Path) -> None:
    found = run(tmp_path, "time.sleep(60)", setup=replace(SETUP, timeout_s=0.5))
    assert found.failed == "tool did not end within 0.5 s"


def test_an_answer_that_was_cut_is_not_used(tmp_path: Path) -> None:
    found = run(tmp_path, "print('R1 a.py\\n' * 1000)", keep_bytes=100)
    assert "its answer is not whole" in found.failed


def test_a_program_that_is_gone_is_told(tmp_path: Path) -> None:
    found = run(tmp_path, "", argv=("/no/such/program",))
    assert "/no/such/program" in found.failed


def test_a_program_is_only_run_by_its_whole_path(tmp_path: Path) -> None:
    assert run(tmp_path, "", argv=("tool",)).failed == "'tool' is not an absolute path"


def test_a_file_name_is_never_taken_for_an_option(tmp_path: Path) -> None:
    found = run(tmp_path, "print('R1', sys.argv[1])", files=("--fix.py",))
    assert found.findings[0].file == "./--fix.py"


def test_names_that_no_tool_can_print_are_not_reviewed(tmp_path: Path) -> None:
    odd = os.fsdecode(b"caf\xe9.py")
    found = run(tmp_path, "[print('R1', name) for name in sys.argv[1:]]", files=(odd, "a\nb.py", "b.py"))
    assert [(skipped.path, skipped.why) for skipped in found.not_reviewed] == [
        (odd, "its name is not UTF-8"),
        ("a\nb.py", "its name has control characters in it"),
    ]
    assert [finding.file for finding in found.findings] == ["./b.py"]


def test_more_names_than_a_command_line_holds_are_given_in_several_calls(tmp_path: Path) -> None:
    names = tuple(f"{'d' * 200}/{number}.py" for number in range(5000))
    found = run(tmp_path, "print('R1', len(sys.argv))", files=names)
    assert found.failed == ""
    assert len(found.findings) == 3
    assert sum(int(finding.file) - 1 for finding in found.findings) == 5000


def test_chunks_keep_every_name_in_order() -> None:
    names = tuple(f"{number}.py" for number in range(100))
    parts = list(chunks(names, limit=50))
    assert tuple(name for part in parts for name in part) == names
    assert all(sum(len(name) + 1 for name in part) <= 50 for part in parts)


def test_a_long_list_can_go_through_stdin(tmp_path: Path) -> None:
    found = run(tmp_path, "[print('R1', line.strip()) for line in sys.stdin]", ("a.py", "b.py"), listed=True)
    assert [finding.file for finding in found.findings] == ["./a.py", "./b.py"]


def test_nothing_to_look_at_starts_nothing(tmp_path: Path) -> None:
    assert run(tmp_path, "raise SystemExit(9)", files=()) == Analysis("tool")


def test_paths_are_told_from_the_tree_and_never_from_outside(tmp_path: Path) -> None:
    assert relative(f"{tmp_path}/a/b.py", tmp_path) == "a/b.py"
    assert relative("./a/b.py", tmp_path) == "a/b.py"
    with pytest.raises(ValueError, match="not in the tree"):
        relative("/etc/passwd", tmp_path)


def test_suffixes_are_compared_without_case() -> None:
    assert with_suffix(("a.PY", "b.txt", "py"), frozenset({".py"})) == ("a.PY",)
