"""The main job in throw-away repositories: flawed changes reviewed, fixed, reviewed again; then with agents.

No account, no key and no network: the first parts use analysers only, the agents of the last are scripted.
All the rest is the real thing. Where there is no sandbox, the tests of these repositories run by the flag that allows it:
they are this project's own, and the commands that are printed show it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from burnish.process import bubblewrap

FILES = Path(__file__).resolve().parent / "demo_files"
TASK = "A price must never become negative, whatever the discount"
GATE = "python3 -m unittest -q"
WHO = {"GIT_AUTHOR_NAME": "Demo", "GIT_AUTHOR_EMAIL": "demo@example.com"}
# Only because all of this code is ours: a change that others wrote is reviewed without it.
ALLOWED = () if bubblewrap.usable() else ("--run-unsandboxed",)
WHO |= {name.replace("AUTHOR", "COMMITTER"): value for name, value in WHO.items()}


class Demo:
    """A folder with a repository, a state folder of its own, and the commands run there."""

    def __init__(self, folder: Path, name: str) -> None:
        self.name = name
        self.place = folder / name
        self.env = {
            **os.environ,
            **WHO,
            # The test command is looked for on PATH; the environment of this project has one.
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}",
            "BURNISH_STATE": str(folder / "state"),
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def prepare(self) -> None:
        shutil.copytree(FILES / self.name, self.place, ignore=shutil.ignore_patterns("*.txt"))
        for command in (
            ["git", "init", "-q", "-b", "main"],
            ["git", "add", "."],
            ["git", "commit", "-qm", "A small shop"],
        ):
            subprocess.run(command, cwd=self.place, env=self.env, check=True)

    def show(self, *command: str) -> int:
        """Run a command as a reader would type it, and let it print."""
        print(f"\n$ {' '.join(_quoted(word) for word in command)}", flush=True)
        if command[0] == "burnish":
            command = (sys.executable, "-m", "burnish", *command[1:])
        return subprocess.run(command, cwd=self.place, env=self.env, check=False).returncode

    def read(self, *command: str) -> str:
        done = subprocess.run(
            command, cwd=self.place, env=self.env, check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    def must(self, expected: int, *command: str) -> None:
        code = self.show(*command)
        if code != expected:
            sys.exit(f"the demo is broken: expected exit {expected}, found {code}")

    @property
    def landed(self) -> str:
        return self.read("git", "for-each-ref", "--format=%(refname:short)", "refs/heads/burnish")


def _quoted(word: str) -> str:
    return f"'{word}'" if " " in word else word


def reviewed(demo: Demo) -> None:
    print("A small shop, and a change to it that is not committed yet:")
    shutil.copy(FILES / "flawed" / "change.py.txt", demo.place / "orders.py")
    demo.show("git", "status", "--short")

    print("\nIs it any good? Seven dimensions, no agent, no key, no network:")
    demo.must(1, "burnish", "review", "--min-severity", "medium", *ALLOWED)

    print("\nFix what can be fixed, each fix tested or undone, and look again:")
    demo.must(0, "burnish", "review", "--fix", *ALLOWED)

    print("\nThe fixes are on a branch of their own; your checkout, index and HEAD are as they were:")
    demo.show("git", "--no-pager", "log", "--oneline", f"main..{demo.landed}")
    if demo.read("git", "status", "--porcelain") != "?? orders.py":
        sys.exit("the demo is broken: the checkout was touched")
    print("\nAnd the pass carries its evidence:")
    demo.must(0, "burnish", "receipt", "verify", demo.landed.rpartition("fix-")[2])


def followed(demo: Demo) -> None:
    print("\nAnother change, a page over code that was there before. What does a visitor's input reach?")
    for part in ("shop/web.py", "shop/prices.py", "tests/test_shipping.py"):
        shutil.copy(FILES / "followed_change" / f"{part}.txt", demo.place / part)
    demo.must(1, "burnish", "review", *ALLOWED)

    print("\nRepair it, and what the failing test reveals, and show how:")
    demo.must(0, "burnish", "review", "--fix", *ALLOWED)
    demo.show("git", "--no-pager", "diff", "-U0", "main", demo.landed, "--", "shop/store.py")


def with_agents(demo: Demo) -> None:
    print("\nNow with agents (scripted here; any program will do). A test that really fails:")
    if demo.show(*GATE.split()) == 0:
        sys.exit("the demo is broken: its test should fail before the run")
    before = demo.read("git", "rev-parse", "HEAD")

    print("\nAn implementer, a reviewer and a fixer get it done:")
    script = f"scripted:{FILES / 'agents.toml'}"
    demo.must(0, "burnish", "run", TASK, "--implementer", script, "--reviewer", script, "--gate", GATE)

    print("\nWhat was landed, on a branch of its own:")
    demo.show("git", "--no-pager", "log", "--oneline", f"main..{demo.landed}")
    if demo.read("git", "rev-parse", "HEAD") != before or demo.read("git", "status", "--porcelain"):
        sys.exit("the demo is broken: the checkout was touched")
    demo.show("git", "switch", "-q", demo.landed)
    demo.must(0, *GATE.split())
    demo.show("burnish", "runs")


STORIES = {"flawed": reviewed, "followed": followed, "shop": with_agents}


def main(*wanted: str) -> None:
    """All of the stories, or those that are named."""
    if ALLOWED:
        print(
            f"There is no sandbox here, so reviews run no tests; these are our own: {ALLOWED[0]} allows them.\n"
        )
    with tempfile.TemporaryDirectory(prefix="burnish-demo-") as name:
        for story in wanted or STORIES:
            demo = Demo(Path(name), story)
            demo.prepare()
            STORIES[story](demo)
    print(
        "\nThe demo ended as it should: what was flawed was found, repaired and passed. Its folder is gone again."
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
