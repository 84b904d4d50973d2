"""`burnish corpus`: any command can be scored."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.cli import burnish

NAIVE = """
import json, sys
for line in sys.stdin:
    row = json.loads(line)
    print(json.dumps({"id": row["id"], "pass": "APPROVED" in row["text"]}))
"""


def test_our_own_rules_are_sound_beside_the_literal_and_the_naive_ones(tmp_path: Path) -> None:
    said = burnish(tmp_path, "corpus", "score")
    assert said.code == 0
    ours, seeds, naive = said.out.splitlines()[1:]
    assert ours.split()[:3] == ["burnish", "0", "of"]
    assert int(seeds.split()[2]) > 250
    assert int(naive.split()[1]) > 250


def test_a_command_is_scored_by_what_it_prints(tmp_path: Path) -> None:
    (tmp_path / "naive.py").write_text(NAIVE)
    said = burnish(tmp_path, "corpus", "score", f"{sys.executable} naive.py", "--author", "blind", "--json")
    found = json.loads(said.out)
    assert said.code == 1
    assert found["wrong"]
    assert found["unanswered"] == []


def test_a_command_that_answers_nothing_is_one_sentence_and_exit_2(tmp_path: Path) -> None:
    said = burnish(tmp_path, "corpus", "score", "echo hello")
    assert said.code == 2
    assert 'expected lines {"id": ..., "pass": true}' in said.err
    assert burnish(tmp_path, "corpus", "score", "--author", "me").code == 2
    assert burnish(tmp_path, "corpus", "score", "--set", "verdicts").code == 2


def test_the_rows_can_be_printed_without_their_labels(tmp_path: Path) -> None:
    said = burnish(tmp_path, "corpus", "rows", "replies", "--author", "fresh")
    lines = [json.loads(line) for line in said.out.splitlines()]
    assert len(lines) == 300
    assert not any("expected" in line for line in lines)
