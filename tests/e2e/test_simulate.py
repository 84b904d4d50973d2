"""`burnish simulate` and the ways to end a run early, as a user types them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from burnish.cli.simulate import Progress
from tests.cli import burnish

SMALL = ("simulate", "--runs", "2", "--cycles", "4")


def test_the_table_is_on_stdout_the_same_each_time_and_fits_a_terminal(tmp_path: Path) -> None:
    said = burnish(tmp_path, *SMALL, "--seed", "7", "--policy", "none", "--policy", "patience=1")
    assert said.code == 0
    rows = said.out.splitlines()
    assert rows[0].split()[:4] == ["policy", "rounds", "wasted", "passed"]
    assert [row.split()[0] for row in rows[1:3]] == ["none", "patience=1"]
    assert "48 runs a policy, at most 4 reviews each, seed 7" in rows
    assert max(map(len, rows)) <= 80
    assert (
        burnish(tmp_path, *SMALL, "--seed", "7", "--policy", "none", "--policy", "patience=1").out == said.out
    )
    assert list(tmp_path.iterdir()) == []


def test_each_pair_can_be_seen_and_read_by_a_program(tmp_path: Path) -> None:
    chosen = (
        "--policy",
        "no-progress=2+patience=3",
        "--reviewer",
        "honest",
        "--fixer",
        "good",
        "--fixer",
        "idle",
    )
    full = burnish(tmp_path, *SMALL, *chosen, "--full").out
    assert "honest x good" in full
    assert "honest x idle" in full
    data = json.loads(burnish(tmp_path, *SMALL, *chosen, "--json").out)
    assert [(pair["reviewer"], pair["fixer"]) for pair in data["pairs"]] == [
        ("honest", "good"),
        ("honest", "idle"),
    ]
    assert data["policies"][0]["runs"] == 4
    assert data["setting"]["cycles"] == 4


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--policy", "hope"], "burnish: unknown policy 'hope'; known: none, "),
        (["--reviewer", "kind"], "burnish: unknown reviewer 'kind'; known: honest, "),
        (["--fixer", "quick"], "burnish: unknown fixer 'quick'; known: good, "),
        (["--runs", "0"], "burnish: Invalid value for '--runs'"),
        (["--gate-share", "2"], "burnish: Invalid value for '--gate-share'"),
    ],
)
def test_bad_input_gets_one_sentence(tmp_path: Path, arguments: list[str], sentence: str) -> None:
    said = burnish(tmp_path, "simulate", *arguments)
    assert said.code == 2
    assert said.err.startswith(sentence)
    assert said.out == ""


def test_how_far_it_is_goes_to_stderr_once_it_takes_a_while(capsys: pytest.CaptureFixture[str]) -> None:
    Progress()(0.5)
    assert capsys.readouterr() == ("", "")
    Progress(quiet_s=0)(0.5)
    assert capsys.readouterr() == ("", "simulating:  50%\n")
