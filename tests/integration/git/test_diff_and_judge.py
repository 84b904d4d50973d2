"""The text between two trees, and the tree a gate judges."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from burnish.ports import Diff
from tests.integration.git.sides import shell, side_of
from tests.repos import TestRepo

MakeRepo = Callable[..., TestRepo]


def changed(user: TestRepo, state: Path, script: str, cap: int = 1_000_000) -> Diff:
    async def scenario() -> Diff:
        async with side_of(user, state) as side:
            base = await side.base_tree()
            async with side.workspaces.open(base, "x") as workspace:
                shell(workspace.path, script)
                tree = (await workspace.snapshot()).tree
            return await side.workspaces.diff(base, tree, cap)

    return asyncio.run(scenario())


def test_an_unchanged_tree_has_an_empty_diff(repo: MakeRepo, tmp_path: Path) -> None:
    assert changed(repo({"a": "x"}), tmp_path / "state", "true") == Diff("", ())


def test_every_kind_of_change_is_in_the_text_and_in_the_list(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"edited": "one\n", "gone": "x\n", "moved": "\n".join(map(str, range(30))), "kind": "f\n"})
    user.git("add", "-A")
    diff = changed(
        user,
        tmp_path / "state",
        "echo two > edited; rm gone kind; ln -s edited kind; mv moved elsewhere; head -c 99 /dev/zero > binary;"
        "echo new > 'ü new'",
    )
    assert set(diff.files) == {"edited", "gone", "moved", "elsewhere", "kind", "binary", "ü new"}
    assert diff.left_out == ()
    assert "-one\n+two\n" in diff.text
    assert "rename from moved\nrename to elsewhere\n" in diff.text
    assert "Binary files /dev/null and b/binary differ" in diff.text
    assert diff.text.count("diff --git") == 7
    assert "b/ü new" in diff.text


def test_attributes_in_the_change_cannot_hide_it(repo: MakeRepo, tmp_path: Path) -> None:
    diff = changed(
        repo({"a.py": "one\n"}),
        tmp_path / "state",
        "printf '*.py -diff binary\\n*.py diff=x\\n' > .gitattributes; echo evil > a.py",
    )
    assert "+evil" in diff.text


def test_over_the_cap_whole_files_are_left_out_and_named_the_largest_last(
    repo: MakeRepo, tmp_path: Path
) -> None:
    script = "seq 1 10 > b-small; seq 1 2000 > a-large; seq 1 9000 > c-largest; echo x > d-tiny"
    diff = changed(repo({"a": "x"}), tmp_path / "state", script, cap=1000)
    assert diff.files == ("a-large", "b-small", "c-largest", "d-tiny")
    assert diff.left_out == ("a-large", "c-largest")
    assert "b/b-small" in diff.text
    assert "b/d-tiny" in diff.text
    assert "a-large" not in diff.text
    assert len(diff.text) <= 1000


def test_contents_that_look_like_a_diff_are_still_one_file(repo: MakeRepo, tmp_path: Path) -> None:
    diff = changed(
        repo({"a": "x"}),
        tmp_path / "state",
        "printf 'diff --git a/x b/x\\n--- a/x\\n+++ b/x\\n' > forged; seq 1 3000 > z; echo n > y",
        cap=600,
    )
    assert diff.files == ("forged", "y", "z")
    assert diff.left_out == ("z",)
    assert "+diff --git a/x b/x" in diff.text


def test_odd_names_are_safe_to_show_and_bytes_are_replaced(repo: MakeRepo, tmp_path: Path) -> None:
    diff = changed(
        repo({"a": "x"}), tmp_path / "state", "printf 'caf\\351\\n' > \"$(printf 'n\\033[31m\\351\\nw')\""
    )
    assert diff.files == ("n\\x1b[31m\\xe9\\nw",)
    diff.text.encode("utf8")
    assert "caf\ufffd" in diff.text


def judged(
    user: TestRepo, state: Path, script: str, patterns: tuple[str, ...]
) -> tuple[tuple[str, ...], dict[str, str]]:
    async def scenario() -> tuple[tuple[str, ...], dict[str, str]]:
        async with side_of(user, state) as side:
            base = await side.base_tree()
            async with side.workspaces.open(base, "x") as workspace:
                shell(workspace.path, script)
                tree = (await workspace.snapshot()).tree
            judge, restored = await side.workspaces.judge_tree(tree, base, patterns)
            async with side.workspaces.open(judge, "gate") as gate:
                files = {
                    path.relative_to(gate.path).as_posix(): path.read_text()
                    for path in gate.path.rglob("*")
                    if path.is_file() and ".git" not in path.parts
                }
            return restored, files

    return asyncio.run(scenario())


BASE = {"app.py": "app\n", "tests/test_a.py": "assert a\n", "pkg/test_b.py": "b\n", "ruff.toml": "strict\n"}
PATTERNS = ("**/tests/**", "**/test_*.py", "**/ruff.toml")


@pytest.mark.parametrize(
    ("cheat", "restored"),
    [
        ("echo 'assert True' > tests/test_a.py", ("tests/test_a.py",)),
        ("rm -r tests", ("tests/test_a.py",)),
        ("rm -r tests; echo x > tests", ("tests/test_a.py",)),
        ("mv tests elsewhere; ln -s elsewhere tests; : > elsewhere/test_a.py", ("tests/test_a.py",)),
        (
            "chmod +x pkg/test_b.py; rm ruff.toml; mkdir ruff.toml; touch ruff.toml/x",
            ("pkg/test_b.py", "ruff.toml"),
        ),
        ("rm tests/test_a.py; mkdir tests/test_a.py; touch tests/test_a.py/x", ("tests/test_a.py",)),
    ],
)
def test_existing_judges_come_from_the_base_however_they_were_changed(
    repo: MakeRepo, tmp_path: Path, cheat: str, restored: tuple[str, ...]
) -> None:
    names, files = judged(repo(BASE), tmp_path / "state", f"{cheat}; echo new > app.py", PATTERNS)
    assert names == restored
    assert {name: files[name] for name in BASE} == BASE | {"app.py": "new\n"}


def test_new_tests_stay_and_other_files_are_not_touched(repo: MakeRepo, tmp_path: Path) -> None:
    names, files = judged(
        repo(BASE), tmp_path / "state", "echo more > tests/test_new.py; echo new > app.py", PATTERNS
    )
    assert names == ()
    assert files["tests/test_new.py"] == "more\n"
    assert files["app.py"] == "new\n"


def test_what_was_touched_is_told_apart_by_edited_and_added(repo: MakeRepo, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with side_of(repo(BASE), tmp_path / "state") as side:
            base = await side.base_tree()
            async with side.workspaces.open(base, "x") as workspace:
                shell(workspace.path, "echo x > app.py; rm ruff.toml; echo n > new")
                touched = await side.workspaces.touched(base, (await workspace.snapshot()).tree)
            assert touched.edited == ("app.py", "ruff.toml")
            assert touched.added == ("new",)

    asyncio.run(scenario())


def test_what_a_change_brings_as_a_judge_can_be_left_out(
    repo: Callable[..., TestRepo], tmp_path: Path
) -> None:
    user = repo({"app.py": "one\n", "conftest.py": "base\n", "conf/x": "x\n"})

    async def scenario() -> tuple[list[bytes], tuple[str, ...]]:
        async with side_of(user, tmp_path / "state") as side:
            tree = await side.edited(
                {"conftest.py": "mine\n", "tests/conftest.py": "new\n", "app.py": "two\n"}
            )
            base = await side.base_tree()
            judged, named = await side.workspaces.judge_tree(tree, base, ("**/conftest.py",), keep_new=False)
            assert await side.blob(judged, "conftest.py") == b"base\n"
            assert await side.blob(judged, "app.py") == b"two\n"
            return await side.names(judged), named

    names, named = asyncio.run(scenario())
    assert names == [b"app.py", b"conf/x", b"conftest.py"]
    assert named == ("conftest.py", "tests/conftest.py")
