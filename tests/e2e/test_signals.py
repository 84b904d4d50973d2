"""`burnish signals`: the seed's lines from a session's folder, whatever lies in it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from burnish.model.review import Verdict
from burnish.model.step import Role
from burnish.specs.signal_text import write_signal
from burnish.specs.signals import Signal, Status
from tests.cli import Said, burnish

REVIEW_1 = Signal(1, Role.REVIEW, 1, path="reviews/phase-1-review-1.md", size=120, grade=Verdict.WARN)
FIX_1 = Signal(1, Role.FIX, 1, commit="1a2b")
REVIEW_2 = Signal(1, Role.REVIEW, 2, path="reviews/phase-1-review-2.md", size=80, grade=Verdict.PASS)
FAILED = Signal(10, Role.IMPLEMENT, status=Status.FAIL, error="the agent\ntimed \x1b[2Jout")


@pytest.fixture
def session(tmp_path: Path) -> Path:
    folder = tmp_path / "20261115-1000-login"
    (folder / ".signals").mkdir(parents=True)
    (folder / "reviews").mkdir()
    return folder


def put(folder: Path, *signals: Signal) -> None:
    folder.mkdir(exist_ok=True)
    for signal in signals:
        (folder / signal.name).write_text(write_signal(signal))


def told(session: Path, *arguments: str) -> Said:
    return burnish(session.parent, "signals", session.name, *arguments)


@pytest.mark.conformance("O-46", "O-47", "O-48")
def test_the_summary_is_one_line_for_each_signal(session: Path) -> None:
    put(session / ".signals", REVIEW_2, FIX_1, REVIEW_1)
    said = told(session, "--action", "summary")
    assert (said.code, said.err) == (0, "")
    assert said.out == (
        "phase-1-review-1.done: success\n"
        "phase-1-fix-1.done: success\n"
        "phase-1-review-2.done: success (PASS - no fix needed)\n"
    )


@pytest.mark.conformance("O-45")
def test_the_summary_follows_the_cycles_as_they_go_on(session: Path) -> None:
    signals = [Signal(1, Role.IMPLEMENT), REVIEW_1, FIX_1, REVIEW_2]
    for count, signal in enumerate(signals, 1):
        put(session / ".signals", signal)
        shown = [line.partition(":")[0] for line in told(session).out.splitlines()]
        assert shown == [one.name for one in signals[:count]]


def test_steps_are_in_their_order_and_failures_say_why(session: Path) -> None:
    put(session / ".signals", FAILED, Signal(2, Role.IMPLEMENT), REVIEW_1, Signal(1, Role.IMPLEMENT))
    assert told(session).out == (
        "phase-1-implement.done: success\n"
        "phase-1-review-1.done: success\n"
        "phase-2-implement.done: success\n"
        "phase-10-implement.fail: fail (the agent timed \\x1b[2Jout)\n"
    )


@pytest.mark.parametrize(
    ("action", "lines", "data"),
    [
        ("count", ["3"], {"count": 3}),
        (
            "failures",
            ["phase-10-implement.fail: the agent timed \\x1b[2Jout"],
            {"failures": [{"name": "phase-10-implement.fail", "error": FAILED.error}]},
        ),
        (
            "paths",
            ["reviews/phase-1-review-1.md", "reviews/phase-1-review-2.md"],
            {"paths": ["reviews/phase-1-review-1.md", "reviews/phase-1-review-2.md"]},
        ),
        (
            "sizes",
            ["phase-1-review-1.done: 120", "phase-1-fix-1.done: 0", "phase-1-review-2.done: 80"],
            {"sizes": {"phase-1-review-1.done": 120, "phase-1-fix-1.done": 0, "phase-1-review-2.done": 80}},
        ),
        ("total-size", ["200"], {"total_size": 200}),
    ],
)
def test_each_action_answers_one_question(session: Path, action: str, lines: list[str], data: object) -> None:
    put(session / ".signals", REVIEW_2, FIX_1, REVIEW_1, FAILED)
    assert told(session, "--action", action).out.splitlines() == lines
    assert json.loads(told(session, "--action", action, "--json").out) == data


def test_the_summary_as_json_has_all_of_every_signal(session: Path) -> None:
    put(session / ".signals", REVIEW_1, FAILED)
    found = json.loads(told(session, "--json").out)
    assert (found["completed"], found["failed"], found["total_size"]) == (1, 1, 120)
    first = found["signals"][0]
    assert (first["name"], first["grade"], first["cycle"], first["kind"]) == (
        "phase-1-review-1.done", "WARN", 1, "review",
    )  # fmt: skip


def test_the_folder_of_the_signals_itself_will_do(session: Path) -> None:
    put(session / ".signals", REVIEW_1)
    expected = Said(0, "phase-1-review-1.done: success\n", "")
    assert burnish(session, "signals", ".signals") == expected
    assert burnish(session / ".signals", "signals", ".") == expected


def test_signals_in_the_wrong_folder_count_with_a_warning_and_those_of_agents_do_not(session: Path) -> None:
    put(session / ".signals", REVIEW_1)
    put(session / "reviews", FIX_1)
    put(session / ".agents", REVIEW_2)
    said = told(session)
    assert said.out == "phase-1-review-1.done: success\nreviews/phase-1-fix-1.done: success\n"
    assert said.err == "WARNING: reviews/phase-1-fix-1.done is counted, and lies outside of .signals/\n"
    assert told(session, "--action", "count").out == "2\n"


def test_a_session_without_signals_says_so(session: Path) -> None:
    assert (told(session).out, told(session).code) == ("No signals\n", 0)
    assert told(session, "--action", "failures").out == "No failures\n"
    assert told(session, "--action", "count").out == "0\n"


def test_a_folder_that_is_none_is_refused(session: Path) -> None:
    missing = burnish(session, "signals", "nowhere")
    assert (missing.code, missing.out) == (2, "")
    assert "expected the folder of a session, found nothing there: nowhere" in missing.err
    (session / "file").touch()
    assert "found a file: file" in burnish(session, "signals", "file").err
    assert burnish(session, "signals", ".", "--action", "missing").code == 2


def test_damaged_signals_are_named_and_the_others_still_shown(session: Path) -> None:
    folder = session / ".signals"
    put(folder, REVIEW_1)
    (folder / "phase-1-fix-1.done").write_bytes(b"\x00\xff\x1b[2J")
    (folder / "phase-1-review-2.done").write_text("status: success\nversion: 9\n")
    (folder / "phase-1-fix-2.done").touch()
    (folder / "phase-1-fix-3.done").write_text("status: success\n" + "x: y\n" * 100_000)
    said = told(session)
    assert said.code == 1
    assert said.out == "phase-1-review-1.done: success\n"
    assert "\x1b" not in said.err
    warnings = said.err.splitlines()
    assert len(warnings) == 4
    assert "WARNING: signal phase-1-review-2.done is of version 9; this Burnish reads version 1." in warnings
    assert "WARNING: signal phase-1-fix-2.done is damaged: it is empty." in warnings
    assert "WARNING: signal phase-1-fix-3.done is damaged: it is larger than 256 KB." in warnings


def test_nothing_outside_of_the_folder_is_read(session: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    put(elsewhere, REVIEW_2, FIX_1)
    (session / ".signals" / FIX_1.name).symlink_to(elsewhere / FIX_1.name)
    (session / "linked").symlink_to(elsewhere)
    os.mkfifo(session / ".signals" / "phase-2-fix-1.done")
    said = told(session)
    assert (said.code, said.out) == (1, "No signals\n")
    assert "phase-1-fix-1.done cannot be read: it is a symlink." in said.err
    assert "phase-2-fix-1.done cannot be read: it is not a regular file." in said.err


def test_a_linked_folder_of_signals_is_told_not_followed(session: Path, tmp_path: Path) -> None:
    put(tmp_path / "elsewhere", REVIEW_2)
    (session / ".signals").rmdir()
    (session / ".signals").symlink_to(tmp_path / "elsewhere")
    said = told(session)
    assert (said.code, said.out) == (1, "No signals\n")
    assert ".signals is a symlink, which is not followed" in said.err


def test_names_that_would_steer_a_terminal_are_shown_harmless(session: Path) -> None:
    for name in (b"a\x1b[2J\nb.done", b"c\xff.done"):
        (session / ".signals" / os.fsdecode(name)).write_text("status: success\n")
    said = told(session)
    assert said.out == "a\\x1b[2J b.done: success\nc\\udcff.done: success\n"
    assert len(json.loads(told(session, "--json").out)["signals"]) == 2


@pytest.mark.parametrize(
    ("expected", "status", "code"), [("2", "complete", 0), ("3", "partial", 1), ("4", "incomplete", 1)]
)
def test_whether_all_expected_signals_are_there(session: Path, expected: str, status: str, code: int) -> None:
    put(session / ".signals", REVIEW_1, FIX_1, FAILED)
    said = told(session, "--expected", expected)
    assert (said.code, said.out) == (code, f"{status}: 2 of {expected} done, 1 failed\n")
    found = json.loads(told(session, "--expected", expected, "--json").out)
    assert found.pop("checked_at")
    assert found == {"complete": 2, "failed": 1, "expected": int(expected), "status": status}
