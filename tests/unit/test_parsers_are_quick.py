"""What the section `parsers` of chaos found slow or open-ended, each mended: read soon, or refused in a sentence."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.agents._scenario import load
from burnish.codec import decode
from burnish.config.files import MAX_BYTES, MAX_YAML_BYTES, ConfigFile, read
from burnish.errors import UsageError
from burnish.gates.added_lines import read_hunks
from burnish.gates.suppressions import added_suppressions
from burnish.git.names import first_line, means_git, shown
from burnish.process.capture import Lines
from burnish.prompts.book import fence
from burnish.sanitise import clean, decoded

# Ten times what is promised on a quiet machine: these were at 500 ms and far more.
SOON_S = 1.0


def soon(began: float) -> bool:
    return time.process_time() - began < SOON_S


@pytest.mark.parametrize("text", ["a." * 30_000 + "b=1", "x={" + "a." * 30_000 + "b=1}"])
def test_a_key_of_thousands_of_parts_is_refused_at_once(text: str, tmp_path: Path) -> None:
    began = time.process_time()
    with pytest.raises(UsageError, match="more than 200 parts"):
        read(ConfigFile("burnish.toml", text.encode()))
    (tmp_path / "s.toml").write_text(text)
    with pytest.raises(UsageError, match="more than 200 parts"):
        load(tmp_path / "s.toml")
    assert soon(began)


def test_a_scenario_that_is_too_large_is_refused_before_it_is_read(tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text("#" * (MAX_BYTES + 1))
    with pytest.raises(UsageError, match="larger than 64 KB"):
        load(tmp_path / "s.toml")


def test_brackets_in_brackets_of_yaml_are_refused_at_once() -> None:
    began = time.process_time()
    with pytest.raises(UsageError, match="nested too deeply, more than 50"):
        read(ConfigFile("burnish.yaml", b"[" * MAX_YAML_BYTES, yaml=True))
    with pytest.raises(UsageError, match="larger than 8 KB"):
        read(ConfigFile("burnish.yaml", b"#" * (MAX_YAML_BYTES + 1), yaml=True))
    assert soon(began)


def test_a_stored_result_without_its_type_is_a_value_error() -> None:
    for text in ('{"value": 1}', "[1]", "1", '{"type": "X"}'):
        with pytest.raises(ValueError, match="type and value"):
            decode(text, int)


@given(st.binary(max_size=60))
def test_bytes_are_shown_as_python_shows_what_is_no_text(data: bytes) -> None:
    assert decoded(data) == data.decode("utf8", "backslashreplace")


@given(st.text(max_size=60))
def test_each_character_is_escaped_as_it_would_be_alone(text: str) -> None:
    assert clean(text) == "".join(clean(character) for character in text)


@pytest.mark.parametrize("data", [b"\0" * 1_000_000, b"\xff" * 1_000_000, b"\\" * 1_000_000])
def test_a_megabyte_of_odd_bytes_is_shown_soon(data: bytes) -> None:
    began = time.process_time()
    assert len(shown(data)) >= len(data)
    assert not means_git(data)
    assert len(first_line(data)) <= 300
    assert len(clean(data.decode("latin1"))) >= len(data)
    assert soon(began)


@given(st.lists(st.binary(max_size=20).map(lambda data: data.replace(b"x", b"\n")), max_size=8))
def test_lines_are_the_same_however_they_come_in(pieces: list[bytes]) -> None:
    found: list[bytes] = []
    lines = Lines(found.append)
    for piece in pieces:
        lines.take(piece)
    lines.finish()
    assert found == b"".join(pieces).split(b"\n")


def test_a_fence_is_longer_than_any_run_of_backticks_in_it() -> None:
    assert fence("a``b").startswith("```text")
    assert fence("a`````b").startswith("``````text")
    assert fence("none").startswith("```text")


def test_a_line_made_to_be_slow_does_not_hold_the_gate_up() -> None:
    """It once took minutes: spaces behind a suppression, and every added line copied all before it."""
    began = time.process_time()
    head = "--- a/a.py\n+++ b/a.py\n@@ -0,0 +1,{} @@\n"
    spaces = head.format(1) + "+x = 1  # noqa" + " " * 200_000 + "y\n"
    assert [str(one) for one in added_suppressions(read_hunks(spaces))] == ["a.py:1"]
    assert len(read_hunks(head.format(60_000) + "+x = 1\n" * 60_000)[0].added) == 60_000
    assert len(added_suppressions(read_hunks(head.format(1) + "+# " + "noqa " * 60_000 + "\n"))) > 0
    assert time.process_time() - began < 10
