"""The benchmark does what it says: the same work on both sides, in every section. Times are nobody's test."""

from __future__ import annotations

import asyncio
import subprocess
from pathlib import Path

import pytest
from bench.__main__ import names, rendered, run
from bench._scene import BASELINE, GATE, Scene, make_scene

from bench import _drive


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    made = make_scene(tmp_path / "scene", 5)
    monkeypatch.chdir(made.repo)
    for name, value in made.environment().items():
        monkeypatch.setenv(name, value)
    return made


def by_baseline(scene: Scene, gate: str = GATE) -> subprocess.CompletedProcess[bytes]:
    state = str(scene.folder / "baseline")
    if not Path(state).exists():
        subprocess.run([BASELINE, "setup", scene.repo, state], check=True)
    words = [BASELINE, "run", scene.repo, state, "one", scene.writer, scene.reviewer, gate]
    return subprocess.run(words, check=False, capture_output=True)


def test_the_shell_script_makes_the_very_commits_of_a_run_of_ours(scene: Scene) -> None:
    before = scene.git("rev-parse", "HEAD"), scene.git("status", "--porcelain")
    assert by_baseline(scene).returncode == 0
    asyncio.run(_drive.in_process(scene, "off")(0))

    branches = scene.git("for-each-ref", "--format=%(refname)", "refs/heads/baseline", "refs/heads/burnish")
    theirs, ours = branches.split()
    for line in (theirs, ours):
        assert scene.git("rev-list", "--count", f"main..{line}") == "3"
    for steps_back in range(4):
        trees = {scene.git("rev-parse", f"{line}~{steps_back}^{{tree}}") for line in (theirs, ours)}
        assert len(trees) == 1
    assert scene.git("cat-file", "blob", f"{ours}:app.txt") == "hello\nmore\nmore\nmore"
    assert before == (scene.git("rev-parse", "HEAD"), scene.git("status", "--porcelain"))


def test_the_shell_script_stops_at_a_red_gate(scene: Scene) -> None:
    assert by_baseline(scene, "exit 7").returncode == 7
    assert scene.git("for-each-ref", "refs/heads/baseline") == ""


@pytest.mark.parametrize("name", ["aggregate_many", "big_tree", "simulate"])
def test_a_section_runs_quickly_and_fills_its_part_of_the_page(name: str) -> None:
    page = run(name, quick=True)
    text = rendered(name, page, f"python -m bench {name}", 1)
    assert text.startswith(f"## {name.replace('_', ' ')}\n")
    assert "| " in text


def test_every_section_is_a_file_of_its_own() -> None:
    assert names() == [
        "aggregate_many",
        "big_tree",
        "crowd",
        "fix_safety",
        "loops",
        "many_loops",
        "queue_status",
        "release_diffs",
        "repair",
        "review_big",
        "second_look",
        "simulate",
        "startup",
        "taint",
        "taint_repairs",
        "taint_speed",
    ]
