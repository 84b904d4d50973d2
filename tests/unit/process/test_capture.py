"""Streams cut into head, tail, lines and a copy, in any chunks."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from burnish.process import capture
from burnish.process.capture import Capture, Lines, Spill

CHUNKS = st.lists(st.binary(max_size=30), max_size=20)


@given(CHUNKS, st.integers(1, 40))
def test_head_and_tail_are_the_ends_of_the_stream_whatever_the_chunks(chunks: list[bytes], keep: int) -> None:
    sink = Capture(keep)
    for chunk in chunks:
        sink.take(chunk)
    whole, kept = b"".join(chunks), sink.captured
    half = max(keep // 2, 1)
    assert kept.total == len(whole)
    assert whole.startswith(kept.head)
    assert whole.endswith(kept.tail)
    assert kept.left_out == max(0, len(whole) - 2 * half)
    assert len(kept.head) <= half
    assert len(kept.tail) <= half


@given(CHUNKS)
def test_lines_are_the_same_whatever_the_chunks(chunks: list[bytes]) -> None:
    seen: list[bytes] = []
    lines = Lines(seen.append)
    for chunk in chunks:
        lines.take(chunk)
    if lines.unfinished:
        lines.finish()
    expected = b"".join(chunks).split(b"\n")
    assert seen == (expected if expected[-1] else expected[:-1])


def test_a_line_that_is_too_long_is_given_once_and_cut() -> None:
    seen: list[int] = []
    lines = Lines(lambda line: seen.append(len(line)))
    for _ in range(20):
        lines.take(b"x" * 1_000_000)
    lines.take(b"\nnext\n")
    assert seen == [capture.LINE_BYTES, 4]


def test_a_copy_stops_at_its_cap_and_never_follows_a_link(tmp_path: Path) -> None:
    spill = Spill(tmp_path / "copy", cap_bytes=10)
    for _ in range(5):
        spill.take(b"1234")
    spill.close()
    assert (tmp_path / "copy").read_bytes() == b"1234123412"
    assert (tmp_path / "copy").stat().st_mode & 0o777 == 0o600


def test_a_full_disk_costs_the_copy_only() -> None:
    spill = Spill(Path("/dev/full"))
    spill.take(b"lost")
    spill.take(b"lost as well")
    spill.close()
