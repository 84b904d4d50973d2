"""A repository of 50,000 files: our workspace, snapshot and rollback beside a linked worktree and plain git."""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from bench._scene import Scene, make_scene
from bench.section import Page, Setting, spread

FILES = 50_000
OPEN, SNAPSHOT, SAME, ROLLBACK, REMOVE = "workspace", "snapshot", "snapshot, unchanged", "rollback", "removal"
THEIRS = {
    OPEN: "git worktree add",
    SNAPSHOT: "git add -A, write-tree",
    SAME: "git add -A, write-tree",
    ROLLBACK: "git reset --hard, clean -fdx",
    REMOVE: "git worktree remove",
}
Times = dict[str, list[float]]


def section(setting: Setting, page: Page) -> None:
    files = 300 if setting.quick else FILES
    scene = make_scene(setting.folder / "scene", files)
    ours: Times = {name: [] for name in THEIRS}
    theirs: Times = {name: [] for name in THEIRS}
    rounds = 1 if setting.quick else setting.rounds
    kept = dict(os.environ)
    os.environ.update(scene.environment())
    try:
        first_s = asyncio.run(_rounds(scene, rounds, ours, theirs))
    finally:
        os.environ.clear()
        os.environ.update(kept)
    page.say(
        f"{files + 1:,} files. {rounds} rounds, ours and plain git in turn; an agent changed three files and added one. Ours "
        "refuses nested repositories, disguised `.git`, pipes and oversized files on the way, and works outside of the user's "
        "repository; a linked worktree can move the user's refs. Rollback gives exactly the tree and nothing else: ours "
        "makes the checkout anew, plain git trusts its index and the agent's `.git`."
    )
    rows = []
    for name, command in THEIRS.items():
        ratios = [mine / other for mine, other in zip(ours[name], theirs[name], strict=True)]
        rows.append([name, spread(ours[name]), f"`{command}`", spread(theirs[name]), spread(ratios)])
    page.table(["", "ours, s", "plain git", "s", "x"], rows)
    page.say(f"The mirror, once per repository: {first_s:.2f} s.")


async def _rounds(scene: Scene, rounds: int, ours: Times, theirs: Times) -> float:
    from burnish.app.place import find_place
    from burnish.git.mirror import Mirror
    from burnish.git.workspaces import Workspaces

    place = await find_place(scene.repo)
    mirror, head = Mirror(place.repository, place.mirror), place.repository.head
    first = await _timed(lambda: mirror.pin(head, "bench"))
    identity = await place.repository.identity()
    async with Workspaces(mirror, place.run_folder("bench"), identity, head) as workspaces:
        tree = await workspaces.tree(head)
        for _ in range(rounds):
            await _ours(workspaces, tree, ours)
            await asyncio.to_thread(_theirs, scene, theirs)
    return first


async def _ours(workspaces: "Workspaces", tree: str, took: Times) -> None:  # type: ignore[name-defined] # noqa: F821, UP037
    opened = workspaces.open(tree, "bench")
    began = time.perf_counter()
    workspace = await opened.__aenter__()
    took[OPEN].append(time.perf_counter() - began)
    took[SAME].append(await _timed(workspace.snapshot))
    _agent(workspace.path)
    took[SNAPSHOT].append(await _timed(workspace.snapshot))
    took[ROLLBACK].append(await _timed(lambda: workspace.restore(tree)))
    began = time.perf_counter()
    await opened.__aexit__(None, None, None)
    took[REMOVE].append(time.perf_counter() - began)


def _theirs(scene: Scene, took: Times) -> None:
    folder = scene.folder / "worktree"

    def timed(name: str, *commands: tuple[str, ...]) -> None:
        began = time.perf_counter()
        for words in commands:
            scene.git(*words)
        took[name].append(time.perf_counter() - began)

    inside = ("-C", str(folder))
    taking = ((*inside, "add", "-A"), (*inside, "write-tree"))
    timed(OPEN, ("worktree", "add", "-q", "--detach", str(folder), "HEAD"))
    timed(SAME, *taking)
    _agent(folder)
    timed(SNAPSHOT, *taking)
    timed(ROLLBACK, (*inside, "reset", "-q", "--hard", "HEAD"), (*inside, "clean", "-q", "-fdx"))
    timed(REMOVE, ("worktree", "remove", "--force", str(folder)))
    shutil.rmtree(folder, ignore_errors=True)


def _agent(folder: Path) -> None:
    for name in ("app.txt", "src/part1/module1.txt", "src/part2/module2.txt", "src/new.txt"):
        with (folder / name).open("a") as file:
            file.write("more\n")


async def _timed(work: Callable[[], Awaitable[object]]) -> float:
    began = time.perf_counter()
    await work()
    return time.perf_counter() - began
