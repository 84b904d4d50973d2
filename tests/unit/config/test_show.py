"""`burnish config show`, as a user calls it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from burnish.config.schema import FIELDS
from tests.repos import TestRepo


def show(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "burnish", "config", "show", *options]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=60)


def test_every_setting_is_shown_with_its_origin(
    repo: Callable[..., TestRepo], monkeypatch: pytest.MonkeyPatch, isolated_environment: Path
) -> None:
    own = isolated_environment / "config" / "burnish"
    own.mkdir(parents=True)
    (own / "burnish.toml").write_text('[agents]\nreviewer = "mine"\n[limits]\ncycles = 2\n')
    monkeypatch.setenv("BURNISH_LIMITS_PATIENCE", "3")
    there = repo({"burnish.toml": "[limits]\ncycles = 4\n"})
    done = show(there.path, "--json")
    said = json.loads(done.stdout)
    assert (done.returncode, list(said)) == (0, list(FIELDS))
    assert said["limits.cycles"] == {"value": 4, "origin": f"burnish.toml at {there.head[:12]}"}
    assert said["limits.patience"] == {"value": 3, "origin": "environment BURNISH_LIMITS_PATIENCE"}
    assert said["agents.reviewer"] == {"value": "mine", "origin": f"user file {own / 'burnish.toml'}"}
    assert said["land.how"] == {"value": "branch", "origin": "default"}


def test_people_get_one_line_per_setting(repo: Callable[..., TestRepo]) -> None:
    there = repo({"burnish.toml": '[gate]\ncommand = "pytest\\u001b[2J -q"\n'})
    done = show(there.path)
    lines = done.stdout.splitlines()
    assert [line.split(" = ")[0] for line in lines] == list(FIELDS)
    assert "\x1b" not in done.stdout
    gate = next(line for line in lines if line.startswith("gate.command"))
    assert gate.endswith(f"# burnish.toml at {there.head[:12]}")


def test_a_file_that_is_not_committed_is_named_and_not_used(repo: Callable[..., TestRepo]) -> None:
    there = repo({"app.py": ""})
    there.write("burnish.toml", '[gate]\ncommand = "true"\n')
    done = show(there.path, "--json")
    assert json.loads(done.stdout)["gate.command"]["value"] is None
    assert "burnish.toml in your checkout is not what is there at" in done.stderr


def test_a_misspelt_key_is_one_sentence_and_exit_2(repo: Callable[..., TestRepo]) -> None:
    there = repo({"burnish.toml": "[limits]\ncycels = 4\n"})
    done = show(there.path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"burnish: burnish.toml at {there.head[:12]}, line 2: unknown key 'limits.cycels'\n"
        "\nhint: did you mean limits.cycles?\n"
    )


@pytest.mark.conformance("G-20", "G-22", "G-25")
def test_what_a_type_of_task_gets_is_shown_with_the_key_that_decided_it(
    repo: Callable[..., TestRepo], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "task_types:\n  implement: {auto_review: true, model: opus, review_timeout_minutes: 10}\n"
    monkeypatch.setenv("BURNISH_LIMITS_CYCLES", "5")
    pytest.importorskip("yaml")
    there = repo({"burnish.yaml": text})
    at = f"burnish.yaml at {there.head[:12]}"
    said = json.loads(show(there.path, "--type", "implement", "--json").stdout)
    assert said == {
        "auto_review": {"value": True, "origin": f"task_types.implement.auto_review, {at}"},
        "max_review_cycles": {"value": 5, "origin": "limits.cycles, environment BURNISH_LIMITS_CYCLES"},
        "model of implement": {"value": "opus", "origin": f"task_types.implement.model, {at}"},
        "model of review": {"value": "strong", "origin": "default"},
        "model of fix": {"value": "fast", "origin": "default"},
        "implement_s": {"value": 3600, "origin": "default"},
        "review_s": {"value": 600, "origin": f"task_types.implement.review_timeout_minutes, {at}"},
        "fix_s": {"value": 1800, "origin": "default"},
    }
    every = json.loads(show(there.path, "--json").stdout)
    assert every["task_types.implement.model"] == {"value": "opus", "origin": at}
    assert every["task_types.plan.model"] == {"value": None, "origin": "default"}


def test_importing_the_command_costs_nothing_heavy() -> None:
    code = "import burnish.cli.config, sys; print({'pydantic', 'asyncio', 'sqlalchemy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
