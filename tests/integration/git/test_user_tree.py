"""The user's checkout as it is, uncommitted work included, and their .git untouched."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from burnish.errors import WorkspaceError
from burnish.model.change import Snapshot
from tests.integration.git.sides import shell, side_of
from tests.repos import TestRepo, clone

MakeRepo = Callable[..., TestRepo]
FILES = {"app.py": "one\n", "d/b.py": "two\n", ".gitignore": "*.log\n"}


def taken(user: TestRepo, state: Path) -> tuple[Snapshot, dict[str, str]]:
    """The snapshot and its files; the user's whole repository is byte for byte what it was."""
    before = user.fingerprint(landed_aside=False)

    async def scenario() -> tuple[Snapshot, dict[str, str]]:
        async with side_of(user, state) as side:
            snapshot = await side.user_tree.snapshot()
            assert await side.user_tree.is_dirty() == (snapshot.tree != user.tree())
            found = {}
            out = await side.git("ls-tree", "-r", "-z", snapshot.tree, at=side.workspaces.store.place)
            for entry in out.split(b"\0"):
                about, _, name = entry.partition(b"\t")
                if about.startswith(b"160000"):
                    found[os.fsdecode(name)] = about.split()[2].decode()
                elif name:
                    blob = await side.git(
                        "cat-file", "blob", about.split()[2], at=side.workspaces.store.place
                    )
                    found[os.fsdecode(name)] = blob.decode("latin1")
            return snapshot, found

    result = asyncio.run(scenario())
    assert user.fingerprint(landed_aside=False) == before
    return result


def test_a_clean_checkout_is_head(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo(FILES)
    assert taken(user, tmp_path / "state")[0] == Snapshot(user.tree())


def test_edits_staged_half_staged_deleted_and_new_files_are_all_in_it(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo({**FILES, "half": "1\n", "rm": "x", "cached": "y"})
    shell(
        user.path,
        "echo edited > app.py; echo staged > d/b.py; git add d/b.py; echo 2 > half; git add half; echo 3 > half;"
        "rm rm; git rm -q --cached cached; echo new > new; touch x.log; chmod +x new; git add -N new",
    )
    _, files = taken(user, tmp_path / "state")
    assert files == {
        "app.py": "edited\n", "d/b.py": "staged\n", "half": "3\n", "cached": "y", "new": "new\n",
        ".gitignore": "*.log\n",
    }  # fmt: skip


def test_the_users_ignore_files_are_honoured_and_forced_files_are_not_forgotten(
    repo: MakeRepo, tmp_path: Path, isolated_environment: Path
) -> None:
    user = repo(FILES)
    (isolated_environment / "config/git").mkdir(parents=True)
    (isolated_environment / "config/git/ignore").write_text(".env\n")
    (user.path / ".git/info/exclude").write_text("private/\n!keep.log\n")
    shell(
        user.path,
        "mkdir private .burnish; touch .env private/x .burnish/x x.log forced.log keep.log seen; git add -f forced.log",
    )
    assert set(taken(user, tmp_path / "state")[1]) - set(FILES) == {"forced.log", "seen"}
    (isolated_environment / "gitconfig").write_text("[core]\n\texcludesFile = ~/elsewhere\n")
    (isolated_environment / "elsewhere").write_text("seen\n")
    assert set(taken(user, tmp_path / "state2")[1]) - set(FILES) == {"forced.log", ".env"}


def test_assume_unchanged_and_skip_worktree_edits_are_not_missed(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo(FILES)
    shell(
        user.path,
        "git update-index --assume-unchanged app.py; git update-index --skip-worktree d/b.py;"
        "echo edited > app.py; echo edited > d/b.py",
    )
    files = taken(user, tmp_path / "state")[1]
    assert files["app.py"] == files["d/b.py"] == "edited\n"


@pytest.mark.parametrize("sparse_index", [False, True])
def test_files_outside_a_sparse_checkout_are_not_deletions(
    repo: MakeRepo, tmp_path: Path, sparse_index: bool
) -> None:
    user = repo({**FILES, "far/away/x": "x\n"})
    flag = "--sparse-index" if sparse_index else "--no-sparse-index"
    shell(user.path, f"git sparse-checkout set --cone {flag} d; echo edited > d/b.py")
    assert not (user.path / "far").exists()
    files = taken(user, tmp_path / "state")[1]
    assert files["far/away/x"] == "x\n"
    assert files["d/b.py"] == "edited\n"


def test_a_split_index_and_a_locked_one_are_fine(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo(FILES)
    shell(user.path, "git update-index --split-index; echo staged > s; git add s; touch .git/index.lock")
    assert taken(user, tmp_path / "state")[1]["s"] == "staged\n"


def test_a_damaged_index_is_one_sentence(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo(FILES)
    (user.path / ".git/index").write_bytes(b"DIRC garbage")
    with pytest.raises(WorkspaceError, match=r"the index of .* cannot be read"):
        taken(user, tmp_path / "state")


def test_a_filter_named_in_the_users_own_attributes_file_counts_too(
    repo: MakeRepo, tmp_path: Path, isolated_environment: Path
) -> None:
    user = repo(FILES)
    (isolated_environment / "config/git").mkdir(parents=True)
    (isolated_environment / "config/git/attributes").write_text("*.dat filter=mine\n")
    user.write("new.dat", "plain\n")
    snapshot, files = taken(user, tmp_path / "state")
    assert "new.dat" not in files
    assert [left.path for left in snapshot.dropped] == ["new.dat"]


def test_files_with_a_content_filter_are_reported_and_stay_as_committed(
    repo: MakeRepo, tmp_path: Path
) -> None:
    marker = tmp_path / "executed"
    user = repo({**FILES, "secret.key": "ciphertext\n"})
    user.commit("attributes", {".gitattributes": "*.key filter=crypt\n"})
    user.git("config", "filter.crypt.clean", f"touch {marker}; cat")
    user.git("config", "filter.crypt.required", "true")
    user.write("secret.key", "plaintext\n")
    user.write("new.key", "plaintext too\n")
    (user.path / ".git/info/attributes").write_text("hidden.txt filter=other\n")
    user.write("hidden.txt", "plaintext three\n")
    snapshot, files = taken(user, tmp_path / "state")
    assert files["secret.key"] == "ciphertext\n"
    assert not {"new.key", "hidden.txt"} & set(files)
    assert {left.path: left.why for left in snapshot.dropped} == {
        "secret.key": "has the content filter 'crypt', which is not run: the committed version is used",
        "new.key": "has the content filter 'crypt', which is not run: left out",
        "hidden.txt": "has the content filter 'other', which is not run: left out",
    }
    assert not marker.exists()


def test_lfs_pointers_are_kept_and_contents_are_known_by_them(repo: MakeRepo, tmp_path: Path) -> None:
    def pointer(oid: str, size: int) -> str:
        return f"version https://git-lfs.github.com/spec/v1\noid sha256:{oid}\nsize {size}\n"

    hello = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
    user = repo({".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n"})
    user.commit(
        "lfs", {"same.bin": pointer(hello, 5), "other.bin": pointer(hello, 5), "raw.bin": pointer(hello, 5)}
    )
    user.write("same.bin", "hello")
    user.write("other.bin", "changed")
    user.write("new.bin", "x")
    snapshot, files = taken(user, tmp_path / "state")
    assert snapshot.tree == user.tree()
    assert files["same.bin"] == pointer(hello, 5)
    assert [left.path for left in snapshot.dropped] == ["new.bin", "other.bin"]


@pytest.mark.parametrize("autocrlf", ["true", "input", "false"])
def test_the_users_line_endings_do_not_make_a_clean_checkout_dirty(
    repo: MakeRepo, tmp_path: Path, isolated_environment: Path, autocrlf: str
) -> None:
    origin = repo({"a.txt": "one\ntwo\n", "crlf.txt": "a\r\nb\r\n"}, name="origin")
    (isolated_environment / "gitconfig").write_text(f"[core]\n\tautocrlf = {autocrlf}\n")
    user = clone(origin, tmp_path / "copy")
    assert (b"\r\n" in (user.path / "a.txt").read_bytes()) == (autocrlf == "true")
    assert taken(user, tmp_path / "state")[0].tree == user.tree()


def test_modes_of_a_file_system_without_them_do_not_count(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo(FILES)
    user.git("config", "core.fileMode", "false")
    (user.path / "app.py").chmod(0o755)
    assert taken(user, tmp_path / "state")[0].tree == user.tree()


def test_nested_repositories_pipes_and_submodules(repo: MakeRepo, tmp_path: Path) -> None:
    inner = repo({"x": "x"}, name="inner")
    user = repo(FILES)
    user.git("submodule", "--quiet", "add", inner.path, "sub")
    user.git("commit", "-qm", "submodule")
    shell(user.path, "git init -q empty; touch empty/f; mkfifo pipe; cd sub; echo y > x; git commit -qam y")
    snapshot, files = taken(user, tmp_path / "state")
    assert files["sub"] == inner.head
    assert {left.path for left in snapshot.dropped} == {"empty/"}
    user.git("add", "sub")
    user.git("submodule", "--quiet", "add", inner.path, "second")
    snapshot, files = taken(user, tmp_path / "state2")
    assert files["sub"] == user.git("-C", "sub", "rev-parse", "HEAD")
    assert files["second"] == inner.head
    assert {left.path for left in snapshot.dropped} == {"empty/"}


def test_a_merge_conflict_is_taken_as_it_lies_there_and_pointed_out(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo(FILES)
    user.git("checkout", "-q", "-b", "side")
    user.commit("side", {"app.py": "side\n"})
    user.git("checkout", "-q", "main")
    user.commit("main", {"app.py": "main\n"})
    user.git("merge", "-q", "side", check=False)
    snapshot, files = taken(user, tmp_path / "state")
    assert "<<<<<<<" in files["app.py"]
    assert [(left.path, left.why) for left in snapshot.suspicious] == [("app.py", "has a merge conflict")]


def test_a_linked_worktree_is_read_with_its_own_head_and_index(repo: MakeRepo, tmp_path: Path) -> None:
    user = repo(FILES)
    user.git("worktree", "add", "-q", "-b", "side", tmp_path / "linked")
    linked = TestRepo(tmp_path / "linked")
    linked.commit("side", {"side.py": "x\n"})
    linked.write("app.py", "edited\n")
    before = user.fingerprint(landed_aside=False)
    files = taken(linked, tmp_path / "state")[1]
    assert (files["side.py"], files["app.py"]) == ("x\n", "edited\n")
    assert user.fingerprint(landed_aside=False) == before
