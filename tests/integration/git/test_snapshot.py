"""What an agent left becomes a tree: everything honest is in it, nothing dishonest is, and both are said."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from burnish.git.snapshot import Rules
from burnish.model.change import Snapshot
from tests.integration.git.sides import shell, side_of
from tests.repos import TestRepo

MakeRepo = Callable[..., TestRepo]
FILES = {"app.py": "one\n", "d/b.py": "two\n", ".gitignore": "*.log\n", "run.sh": "#!/bin/sh\n"}


def taken(
    user: TestRepo, state: Path, script: str, rules: Rules | None = None
) -> tuple[Snapshot, dict[bytes, bytes]]:
    """The snapshot after an agent ran a script, and its entries: path -> mode and blob."""

    async def scenario() -> tuple[Snapshot, dict[bytes, bytes]]:
        async with side_of(user, state, rules=rules) as side:
            tree = await side.base_tree()
            async with side.workspaces.open(tree, "x") as workspace:
                shell(workspace.path, script)
                snapshot = await workspace.snapshot()
                assert (await workspace.snapshot()).tree == snapshot.tree
            out = await side.git("ls-tree", "-r", "-z", snapshot.tree, at=side.workspaces.store.place)
            pairs = [entry.split(b"\t", 1) for entry in out.split(b"\0") if entry]
            return snapshot, {path: about for about, path in pairs}

    return asyncio.run(scenario())


def reasons(snapshot: Snapshot) -> dict[str, str]:
    return {left.path: left.why for left in snapshot.dropped}


def test_nothing_done_is_the_same_tree(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo(FILES)
    snapshot, _ = taken(user, tmp_path / "state", "touch app.py d/b.py")
    assert snapshot == Snapshot(user.tree())


def test_edits_deletions_additions_modes_and_links_are_taken(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo(FILES)
    snapshot, entries = taken(
        user,
        tmp_path / "state",
        "echo more >> app.py; rm -r d; mkdir n; echo new > n/new; chmod +x run.sh; ln -s app.py link; touch x.log",
    )
    assert sorted(entries) == [b".gitignore", b"app.py", b"link", b"n/new", b"run.sh"]
    assert entries[b"run.sh"].startswith(b"100755 ")
    assert entries[b"link"].startswith(b"120000 ")
    assert (snapshot.dropped, snapshot.suspicious) == ((), ())


def test_an_edit_of_the_same_size_with_its_old_date_is_still_seen(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo(FILES)
    _, entries = taken(user, tmp_path / "state", "touch -r app.py /tmp/.ref$$; echo two > app.py;"
                       "touch -r /tmp/.ref$$ app.py; rm /tmp/.ref$$")  # fmt: skip
    assert entries[b"app.py"].split()[2].decode() == user.git("hash-object", "--stdin", stdin=b"two\n")


def test_bytes_newlines_and_dashes_in_names_are_faithful(repo: MakeRepo, tmp_path: Path) -> None:
    odd = b'caf\xe9\n"x\t'
    user = repo({odd: "x", "-dash": "y", "with space": "z", ":(top)x": "m", "HEAD": "h"})
    _, entries = taken(
        user,
        tmp_path / "state",
        'for f in *; do echo more >> "./$f"; done; echo n > "$(printf "n\\377\\nw")"',
    )
    assert set(entries) == {odd, b"-dash", b"with space", b":(top)x", b"HEAD", b"n\xff\nw"}
    assert all(
        entry.split()[2].decode() not in user.git("ls-tree", "-r", "HEAD") for entry in entries.values()
    )


@pytest.mark.parametrize(
    "misdeed",
    [
        "rm -rf .git",
        "rm -rf .git && echo 'gitdir: /nowhere' > .git",
        "rm -rf .git && ln -s /etc .git",
        "rm -rf .git && mkfifo .git",
        "echo garbage > .git/index && echo garbage > .git/HEAD && rm -rf .git/objects",
        "git add -A && git commit -qm mine && git checkout -q --detach HEAD~0",
        "git checkout -q -b other && git reset -q --hard && git stash list",
        "git update-index --assume-unchanged app.py; git update-index --skip-worktree d/b.py",
        "touch .git/index.lock .git/HEAD.lock",
        "git config core.worktree /etc; git config core.bare true",
        "printf '*\\n' > .git/info/exclude; printf '* -text filter=evil\\n' > .git/info/attributes",
        "git sparse-checkout init --cone; git sparse-checkout set nothing; git sparse-checkout disable",
    ],
)
def test_whatever_became_of_the_workspaces_own_git_the_files_are_taken(
    repo: MakeRepo, tmp_path: Path, misdeed: str
) -> None:
    user = repo(FILES)
    snapshot, entries = taken(user, tmp_path / "state", f"{misdeed}; echo edited > app.py; echo new > new.py")
    assert entries[b"app.py"].split()[2].decode() == user.git("hash-object", "--stdin", stdin=b"edited\n")
    assert set(entries) == {b".gitignore", b"app.py", b"d/b.py", b"new.py", b"run.sh"}
    assert snapshot.dropped == ()


def test_ignoring_everything_hides_no_tracked_file(repo: MakeRepo, tmp_path: Path) -> None:
    _, entries = taken(
        repo(FILES), tmp_path / "state", "echo '*' > .gitignore; echo edited > app.py; rm d/b.py; touch new"
    )
    assert set(entries) == {b".gitignore", b"app.py", b"run.sh"}


def test_every_disguise_of_dot_git_is_dropped_and_named(repo: MakeRepo, tmp_path: Path) -> None:
    names = [".GIT", ".Git ", ".git.", "git~1", "GIT~1", ".g\u200cit", ".git::$INDEX_ALLOCATION"]
    script = "".join(f"mkdir -p 'sub/{name}'; echo evil > 'sub/{name}/config';" for name in names)
    snapshot, entries = taken(repo(FILES), tmp_path / "state", script + "touch sub/.gitkeep sub/.github")
    assert {path for path in entries if path.startswith(b"sub/")} == {b"sub/.gitkeep", b"sub/.github"}
    assert len(snapshot.dropped) == len(names)
    assert {left.why for left in snapshot.dropped} == {"a name that means .git on some system"}


def test_nested_repositories_are_dropped_and_named_with_and_without_commits(
    repo: MakeRepo, tmp_path: Path
) -> None:
    script = (
        "git init -q empty; touch empty/f;"
        "git init -q full; touch full/f; git -C full add f; git -C full commit -qm x;"
        "git init -q d; echo new > d/new.py; mkdir -p w/x; echo 'gitdir: ../../d/.git' > w/x/.git; touch w/x/f"
    )
    snapshot, entries = taken(repo(FILES), tmp_path / "state", script)
    assert reasons(snapshot) == dict.fromkeys(
        ("d/.git", "empty/", "full/", "w/x/"), "a repository inside the tree"
    )
    # A repository planted around tracked files hides neither them nor new ones.
    assert {b"d/b.py", b"d/new.py"} <= set(entries)
    assert not any(path.startswith((b"empty", b"full", b"w/")) for path in entries)


def test_pipes_and_sockets_are_named_and_git_does_not_wait_for_them(repo: MakeRepo, tmp_path: Path) -> None:
    script = "mkfifo pipe d/.gitignore .gitattributes; rm app.py; mkfifo app.py; mkdir e; mkfifo e/.gitignore"
    snapshot, entries = taken(repo(FILES), tmp_path / "state", script + "; touch e/f")
    assert set(entries) == {b".gitignore", b"d/b.py", b"run.sh", b"e/f"}
    assert set(reasons(snapshot)) >= {"pipe", "app.py"}
    assert set(reasons(snapshot).values()) == {"not a regular file"}


def test_a_folder_replaced_by_a_symlink_is_not_walked_through(repo: MakeRepo, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "b.py").write_text("secret\n")
    snapshot, entries = taken(repo(FILES), tmp_path / "state", f"rm -r d; ln -s {outside} d")
    assert set(entries) == {b".gitignore", b"app.py", b"run.sh", b"d"}
    assert entries[b"d"].startswith(b"120000 ")
    assert [(left.path, left.why) for left in snapshot.suspicious] == [("d", "a symlink to an absolute path")]
    assert snapshot.dropped == ()


def test_a_folder_moved_away_and_linked_back_is_seen_though_its_files_look_the_same(
    repo: MakeRepo, tmp_path: Path
) -> None:
    snapshot, entries = taken(repo(FILES), tmp_path / "state", "mv d elsewhere; ln -s elsewhere d")
    assert set(entries) == {b".gitignore", b"app.py", b"run.sh", b"d", b"elsewhere/b.py"}
    assert (snapshot.dropped, snapshot.suspicious) == ((), ())


def test_symlinks_that_lead_out_are_taken_as_links_and_listed(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({**FILES, "s/keep": ""})
    user.path.joinpath("old").symlink_to("/etc/hosts")
    user.commit("an old link of the user's own")
    snapshot, entries = taken(
        user,
        tmp_path / "state",
        "ln -s /etc/passwd abs; ln -s ../../x up; ln -s ../app.py s/fine; ln -s .git/config g;"
        "ln -s s dir; ln -s dir/../../.. through; ln -s loop loop",
    )
    assert {path for path, about in entries.items() if about.startswith(b"120000")} == {
        b"abs", b"dir", b"g", b"loop", b"old", b"s/fine", b"through", b"up",
    }  # fmt: skip
    assert {left.path for left in snapshot.suspicious} == {"abs", "g", "through", "up"}


def test_files_over_the_cap_are_dropped_and_a_tracked_one_stays_as_it_was(
    repo: MakeRepo, tmp_path: Path
) -> None:
    user = repo({**FILES, "big": "x" * 3000, "grown": "small\n"})
    snapshot, entries = taken(
        user,
        tmp_path / "state",
        "head -c 3000 /dev/zero > new; head -c 3000 /dev/zero > grown; touch big; chmod 600 big; truncate -s 9G sparse",
        Rules(max_file_bytes=2000),
    )
    assert set(reasons(snapshot)) == {"new", "grown", "sparse"}
    assert "kept as it was" in reasons(snapshot)["grown"]
    assert entries[b"grown"].split()[2].decode() == user.git("rev-parse", "HEAD:grown")
    assert b"big" in entries
    assert b"new" not in entries


def test_the_users_own_ignore_files_hold_in_a_workspace_too(
    repo: MakeRepo, tmp_path: Path, isolated_environment: Path
) -> None:
    user = repo(FILES)
    (user.path / ".git/info/exclude").write_text("from-info\n")
    (isolated_environment / "ignored").write_text("from-file\n")
    (isolated_environment / "gitconfig").write_text("[core]\n\texcludesFile = ~/ignored\n")
    _, entries = taken(
        user, tmp_path / "state", "touch from-info from-file taken; mkdir .burnish; touch .burnish/x"
    )
    assert set(entries) - {name.encode() for name in FILES} == {b"taken"}


def test_line_endings_survive_a_checkout_and_a_snapshot(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({"plain.txt": "a\r\nb\r\n", "mixed.txt": "a\r\nb\n"})
    # The blob has CRLF although its attribute says text: git itself would call it modified once touched.
    user.write(".gitattributes", "*.txt text\nwin.bat eol=crlf\n")
    user.write("win.bat", "a\nb\n")
    user.git("add", ".gitattributes", "win.bat")
    user.git("commit", "-qm", "attributes")
    snapshot, _ = taken(user, tmp_path / "state", "grep -q $(printf '\\r') win.bat; touch *")
    assert snapshot.tree == user.tree()


def test_one_file_git_cannot_take_does_not_cost_the_others(repo: MakeRepo, tmp_path: Path) -> None:
    script = (
        "echo '*.u16 working-tree-encoding=UTF-16' > .gitattributes; printf 'odd' > bad.u16;"
        "for n in 1 2 3 4 5 6 7 8; do echo $n > f$n; done"
    )
    snapshot, entries = taken(repo(FILES), tmp_path / "state", script)
    assert list(reasons(snapshot)) == ["bad.u16"]
    assert "git could not take it" in reasons(snapshot)["bad.u16"]
    assert {b"f%d" % number for number in range(1, 9)} <= set(entries)


def test_a_submodule_stays_and_what_is_put_into_its_folder_is_named(repo: MakeRepo, tmp_path: Path) -> None:
    inner = repo({"x": "x"}, name="inner")
    user = repo(FILES)
    user.git("submodule", "--quiet", "add", inner.path, "sub")
    user.git("commit", "-qm", "submodule")
    same, _ = taken(user, tmp_path / "state", "test -d sub")
    assert same == Snapshot(user.tree())
    filled, _ = taken(user, tmp_path / "state2", "git init -q sub; touch sub/planted")
    assert filled.tree == user.tree()
    assert [left.path for left in filled.dropped] == ["sub/.git"]
    removed, entries = taken(user, tmp_path / "state3", "rm -r sub .gitmodules")
    assert b"sub" not in entries
    assert removed.dropped == ()


def test_a_deep_or_crowded_tree_is_handled(repo: MakeRepo, tmp_path: Path) -> None:
    script = (
        "python3 - <<'END'\n"
        "import os\n"
        "for _ in range(600):\n"
        "    os.mkdir('deep-folder'); os.chdir('deep-folder')\n"
        "open('file', 'w').close()\n"
        "END\n"
        "for n in $(seq 300); do mkfifo p$n; done; echo new > new.py"
    )
    snapshot, entries = taken(repo(FILES), tmp_path / "state", script)
    assert b"new.py" in entries
    assert len(snapshot.dropped) == 201
    assert snapshot.dropped[-1].why.endswith("more")


def test_locked_folders_are_opened(repo: MakeRepo, tmp_path: Path) -> None:
    snapshot, entries = taken(repo(FILES), tmp_path / "state", "echo x > d/new; chmod 000 d")
    assert {b"d/b.py", b"d/new"} <= set(entries)
    assert snapshot.dropped == ()


def test_a_changed_submodule_file_is_pointed_out(repo: MakeRepo, tmp_path: Path) -> None:
    script = "printf '[submodule \"x\"]\\n\\tpath = x\\n\\turl = y\\n\\tupdate = !touch /tmp/pwned\\n' > .gitmodules"
    snapshot, _ = taken(repo(FILES), tmp_path / "state", script)
    assert [left.path for left in snapshot.suspicious] == [".gitmodules"]


def test_nothing_of_a_workspace_runs_while_it_is_taken(repo: MakeRepo, tmp_path: Path) -> None:
    marker = tmp_path / "executed"
    evil = f"touch {marker}; cat"
    user = repo({**FILES, "sub/f": "x"})
    script = f"""
    cp -r .git sub/.git; cp -r .git copy.git
    for dir in .git sub/.git copy.git; do
      git config -f $dir/config core.fsmonitor '{evil}'
      git config -f $dir/config filter.evil.clean '{evil}'
      git config -f $dir/config filter.evil.process '{evil}'
      git config -f $dir/config filter.evil.smudge '{evil}'
      git config -f $dir/config diff.external '{evil}'
      git config -f $dir/config diff.evil.textconv '{evil}'
      git config -f $dir/config core.hooksPath "$PWD/hooks"
      git config -f $dir/config core.alternateRefsCommand '{evil}'
      git config -f $dir/config core.pager '{evil}'
    done
    mkdir hooks; for hook in reference-transaction post-index-change pre-commit post-checkout; do
      printf '#!/bin/sh\\ntouch {marker}\\n' > hooks/$hook; chmod +x hooks/$hook; done
    echo '* filter=evil diff=evil merge=evil' > .gitattributes
    echo edited > sub/f; echo edited > app.py
    """

    async def scenario() -> None:
        async with side_of(user, tmp_path / "state") as side:
            base = await side.base_tree()
            async with side.workspaces.open(base, "x") as workspace:
                shell(workspace.path, script)
                marker.unlink(missing_ok=True)
                snapshot = await workspace.snapshot()
                await side.workspaces.diff(base, snapshot.tree, 100_000)
                await side.workspaces.last_subject(workspace.path)
                async with side.workspaces.open(snapshot.tree, "next") as following:
                    assert (following.path / "hooks").is_dir()
                    await following.snapshot()
                assert not marker.exists()
                shell(workspace.path, "git status --porcelain || true")
                assert marker.exists(), "the trap is armed: plain git in there walks into it"
                marker.unlink()
                await workspace.restore(base)
                assert not marker.exists()

    asyncio.run(scenario())
