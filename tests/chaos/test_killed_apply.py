"""A git that dies while the result is put into the user's files is no refusal: the run waits, and resuming finishes it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from chaos._story import Story, in_progress

# The last `read-tree -m -u` is the one that writes into the checkout; it dies once, after a part of its work.
DIES_HALF_WAY = """#!/bin/sh
here=$(dirname "$0")
case " $* " in
*" read-tree -m -u "*)
    if [ ! -e "$here/died" ] && [ "$GIT_WORK_TREE" = "{checkout}" ]; then
        touch "$here/died"
        {half}
        kill -9 $$
    fi ;;
esac
exec {git} "$@"
"""


@pytest.mark.parametrize("half", ["rm app.py; printf 'start\\nmi' > app.py", "true"])
def test_resume_finishes_an_apply_whose_git_was_killed(tmp_path: Path, half: str) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    story = Story(tmp_path / "story", in_progress(tmp_path / "user"), "apply", 1, str(tools))
    git = tools / "git"
    git.write_text(DIES_HALF_WAY.format(checkout=story.user.path, half=half, git=shutil.which("git")))
    git.chmod(0o755)
    first = story.live()
    assert (tools / "died").exists()
    assert first.code == 1
    assert first.said.startswith("the result may be applied in part only")
    assert not story.is_over
    assert story.user.branches == ["main"]
    assert story.live().code == 0
    story.check()
