"""`kill -9` of git at every state-changing system call of the commands we use; doing it again recovers, unattended."""

from __future__ import annotations

import asyncio
import random
import re
import shutil
import subprocess
from pathlib import Path

from tests.integration.git.sides import side_of
from tests.repos import TestRepo, make_repo, run_git

from burnish.errors import WorkspaceError
from burnish.model.judges import Judges
from chaos._git_cleaning import cleaning
from chaos._git_runs import Point, Tools, whole_runs
from chaos._many import alone, inject
from chaos.section import Setting, Tally

IN_SHORT = 1
AT_ONCE = 3
FILES = {"app.py": "one\n", "d/b.py": "two\n", "gone.py": "x\n"}
EDITS = {"app.py": "better\n", "new/file.py": "new\n"}
# So many objects that landing them is left to `git index-pack`, as git itself does it.
MANY_EDITS = {**EDITS, **{f"many/f{number}.py": f"{number}\n" for number in range(120)}}
BRANCH = "burnish/story"
# What changes a file system by its name; opening and writing do so only with some arguments.
ALWAYS = (
    "rename", "renameat", "renameat2", "link", "linkat", "symlink", "symlinkat", "unlink", "unlinkat", "mkdir",
    "mkdirat", "rmdir", "fsync", "fdatasync", "ftruncate", "chmod", "fchmod", "fchmodat",
)  # fmt: skip
SOMETIMES = ("openat", "open", "creat", "write", "pwrite64", "writev")
OPENS_TO_WRITE = re.compile(r"O_(?:WRONLY|RDWR|CREAT)")
WRITES_A_FILE = re.compile(r"^\w+\(\d+</(?!dev/)")

# Stands in front of git. Calls are counted by verb, because some run side by side and their order is not fixed.
# `order` says which call is to be killed where; `record` is a folder for traces of all calls.
WRAPPER = """#!/bin/sh
here=$(dirname "$0") verb= skip=
for word in "$@"; do
    if [ "$skip" ]; then skip=; continue; fi
    case "$word" in -c) skip=1 ;; -*) ;; *) verb=$word; break ;; esac
done
exec 9>"$here/lock"; flock 9
n=$(($(cat "$here/count.$verb" 2>/dev/null || echo 0) + 1)); echo $n > "$here/count.$verb"
if [ -e "$here/record" ]; then
    all=$(($(cat "$here/all" 2>/dev/null || echo 0) + 1)); echo $all > "$here/all"
    exec 9>&-
    echo "$verb $n" > "$here/record/$all.call"
    exec strace -ff -y -qq -s 0 -e trace={calls} -o "$here/record/$all.trace" {git} "$@"
fi
exec 9>&-
[ -e "$here/order" ] || exec {git} "$@"
read -r which number name when both < "$here/order"
[ "$verb $n" = "$which $number" ] || exec {git} "$@"
strace -f -qq -o /dev/null -e trace="$name" -e inject="$name:signal=KILL:when=$when" {git} "$@"
code=$?
[ $code -lt 128 ] && exit $code
touch "$here/killed"
[ "$both" = both ] && [ "$PPID" = "$(cat "$here/parent")" ] && kill -9 $PPID
kill -9 $$
"""


class Stage:
    """A repository, a state folder, and a git that can be told to die."""

    def __init__(self, folder: Path, template: Path, edits: dict[str, str] | None = None) -> None:
        self.folder, self.bin, self.edits = folder, folder / "bin", edits or EDITS
        shutil.copytree(template, folder / "user")
        self.user = TestRepo(folder / "user")
        put_in_front(self.bin)

    def tell(self) -> str:
        """What a run does with git, from the first to the last; done again, it goes on from what is there."""
        for path in self.bin.glob("count.*"):
            path.unlink()
        return asyncio.run(self._tell())

    async def _tell(self) -> str:
        async with side_of(self.user, self.folder / "state", search=str(self.bin)) as side:
            for leftover in await side.workspaces.leftovers():
                await leftover.remove()
            tree = await side.edited(self.edits)
            base_tree = await side.base_tree()
            await side.workspaces.diff(base_tree, tree, 100_000)
            await side.workspaces.judge_tree(tree, side.base, Judges(whole=("d/*",)))
            commit = await side.workspaces.commit(tree, side.base, "Add a file")
            if await side.workspaces.head() != commit:
                await side.workspaces.advance(commit, side.base)
            await side.workspaces.keep(tree, "work")
            landed = await side.lander.branch(commit, BRANCH)
            await side.user_tree.snapshot()
            await side.mirror.unpin("r-1")
            await side.mirror.pin(side.base, "r-1")
            await side.mirror.prune()
            return landed

    def check(self, landed: str, trees: str) -> None:
        """One branch, one commit, the right tree, nothing damaged and no lock left anywhere."""
        assert landed == BRANCH, f"landed as {landed}"
        assert self.user.branches == [BRANCH, "main"], str(self.user.branches)
        assert self.user.git("log", "--format=%T", BRANCH) == trees, "another history"
        stores = [self.user.path / ".git", *self.folder.glob("state/repos/*/mirror.git")]
        for store in (*stores, *self.folder.glob("state/repos/*/runs/*/run.git")):
            run_git(store, f"--git-dir={store}", "fsck", "--strict", "--no-dangling")
            left = [str(path.relative_to(store)) for path in store.rglob("*.lock")]
            assert left == [], f"left in {store.name}: {left}"


def put_in_front(folder: Path) -> None:
    """A git that can be told to die."""
    folder.mkdir()
    text = WRAPPER.format(git=shutil.which("git"), calls=",".join((*ALWAYS, *SOMETIMES)).replace(",", ",?"))
    (folder / "git").write_text(text)
    (folder / "git").chmod(0o755)


def section(setting: Setting, tally: Tally) -> None:
    if not shutil.which("strace") or not traced():
        tally.note("skipped: strace is missing or not allowed here")
        return
    with alone(setting.folder):
        template = make_repo(setting.folder / "template", FILES).path
        _our_side(setting, tally, template, EDITS)
        _our_side(setting, tally, template, MANY_EDITS)
        cleaning(setting, tally, Tools(put_in_front, found_in))
        whole_runs(setting, tally, Tools(put_in_front, found_in))


def _our_side(setting: Setting, tally: Tally, template: Path, edits: dict[str, str]) -> None:
    """All of its git calls killed; with many objects, the one that lands them."""
    many = edits is MANY_EDITS
    kind = "many" if many else "few"
    stage = Stage(setting.folder / f"whole-{kind}", template, edits)
    (stage.bin / "record").mkdir()
    landed = stage.tell()
    trees = stage.user.git("log", "--format=%T", BRANCH)
    stage.check(landed, trees)
    points = [point for point in found_in(stage.bin / "record") if not many or point.verb == "index-pack"]
    assert points, "no point to kill git at was found"
    chosen = points
    if setting.short:
        chosen = random.Random(setting.seed).sample(points, 1 if many else IN_SHORT)
    missed: list[Point] = []

    def work(point: Point) -> None:
        if not kill_and_repeat(Stage(folder_of(setting, kind, point), template, edits), point, trees):
            missed.append(point)

    inject(tally, work, [(f"{kind} objects: {point}", point) for point in chosen], AT_ONCE)
    # A point that did not come again was nothing injected.
    tally.injected -= len(missed)
    tally.survived -= len(missed)
    verbs = sorted({point.verb for point in points})
    what = f"landing {len(edits)} files" if many else "our git side alone"
    tally.note(
        f"{what}: {len(points)} points in {len(verbs)} commands that change something: {', '.join(verbs)}"
        f" ({len(missed)} did not come again and are not counted)"
    )


def folder_of(setting: Setting, kind: str, point: Point) -> Path:
    folder = setting.folder / f"{kind}-{point.slug}"
    folder.mkdir()
    return folder


def traced() -> bool:
    done = subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True, check=False)
    return done.returncode == 0


def kill_and_repeat(stage: Stage, point: Point, trees: str) -> bool:
    """False when git was never killed, because that call did not come."""
    (stage.bin / "order").write_text(point.order)
    try:
        stage.tell()
    except WorkspaceError as error:
        assert "\n" not in error.message, f"more than a sentence: {error.message}"
    killed = (stage.bin / "killed").exists()
    (stage.bin / "order").unlink()
    if killed:
        stage.check(stage.tell(), trees)
    shutil.rmtree(stage.folder)
    return killed


def found_in(record: Path) -> list[Point]:
    """Every state-changing system call of every process of every git call, once for each name and count."""
    points: list[Point] = []
    for path in sorted(record.glob("*.call"), key=lambda path: int(path.stem)):
        verb, number = path.read_text().split()
        seen: set[tuple[str, int]] = set()
        for trace in record.glob(f"{path.stem}.trace.*"):
            seen |= changing(trace.read_text("utf8", "replace"))
        points += [Point(int(path.stem), verb, int(number), name, when) for name, when in sorted(seen)]
    return points


def changing(trace: str) -> set[tuple[str, int]]:
    count: dict[str, int] = {}
    found = set()
    for line in trace.splitlines():
        name = line.partition("(")[0]
        if name not in (*ALWAYS, *SOMETIMES):
            continue
        count[name] = count.get(name, 0) + 1
        matters = name in ALWAYS or name == "creat"
        if name in ("open", "openat"):
            matters = bool(OPENS_TO_WRITE.search(line)) and "/dev/null" not in line
        elif name in ("write", "pwrite64", "writev"):
            matters = bool(WRITES_A_FILE.match(line))
        if matters:
            found.add((name, count[name]))
    return found
