"""When rows are drawn, and when lines are printed instead."""

from __future__ import annotations

import io
import os
import pty
from collections.abc import Iterator
from typing import Any, TextIO

import pytest

from burnish.cli.build import start, unblock
from burnish.cli.output import on_a_live_terminal
from burnish.cli.slots import slots

XTERM = {"TERM": "xterm-256color"}


@pytest.fixture
def terminal() -> Iterator[TextIO]:
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w", encoding="utf-8") as out:
        yield out
    os.close(ours)


@pytest.mark.parametrize(
    ("options", "environ", "live"),
    [
        ({}, XTERM, True),
        ({"plain": True}, XTERM, False),
        ({"as_json": True}, XTERM, False),
        ({}, {"TERM": "dumb"}, False),
        ({}, {}, False),
    ],
)
def test_rows_are_drawn_on_a_terminal_that_can_unless_somebody_wants_lines(
    terminal: TextIO, options: dict[str, Any], environ: dict[str, str], live: bool
) -> None:
    assert on_a_live_terminal(options, terminal, environ) is live


def test_a_file_and_a_terminal_without_our_characters_get_lines() -> None:
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w", encoding="latin-1") as out:
        assert not on_a_live_terminal({}, out, XTERM)
    os.close(ours)
    assert not on_a_live_terminal({}, io.StringIO(), XTERM)


def test_every_verb_with_rows_has_plain_lines_as_well() -> None:
    for verb in (slots, start, unblock):
        assert "plain" in {option.name for option in verb.params}
