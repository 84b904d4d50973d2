"""Signals: their names, their text and back, and what damaged ones get."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.errors import UsageError
from burnish.model.review import Verdict
from burnish.model.step import Role
from burnish.specs.signal_text import MAX_ERROR_CHARS, read_signal, write_signal
from burnish.specs.signals import Signal, Status, in_order, parse_name

NUMBERS = st.integers(0, 999_999)
# What the form itself is made of comes up too seldom in any text.
TEXTS = st.one_of(
    st.text(st.characters(), max_size=20), st.text("\n\r\t\\ nxu20:\u2028\ufeff\ud800", max_size=12)
)


@st.composite
def signals(draw: st.DrawFn) -> Signal:
    kind = draw(st.sampled_from([Role.IMPLEMENT, Role.REVIEW, Role.FIX]))
    return Signal(
        phase=draw(NUMBERS),
        kind=kind,
        cycle=0 if kind is Role.IMPLEMENT else draw(NUMBERS),
        status=draw(st.sampled_from(Status)),
        path=draw(TEXTS),
        size=draw(st.integers(0, 10**15 - 1)),
        created_at=draw(TEXTS),
        error=draw(TEXTS),
        trace_id=draw(TEXTS),
        previous=draw(TEXTS),
        grade=draw(st.sampled_from([None, Verdict.PASS, Verdict.WARN, Verdict.FAIL])),
        commit=draw(TEXTS),
        duration_seconds=draw(st.integers(0, 10**9)) / 1000,
        run=draw(TEXTS),
        receipt=draw(TEXTS),
    )


@given(signals())
def test_a_signal_is_read_back_as_it_was_written(signal: Signal) -> None:
    assert read_signal(signal.name, write_signal(signal)) == signal


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("a\\nb", "a\\\\nb"), ("a\nb\r\n", "a\\nb\\r\\n"), ("\\x20", "\\\\x20"), (" a ", "\\x20a\\x20"), (" ", "\\x20"),
        ("\u2028", "\\u2028"), ("\x1b[2J", "\\x1b[2J"), ("\U000e0041", "\\U000e0041"), ("\ud800", "\\ud800"), ("ü : #", "ü : #"),
    ],
)  # fmt: skip
def test_how_a_value_is_written(value: str, written: str) -> None:
    text = write_signal(Signal(1, Role.FIX, 1, path=value))
    assert text.split("\n")[0] == f"path: {written}"
    assert read_signal("phase-1-fix-1.done", text).path == value


@given(signals())
def test_every_value_is_on_a_line_of_its_own_and_steers_no_terminal(signal: Signal) -> None:
    for line in write_signal(signal).removesuffix("\n").split("\n"):
        key, colon, _ = line.partition(":")
        assert colon
        assert key.isidentifier()
        assert line == "".join(line.splitlines())
        assert line.isprintable() or any(one.isspace() for one in line)


def test_a_signal_is_lines_of_key_and_value_in_the_known_order() -> None:
    signal = Signal(
        1, Role.REVIEW, 2, path="reviews/phase-1-review-2.md", size=812, created_at="2026-11-15T10:00:00Z",
        grade=Verdict.WARN, commit="1a2b", duration_seconds=2.5, run="r-1", receipt="r-1.json",
    )  # fmt: skip
    assert write_signal(signal) == (
        "path: reviews/phase-1-review-2.md\nsize: 812\nstatus: success\ncreated_at: 2026-11-15T10:00:00Z\n"
        "version: 1\ngrade: WARN\ncommit: 1a2b\nphase: 1\ncycle: 2\nduration_seconds: 2.5\nkind: review\n"
        "run: r-1\nreceipt: r-1.json\n"
    )


@pytest.mark.conformance("O-36")
@pytest.mark.parametrize(
    ("signal", "name"),
    [
        (Signal(1, Role.REVIEW, 1), "phase-1-review-1.done"),
        (Signal(2, Role.FIX, 3), "phase-2-fix-3.done"),
        (Signal(2, Role.FIX, 3, Status.FAIL), "phase-2-fix-3.fail"),
        (Signal(4, Role.IMPLEMENT), "phase-4-implement.done"),
    ],
)
def test_the_name_tells_phase_role_cycle_and_how_it_ended(signal: Signal, name: str) -> None:
    assert signal.name == name
    told = parse_name(name)
    assert told
    assert (told.phase, told.kind, told.cycle) == (signal.phase, signal.kind, signal.cycle)
    assert told.failed is (signal.status is Status.FAIL)


@given(st.lists(signals(), max_size=20))
def test_no_two_steps_share_a_name(found: list[Signal]) -> None:
    """O-37 by the names: what differs in phase, role, cycle or ending has another file."""
    keys = {(one.phase, one.kind, one.cycle, one.status is Status.FAIL) for one in found}
    assert len({one.name for one in found}) == len(keys)


@pytest.mark.parametrize(
    "name", ["notes.md", "phase-1-review-1", ".done/x", "phase-1-fix-1.done.tmp", "x.done\n"]
)
def test_other_files_are_no_signals(name: str) -> None:
    assert parse_name(name) is None


@pytest.mark.parametrize(
    "name", ["gather.done", "phase-01-review-1.done", "phase-1-plan.fail", "PHASE-1-FIX-1.done"]
)
def test_names_of_other_tools_stay_what_they_are(name: str) -> None:
    told = parse_name(name)
    assert told
    assert told.kind is None
    signal = read_signal(name, f"status: {'fail' if told.failed else 'success'}\n")
    assert signal.name == name


def test_signals_are_in_the_order_of_the_steps() -> None:
    names = [
        "phase-1-implement.done", "phase-1-review-1.done", "phase-1-fix-1.fail", "phase-1-fix-1.done",
        "phase-1-review-2.done", "phase-1-review-10.done", "phase-2-implement.done", "phase-10-implement.done",
        "step-2.done", "step-10.done",
    ]  # fmt: skip
    found = [
        read_signal(name, f"status: {'fail' if name.endswith('.fail') else 'success'}")
        for name in reversed(names)
    ]
    assert [one.name for one in sorted(found, key=in_order)] == names


def test_the_json_of_other_tools_is_read_too() -> None:
    text = (
        '{"phase": "review", "phase_num": 2, "status": "completed", "timestamp": "2026-02-20T10:00:00Z",'
        '"duration_seconds": 12.5, "artifacts": ["reviews/a.md"], "sc_contributions": {"SC-1": "done"},'
        '"validation": {"tests": {"passed": 3, "failed": 0}}, "grade": "PASS"}'
    )
    found = read_signal("phase-2-review-1.done", text)
    assert found == Signal(
        2, Role.REVIEW, 1, path="reviews/a.md", created_at="2026-02-20T10:00:00Z", grade=Verdict.PASS,
        duration_seconds=12.5,
    )  # fmt: skip
    skipped = read_signal("phase-2-review-1.done", text.replace("completed", "skipped"))
    assert (skipped.status, skipped.passed) == (Status.SKIPPED, False)


def test_reading_is_tolerant_of_what_does_no_harm() -> None:
    text = "\ufeff status :  success \r\n\r\nsomething_new: 1\r\ngrade: pass\r\nsize:\r\n"
    assert read_signal("phase-1-review-1.done", text) == Signal(1, Role.REVIEW, 1, grade=Verdict.PASS)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "it is empty"),
        (" \n\n", "it is empty"),
        ("size: 3\n", "its status must be success or fail, found none"),
        ("status: great\n", "found 'great'"),
        ("status: fail\n", "its status is fail and its name says otherwise"),
        ("status: success\nstatus: success\n", "it says status twice"),
        ("status: success\nphase: 2\n", "it says phase 2 and its name says 1"),
        ("status: success\ncycle: 4\n", "it says cycle 4 and its name says 1"),
        ("status: success\nkind: fix\n", "it says fix and its name says review"),
        ("status: success\nsize: -1\n", "its size must be a number, found '-1'"),
        ("status: success\nsize: " + "9" * 5000, "its size must be a number"),
        ("status: success\nduration_seconds: nan\n", "its duration_seconds must be a number"),
        ("status: success\ngrade: DISCUSS\n", "its grade must be PASS, WARN or FAIL, found 'DISCUSS'"),
        ("stat\x00\x1b[2J", "expected lines of 'key: value'"),
        ('{"status": "completed"', "it is not valid JSON"),
        ("{" * 5000, "it is not valid JSON"),
        ('{"status": []}', "its status must be success or fail, found none"),
        ('{"status": "completed", "phase": "fix"}', "it says fix and its name says review"),
        ('{"status": "completed", "phase": 3}', "it says phase 3 and its name says 1"),
    ],
)
def test_a_damaged_signal_is_refused_in_one_sentence_with_its_name(text: str, why: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_signal("phase-1-review-1.done", text)
    assert caught.value.message.startswith("signal phase-1-review-1.done is damaged: ")
    assert why in caught.value.message
    assert caught.value.message.isprintable()


@pytest.mark.parametrize("text", ["status: success\nversion: 2\n", '{"status": "completed", "version": 2}'])
def test_a_signal_of_a_newer_version_is_told(text: str) -> None:
    with pytest.raises(
        UsageError, match=r"phase-1-fix-1\.done is of version 2; this Burnish reads version 1\."
    ):
        read_signal("phase-1-fix-1.done", text)


@given(st.text(max_size=80), st.sampled_from(["phase-1-review-1.done", "phase-1-fix-2.fail", "x.done"]))
def test_any_text_is_a_signal_or_a_sentence(text: str, name: str) -> None:
    try:
        assert read_signal(name, text).name == name
    except UsageError as error:
        assert "\n" not in error.message
        assert name in error.message


def test_an_error_of_megabytes_is_cut() -> None:
    text = write_signal(Signal(1, Role.FIX, 1, Status.FAIL, error="x" * 2_000_000))
    assert len(text) < MAX_ERROR_CHARS + 200
    assert read_signal("phase-1-fix-1.fail", text).error == "x" * MAX_ERROR_CHARS
