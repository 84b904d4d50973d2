"""Which changes of a run are followed for its agents, and how far."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from burnish.app.followed_change import FollowedChange
from burnish.app.place import find_place
from burnish.app.start import workspaces_of
from burnish.model.review import Finding
from burnish.process.environment import child_environment
from burnish.process.tool_setup import ToolSetup
from tests.repos import TestRepo, make_repo

WEB = (
    "import sqlite3\nfrom flask import request\nfrom words import quoted\n\n\ndef find():\n"
    "    name = quoted(request.args['name'])\n\n\n\n\n    text = name\n\n\n\n\n"
    "    return sqlite3.connect('x').execute('select * from t where n = ' + text)\n"
)
WORDS = "def quoted(text):\n    return str(int(text))\n"


def followed(repo: TestRepo, folder: Path) -> tuple[Finding, ...]:
    async def ask() -> tuple[Finding, ...]:
        place = await find_place(repo.path, {**os.environ, "BURNISH_STATE": str(folder / "state")})
        async with await workspaces_of(place, "r-1", repo.git("rev-parse", "HEAD")) as workspaces:
            setup = ToolSetup(child_environment(dict(os.environ)))
            evidence = FollowedChange(workspaces.store, repo.tree("HEAD~1"), folder / "laid", setup)
            diff = await workspaces.diff(repo.tree("HEAD~1"), repo.tree(), 200_000)
            return await evidence(repo.tree(), diff.text)

    return asyncio.run(ask())


def test_an_edited_file_is_followed_where_all_of_it_names_a_source_or_a_sink(tmp_path: Path) -> None:
    """The lines around the edit name neither."""
    safe = WEB.replace("    text = name\n", "    text = str(int(name))\n").replace("quoted(", "str(")
    repo = make_repo(tmp_path / "repo", {"web.py": safe})
    repo.commit("not a number", {"web.py": safe.replace("str(int(name))", "name")})
    (finding,) = followed(repo, tmp_path)
    assert (finding.rule, finding.file) == ("taint:sql", "web.py")


def test_those_who_use_what_changed_are_followed_where_the_change_itself_names_one(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"web.py": WEB, "words.py": WORDS})
    repo.commit("not a number", {"words.py": "def quoted(request):\n    return '%s' % request\n"})
    assert [finding.rule for finding in followed(repo, tmp_path)] == ["taint:sql"]


def test_nothing_is_laid_out_for_a_change_whose_files_name_neither(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"web.py": WEB, "words.py": WORDS})
    repo.commit("not a number", {"words.py": WORDS.replace("str(int(text))", "text"), "new.py": "A = 1\n"})
    assert followed(repo, tmp_path) == ()
    assert not (tmp_path / "laid").exists()
