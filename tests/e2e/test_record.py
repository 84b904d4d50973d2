"""`burnish run --record DIR`, and the same run again with `cassette:DIR` and without its agents."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli import burnish, program
from tests.repos import TestRepo

CASSETTES = Path(__file__).resolve().parent.parent / "data" / "cassettes"
IMPLEMENT = (
    "Path('app.py').write_text(Path('app.py').read_text() + f'# {role} {cycle}\\n')\n"
    "Path(f'{role}{cycle}').mkdir()\nPath(f'{role}{cycle}', 'data').write_bytes(bytes(range(256)))\n"
    "Path('gone.txt').unlink(missing_ok=True)\n"
    "Path(os.environ['BURNISH_USAGE']).write_text("
    '\'{"tokens_in": 1000, "tokens_out": 10, "model": "gpt-5"}\')\n'
)
REVIEW = (
    "print('Fine.\\n\\n**Verdict: APPROVED**' if cycle == 2 else '## Must-Fix\\n\\n- app.py:1 is wrong\\n\\n"
    "**Verdict: CHANGES_REQUESTED**')\n"
)


def told(said: Any) -> list[Any]:
    """What a run came to: verdicts, trees and what was used, step by step."""
    found = []
    for event in said.events:
        if event["kind"] == "step_finished":
            result = event["result"]
            used = {key: value for key, value in result.get("usage", {}).items() if key != "seconds"}
            found.append((event["step"], result.get("tree"), result.get("native"), result.get("text"), used))
    return found


@pytest.fixture
def twins(repo: Callable[..., TestRepo]) -> TestRepo:
    return repo({"app.py": "print('hi')\n", "gone.txt": "x\n"})


def test_a_recorded_run_is_replayed_to_the_same_tree_verdicts_and_usage(
    tmp_path: Path, twins: TestRepo
) -> None:
    folder = tmp_path / "agents"
    agents = ["--implementer", program(folder, "i", IMPLEMENT), "--reviewer", program(folder, "r", REVIEW)]
    tape = tmp_path / "tape"
    first = burnish(twins.path, "run", "Add it", *agents, "--json", "--record", str(tape))
    assert (first.code, first.end["cycles"], first.end["cost_basis"]) == (0, 2, "estimated")
    names = sorted(path.name for path in tape.iterdir())
    assert names == [
        "0001-implement-1-1.jsonl", "0002-review-1-1.jsonl", "0003-fix-1-1.jsonl", "0004-review-2-1.jsonl",
    ]  # fmt: skip
    shutil.rmtree(folder)
    played = ["--implementer", f"cassette:{tape}", "--reviewer", f"cassette:{tape}"]
    again = burnish(twins.path, "run", "Add it", *played, "--json")
    assert again.code == 0
    assert told(again) == told(first)
    assert [again.end[key] for key in ("tokens", "cost", "native", "cycles", "fixes")] == [
        first.end[key] for key in ("tokens", "cost", "native", "cycles", "fixes")
    ]
    trees = [twins.git("rev-parse", f"{said.end['branch']}^{{tree}}") for said in (first, again)]
    assert trees[0] == trees[1]


@pytest.mark.parametrize(
    ("name", "tokens", "basis"), [("claude", 960, "reported"), ("codex", 720, "unknown")]
)
def test_a_run_of_the_real_clis_is_played_without_them(
    repo: Callable[..., TestRepo], name: str, tokens: int, basis: str
) -> None:
    """Recorded on 2026-11-15 with Claude Code 2.1.325 and Codex 0.166.0 against a scripted model."""
    calc = '"""Arithmetic."""\n\n\ndef add(a, b):\n    return a + b\n'
    own = repo({"calc.py": calc})
    played = [f"--{role}=cassette:{CASSETTES / name}" for role in ("implementer", "reviewer", "fixer")]
    said = burnish(
        own.path, "run", "Add subtract(a, b) to calc.py", *played, "--json", env={"PATH": "/usr/bin:/bin"}
    )
    end = said.end
    assert (said.code, end["native"], end["cycles"], end["fixes"]) == (0, "APPROVED", 2, 1)
    assert (end["tokens"], end["cost_basis"]) == (tokens, basis)
    reviews = [text for _, _, native, text, _ in told(said) if native == "CHANGES_REQUESTED"]
    assert ["- calc.py:9: subtract takes its arguments the wrong way round" in text for text in reviews] == [
        True
    ]
    assert own.show(end["branch"], "calc.py") == f"{calc}\n\ndef subtract(a, b):\n    return a - b\n"


def test_a_variable_records_every_run_and_a_damaged_recording_is_told(
    tmp_path: Path, twins: TestRepo
) -> None:
    tape = tmp_path / "tape"
    agent = program(tmp_path / "agents", "r", "print('**Verdict: APPROVED**')\n")
    arguments = ("run", "Look", "--implementer", "none", "--reviewer", agent, "--base", "HEAD")
    burnish(twins.path, *arguments, env={"BURNISH_RECORD": str(tape)})
    twins.write("app.py", "print('more')\n")
    burnish(twins.path, *arguments, env={"BURNISH_RECORD": str(tape)})
    (path, *_) = tape.iterdir()
    path.write_text(path.read_text()[:100])
    said = burnish(twins.path, "run", "Look", "--implementer", "none", "--reviewer", f"cassette:{tape}")
    assert said.code == 2
    assert "is not a whole recording" in said.err
