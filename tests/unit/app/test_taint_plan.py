"""What the data-flow pass is told comes from the base: a change cannot add what makes its own flow clean."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from burnish import codec
from burnish.analysers.taint.reach import MOST_FILES
from burnish.app.place import find_place
from burnish.app.taint_plan import OPTION, is_off, looking_again, taint_option, taken_as_safe
from burnish.config.schema import Settings
from burnish.errors import UsageError
from tests.repos import TestRepo, make_repo

KNOWN = '[[sanitizer]]\ncall = "mine.quote"\nclean = ["command"]\n'


def told(repo: TestRepo, base: str, **taint: Any) -> Any:
    async def ask() -> str:
        place = await find_place(repo.path, {**os.environ, "BURNISH_STATE": str(repo.path.parent / "state")})
        return await taint_option(place, Settings.model_validate({"taint": taint}).taint, base)

    return codec.loads(asyncio.run(ask()))


def test_files_are_read_at_the_base_and_entries_of_the_settings_follow(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"flows.toml": KNOWN})
    base = repo.git("rev-parse", "HEAD")
    repo.commit(
        "make my own flow clean", {"flows.toml": KNOWN + '[[sanitizer]]\ncall = "evil"\nclean = "sql"\n'}
    )
    sink = {"call": "mydb.run", "class": "sql"}
    found = told(repo, base, files=["flows.toml"], sink=[sink], sources=["argv"], max_steps=2000)
    assert found == {
        "enabled": True,
        "max_time_s": 10.0,
        "max_steps": 2000,
        "kinds": ["argv"],
        "knowledge": {"sanitizer": [{"call": "mine.quote", "clean": ["command"]}], "sink": [sink]},
    }


def test_what_is_safe_because_the_settings_say_so_is_known(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"flows.toml": KNOWN})
    guard = {"call": ["mine.is_name", "mine.quote"], "clean": "path"}
    found = told(repo, repo.git("rev-parse", "HEAD"), files=["flows.toml"], guard=[guard])
    assert taken_as_safe(((OPTION, codec.dumps(found)),)) == ("mine.quote", "mine.is_name")
    assert taken_as_safe(()) == ()


def test_a_run_knows_whether_the_pass_is_switched_off(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"a": ""})
    options = codec.dumps(told(repo, repo.git("rev-parse", "HEAD"), enabled=False))
    assert is_off(((OPTION, options),))
    assert not is_off(())
    again = looking_again({OPTION: options, "other": "kept"})
    assert again["other"] == "kept"
    assert codec.loads(again[OPTION])["enabled"] is False
    assert codec.loads(again[OPTION])["callers"] < MOST_FILES


@pytest.mark.parametrize(
    ("path", "text", "words"),
    [
        ("gone.toml", KNOWN, "which is not in the repository at"),
        ("/etc/passwd", KNOWN, "expected a path inside of the repository"),
        ("../flows.toml", KNOWN, "expected a path inside of the repository"),
        ("flows.toml", "[[sinks]]\n", "unknown table 'sinks'"),
        ("flows.toml", '[[sink]]\ncall = "a"\n', "sink: entry 1 has no 'class'"),
        ("flows.toml", "sink = 3\n", "sink: it is no list"),
        ("flows.toml", "[[sink]\n", "is not valid TOML"),
        ("flows.toml", "x = '\udcff'\n", "is not valid TOML"),
    ],
)
def test_a_file_that_cannot_be_used_is_one_sentence(tmp_path: Path, path: str, text: str, words: str) -> None:
    repo = make_repo(tmp_path / "repo", {"flows.toml": text.encode("utf8", "surrogateescape")})
    with pytest.raises(UsageError) as caught:
        told(repo, repo.git("rev-parse", "HEAD"), files=[path])
    assert words in caught.value.message
    assert caught.value.hint
