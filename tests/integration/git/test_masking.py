"""A reviewer's copy in a real repository: links, folders and letter case included."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Callable
from pathlib import Path

from burnish.workflows.masking import reviewers_copy
from tests.integration.git.sides import shell, side_of
from tests.repos import TestRepo

MakeRepo = Callable[..., TestRepo]


def reviewed(user: TestRepo, state: Path, script: str) -> tuple[dict[str, str], tuple[str, ...], str, bool]:
    """The files of the copy, what was masked, what git says in there, and whether the copy counts as edited."""

    async def scenario() -> tuple[dict[str, str], tuple[str, ...], str, bool]:
        async with side_of(user, state) as side:
            base = await side.base_tree()
            async with side.workspaces.open(base, "x") as workspace:
                shell(workspace.path, script)
                tree = (await workspace.snapshot()).tree
            async with reviewers_copy(side.workspaces, tree, base, "review") as copy:
                root = copy.workspace.path
                files = [path for path in root.rglob("*") if not path.is_dir() and ".git" not in path.parts]
                seen = {str(path.relative_to(root)): path.read_text() for path in files}
                told = subprocess.run(
                    ["git", "status", "--porcelain"], cwd=root, capture_output=True, check=True
                )
                left = await copy.workspace.snapshot()
            touched = await side.workspaces.touched(copy.tree, left.tree)
            return seen, copy.masked, told.stdout.decode(), bool(touched.edited or touched.added)

    return asyncio.run(scenario())


def test_new_edited_deleted_linked_and_renamed_ones_are_as_the_base_has_them(
    repo: MakeRepo, tmp_path: Path
) -> None:
    base: dict[str | bytes, str | bytes] = {
        "app.py": "x = 1\n", "AGENTS.md": "four spaces\n", ".claude/settings.json": "{}\n", "docs/CLAUDE.md": "d\n"
    }  # fmt: skip
    script = (
        "echo 'x = 2' > app.py; echo evil > AGENTS.md; rm -r .claude docs; mkdir docs evil;"
        "echo evil > evil/settings.json; ln -s evil .claude; ln -s evil .opencode; ln -s app.py GEMINI.md;"
        "mkdir -p a/b/.Cursor/rules .GitHub; echo evil > a/b/.Cursor/rules/x.mdc; echo kept > a/b/keep;"
        "echo evil > .GitHub/Copilot-Instructions.md; echo evil > opencode.JSON; echo doc > docs/guide.md"
    )
    seen, masked, status, touched = reviewed(repo(base), tmp_path / "state", script)
    assert seen == {
        **base, "app.py": "x = 2\n", "evil/settings.json": "evil\n", "a/b/keep": "kept\n", "docs/guide.md": "doc\n"
    }  # fmt: skip
    assert {"AGENTS.md", ".claude", ".opencode", "GEMINI.md", "docs/CLAUDE.md"} <= set(masked)
    assert (status, touched) == ("", False)


def test_a_change_without_them_is_seen_as_it_is(repo: MakeRepo, tmp_path: Path) -> None:
    seen, masked, _, touched = reviewed(
        repo({"a": "1\n"}), tmp_path / "state", "echo 2 > a; echo 3 > agents.py"
    )
    assert (seen, masked, touched) == ({"a": "2\n", "agents.py": "3\n"}, (), False)
