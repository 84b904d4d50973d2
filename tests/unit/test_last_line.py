"""Whatever happens inside a command, its user reads one sentence and gets an exit code."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import click
import pytest

from burnish.cli.last_line import guarded
from burnish.model.exit_codes import ExitCode


def ended(error: Exception) -> int:
    @click.command()
    def verb() -> None:
        raise error

    return guarded(verb, [])


def full_disk() -> OSError:
    return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def reports() -> list[Path]:
    return list(Path(os.environ["BURNISH_STATE"]).glob("crash-*.md"))


@pytest.mark.parametrize(
    "trouble",
    [full_disk(), ExceptionGroup("two tasks", [full_disk(), ExceptionGroup("", [full_disk()])])],
    ids=["alone", "several tasks at once"],
)
def test_a_full_disk_is_one_sentence_with_its_remedy_and_no_bug(
    trouble: Exception, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ended(trouble) == ExitCode.FAILED
    told = capsys.readouterr().err
    assert told == (
        "burnish: this machine refused to go on: No space left on device.\n"
        "\nhint: free some disk space, then try again\n"
    )
    assert reports() == []


def test_the_file_that_was_refused_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert ended(OSError(errno.EROFS, os.strerror(errno.EROFS), "/data/a\x1b[2Jb")) == ExitCode.FAILED
    told = capsys.readouterr().err
    assert "/data/a" in told
    assert "\x1b" not in told


@pytest.mark.parametrize(
    "bug",
    [KeyError("x"), FileNotFoundError(2, "gone"), ExceptionGroup("", [full_disk(), KeyError("x")])],
    ids=["a bug", "a file we should have made", "a bug on a full disk"],
)
def test_a_bug_is_called_a_bug_and_its_report_is_kept(
    bug: Exception, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ended(bug) == ExitCode.BUG
    assert "this is a bug in Burnish" in capsys.readouterr().err
    [report] = reports()
    assert "Traceback" in report.read_text("utf8")
