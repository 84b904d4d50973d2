"""A full or read-only disk: a clear sentence, an intact database, and the run goes on when there is room."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
# In a mount namespace of its own, so that nothing is left mounted whatever happens.
SCRIPT = 'mount -t tmpfs -o size=2m tmpfs "$1" && exec "$2" -m tests.integration.store.small_disk "$1"'


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("disk")
    alone = ["unshare", "--mount", "--propagation", "private"]
    probe = [*alone, "mount", "-t", "tmpfs", "tmpfs", str(folder)]
    if subprocess.run(probe, capture_output=True, check=False).returncode:
        pytest.skip("needs the right to mount a small disk")
    done = subprocess.run(
        [*alone, "sh", "-c", SCRIPT, "sh", str(folder), sys.executable],
        cwd=ROOT, capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_disk_that_fills_up_at_any_level_damages_nothing(told: Any) -> None:
    assert len(told["levels"]) == 50
    assert all(level["intact"] in (True, "ok") for level in told["levels"])


def test_a_full_disk_is_said_in_one_sentence(told: Any) -> None:
    full = [level["first"]["trouble"] for level in told["levels"] if level["first"]["trouble"]]
    assert 10 < len(full) < 50, "some levels must be too full and some not"
    for sentence in full:
        assert "\n" not in sentence
        assert "space" in sentence, sentence


def test_when_there_is_room_again_the_run_ends_as_if_it_had_never_been_full(told: Any) -> None:
    for level in told["levels"]:
        assert (level["second"]["trouble"], level["second"]["done"]) == ("", [1, 2, 3, 4, 5, 6])
        assert level["kinds"].count("step_finished") == 6
        assert level["seqs"] == list(range(1, len(level["seqs"]) + 1))


def test_a_read_only_disk_is_said_in_one_sentence(told: Any) -> None:
    assert told["read_only"]["before"] == ""
    assert len(told["read_only"]["said"]) == 3
    for sentence in told["read_only"]["said"]:
        assert "\n" not in sentence
        assert "folder" in sentence, sentence
