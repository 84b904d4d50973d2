"""Odd repositories simply work, or are refused in one sentence; and afterwards they are what they were."""

import asyncio
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from burnish.errors import BurnishError
from tests.integration.git.sides import shell, side_of
from tests.repos import TestRepo, clone, make_repo, run_git

FILES = {"app.py": "one\n", "d/b.py": "two\n", ".gitignore": "*.log\n"}
Build = Callable[[Path], TestRepo]


def plain(folder: Path) -> TestRepo:
    return make_repo(folder / "user", FILES)


def scripted(script: str) -> Build:
    def build(folder: Path) -> TestRepo:
        user = plain(folder)
        shell(user.path, script)
        return user

    return build


def detached(folder: Path) -> TestRepo:
    user = plain(folder)
    user.git("checkout", "-q", "--detach")
    return user


def cloned(*options: str) -> Build:
    def build(folder: Path) -> TestRepo:
        origin = make_repo(folder / "origin", FILES)
        origin.commit("second", {"app.py": "1.5\n"})
        origin.git("config", "uploadpack.allowFilter", "true")
        return clone(origin, folder / "user", *options)

    return build


def sha256(folder: Path) -> TestRepo:
    return make_repo(folder / "user", FILES, object_format="sha256")


def named(name: str) -> Build:
    return lambda folder: make_repo(folder / name, FILES)


def linked(folder: Path) -> TestRepo:
    user = plain(folder)
    user.git("worktree", "add", "-q", "-b", "side", folder / "one")
    run_git(folder / "one", "worktree", "add", "-q", "-b", "other", folder / "two")
    return TestRepo(folder / "two")


def submodule(folder: Path) -> TestRepo:
    inner = make_repo(folder / "inner", {"x": "x"})
    user = plain(folder)
    user.git("submodule", "--quiet", "add", inner.path, "sub")
    user.git("commit", "-qm", "submodule")
    return user


def separate_git_dir(folder: Path) -> TestRepo:
    user = plain(folder)
    user.git("init", "-q", "--separate-git-dir", folder / "elsewhere.git")
    return user


def odd_names(folder: Path) -> TestRepo:
    return make_repo(
        folder / "user",
        {
            **FILES,
            b'caf\xe9\n"x\t': "x",
            "-dash": "x",
            "a b": "x",
            "ü": "x",
            "*": "x",
            ":(glob)": "x",
            "x\\y": "x",
        },
    )


def failing_hooks(folder: Path) -> TestRepo:
    user = plain(folder)
    for name in ("pre-commit", "reference-transaction", "post-checkout", "commit-msg"):
        (user.path / ".git/hooks" / name).write_text("#!/bin/sh\nexit 1\n")
        (user.path / ".git/hooks" / name).chmod(0o755)
    return user


def many_files(folder: Path) -> TestRepo:
    return make_repo(folder / "user", {**FILES, **{f"m{n % 40}/f{n}": f"{n}\n" for n in range(800)}})


WORK: dict[str, Build] = {
    "plain": plain,
    "detached": detached,
    "shallow": cloned("--depth=1"),
    "partial": cloned("--filter=blob:none"),
    "shared": cloned("--shared"),
    "sha256": sha256,
    "spaces and unicode in the path": named("with  spaces ü '\""),
    "a dash in front of the path": named("-rf"),
    "a colon in the path": named("host:path"),
    "a newline in the path": named("new\nline"),
    "worktree of a worktree": linked,
    "submodule": submodule,
    "separate git dir": separate_git_dir,
    "odd names": odd_names,
    "failing hooks": failing_hooks,
    "many files": many_files,
    "trunk": scripted("git branch -q -m trunk"),
    "no identity": scripted("git config user.useConfigOnly true"),
    "gpgsign": scripted("git config commit.gpgSign true; git config gpg.program false"),
    "sparse": scripted("git sparse-checkout set --cone d"),
    "split index": scripted("git update-index --split-index"),
    "untracked cache": scripted("git update-index --force-untracked-cache; git config core.untrackedCache true"),
    "index lock": scripted("touch .git/index.lock"),
    "head lock": scripted("touch .git/HEAD.lock .git/packed-refs.lock"),
    "packed refs": scripted("git gc -q; git pack-refs --all"),
    "lfs without lfs": scripted(
        "echo '*.bin filter=lfs diff=lfs merge=lfs -text' > .gitattributes; git add .gitattributes; git commit -qm l;"
        "git config filter.lfs.required true; git config filter.lfs.clean 'git-lfs clean'"
    ),
    "crlf": scripted("git config core.autocrlf true; printf 'a\\r\\nb\\r\\n' > c; git add c; git commit -qm c 2>&1"),
    "nested repository with commits": scripted(
        "git init -q n; cd n; echo x > x; git add x; git commit -qm x"
    ),
    "nested repository without commits": scripted("git init -q n; touch n/x"),
    "symlinks": scripted("ln -s app.py l; ln -s d dl; ln -s /etc/passwd out; ln -s no broken; git add -A; git commit -qm l"),
    "middle of a merge": scripted(
        "git checkout -q -b s; echo s > app.py; git commit -qam s; git checkout -q main; echo m > app.py;"
        "git commit -qam m; git merge s || true"
    ),
    "middle of a rebase": scripted(
        "git checkout -q -b s; echo s > app.py; git commit -qam s; git checkout -q main; echo m > app.py;"
        "git commit -qam m; git checkout -q s; git rebase main || true"
    ),
    "a branch called HEAD": scripted("git update-ref refs/heads/HEAD HEAD; git tag main"),
    "a branch called burnish": scripted("git branch burnish"),
    "stash and notes": scripted("echo x > app.py; git stash -q; git notes add -m n; git tag -a t -m t"),
    "grafts and replacements": scripted("git replace HEAD^{tree} HEAD^{tree} 2>/dev/null || true"),
    "empty tree": scripted("git rm -rq .; git commit -qm nothing"),
    "pipe as exclude file": scripted("rm -f .git/info/exclude; mkdir -p .git/info; mkfifo .git/info/exclude"),
    "pipe as settings of ours": scripted("mkfifo burnish.toml burnish.yaml"),
    "pipe as instructions": scripted("mkfifo AGENTS.md REVIEW.md d/AGENTS.md"),
    "pipe as submodule file": scripted("mkfifo .gitmodules"),
    "pipe as hook": scripted("mkdir -p .git/hooks; mkfifo .git/hooks/pre-commit"),
    "pipe in an ignored folder": scripted("echo ign/ > .gitignore; git commit -qam i; mkdir ign; mkfifo ign/.gitignore"),
    "read-only objects": scripted("git gc -q; chmod -R a-w .git/objects/pack"),
}  # fmt: skip


@pytest.mark.parametrize("build", WORK.values(), ids=WORK.keys())
def test_odd_repositories_work_and_stay_what_they_were(build: Build, tmp_path: Path) -> None:
    user = build(tmp_path)
    user.write("dirty.py", "dirty\n")
    before = user.fingerprint()

    async def scenario() -> tuple[str, str]:
        async with side_of(user, tmp_path / "state") as side:
            snapshot = await side.user_tree.snapshot()
            assert b"dirty.py" in await side.names(snapshot.tree)
            async with side.workspaces.open(snapshot.tree, "x") as workspace:
                assert (await workspace.snapshot()).tree == snapshot.tree
                shell(workspace.path, "echo result > result.py; git log -1 >/dev/null; git status >/dev/null")
                tree = (await workspace.snapshot()).tree
            commit = await side.workspaces.commit(tree, side.base, "Result")
            assert "result.py" in (await side.workspaces.diff(side.base, tree, 10_000)).files
            return commit, await side.lander.branch(commit, "burnish/r-1")

    commit, branch = asyncio.run(scenario())
    after = user.fingerprint()
    assert {name: after.get(name) for name in before} == before
    assert all("burnish" in name for name in set(after) - set(before))
    assert user.git("rev-parse", f"refs/heads/{branch}") == commit
    assert user.show(f"refs/heads/{branch}", "result.py") == "result\n"


def bare(folder: Path) -> Path:
    plain(folder).git("clone", "-q", "--bare", ".", folder / "bare.git")
    return folder / "bare.git"


def unborn(folder: Path) -> Path:
    return make_repo(folder / "user").path


def broken_head(folder: Path) -> Path:
    user = plain(folder)
    (user.path / ".git/HEAD").write_text("nonsense")
    return user.path


def missing_objects(folder: Path) -> Path:
    user = plain(folder)
    blob = user.git("rev-parse", "HEAD:app.py")
    (user.path / ".git/objects" / blob[:2] / blob[2:]).unlink()
    return user.path


def damaged_pack(folder: Path) -> Path:
    user = plain(folder)
    user.git("gc", "-q")
    pack = next((user.path / ".git/objects/pack").glob("*.pack"))
    pack.chmod(0o644)
    pack.write_bytes(pack.read_bytes()[:60])
    return user.path


def no_repository(folder: Path) -> Path:
    return folder


def inside_git(folder: Path) -> Path:
    return plain(folder).path / ".git"


def with_pipe(folder: Path, name: str) -> Path:
    user = plain(folder)
    (user.path / name).parent.mkdir(exist_ok=True)
    (user.path / name).unlink(missing_ok=True)
    os.mkfifo(user.path / name)
    return user.path


def pipe_as_ignore_file(folder: Path) -> Path:
    return with_pipe(folder, ".gitignore")


def pipe_as_ignore_file_below(folder: Path) -> Path:
    return with_pipe(folder, "d/.gitignore")


def pipe_as_attributes(folder: Path) -> Path:
    return with_pipe(folder, ".gitattributes")


def pipe_as_attributes_below(folder: Path) -> Path:
    return with_pipe(folder, "d/.gitattributes")


def pipe_as_attributes_of_the_git_folder(folder: Path) -> Path:
    (path := with_pipe(folder, ".git/info/attributes")).joinpath("new.py").write_text("new\n")
    return path


def pipe_as_git_config(folder: Path) -> Path:
    return with_pipe(folder, ".git/config")


def pipe_as_head(folder: Path) -> Path:
    return with_pipe(folder, ".git/HEAD")


def pipe_as_index(folder: Path) -> Path:
    return with_pipe(folder, ".git/index")


def pipe_as_packed_refs(folder: Path) -> Path:
    return with_pipe(folder, ".git/packed-refs")


def pipe_as_alternates(folder: Path) -> Path:
    return with_pipe(folder, ".git/objects/info/alternates")


REFUSED: tuple[Callable[[Path], Path], ...] = (
    bare, unborn, broken_head, missing_objects, damaged_pack, no_repository, inside_git,
    pipe_as_ignore_file, pipe_as_ignore_file_below, pipe_as_attributes, pipe_as_attributes_below,
    pipe_as_attributes_of_the_git_folder, pipe_as_git_config, pipe_as_head, pipe_as_index, pipe_as_packed_refs,
    pipe_as_alternates,
)  # fmt: skip


@pytest.mark.parametrize("build", REFUSED, ids=lambda build: build.__name__.replace("_", " "))
def test_what_cannot_work_is_refused_in_one_sentence(build: Callable[[Path], Path], tmp_path: Path) -> None:
    path = build(tmp_path)

    async def scenario() -> None:
        async with side_of(TestRepo(path), tmp_path / "state") as side:
            await side.user_tree.snapshot()

    with pytest.raises(BurnishError) as caught:
        asyncio.run(scenario())
    assert caught.value.message.endswith(".")
    assert "\n" not in caught.value.message
    assert caught.value.hint
    assert ("found the named pipe" in caught.value.message) == build.__name__.startswith("pipe")


def test_the_checkout_is_usable_after_landing_from_an_odd_state(tmp_path: Path) -> None:
    user = WORK["middle of a merge"](tmp_path)

    async def scenario() -> None:
        async with side_of(user, tmp_path / "state") as side:
            commit = await side.workspaces.commit(await side.edited({"x": "y"}), side.base, "Result")
            await side.lander.branch(commit, "burnish/r-1")

    asyncio.run(scenario())
    subprocess.run(["git", "merge", "--abort"], cwd=user.path, check=True, timeout=20)
    assert user.git("status", "--porcelain") == ""
