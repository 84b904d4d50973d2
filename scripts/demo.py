"""The main job in a throw-away repository: a test that really fails, two cycles, an approved branch.

The agents are scripted, so this needs no account, no key and no network; all the rest is the real thing.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

FILES = Path(__file__).resolve().parent / "demo_files"
TASK = "A price must never become negative, whatever the discount"
GATE = "python3 -m unittest -q"
WHO = {"GIT_AUTHOR_NAME": "Demo", "GIT_AUTHOR_EMAIL": "demo@example.com"}
WHO |= {name.replace("AUTHOR", "COMMITTER"): value for name, value in WHO.items()}


class Demo:
    """A folder with a repository, a state folder of its own, and the commands run there."""

    def __init__(self, folder: Path) -> None:
        self.shop = folder / "shop"
        self.env = {
            **os.environ,
            **WHO,
            "BURNISH_STATE": str(folder / "state"),
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def prepare(self) -> None:
        shutil.copytree(FILES / "shop", self.shop)
        for command in (
            ["git", "init", "-q", "-b", "main"],
            ["git", "add", "."],
            ["git", "commit", "-qm", "A small shop"],
        ):
            subprocess.run(command, cwd=self.shop, env=self.env, check=True)

    def show(self, *command: str) -> int:
        """Run a command as a reader would type it, and let it print."""
        print(f"\n$ {' '.join(_quoted(word) for word in command)}", flush=True)
        if command[0] == "burnish":
            command = (sys.executable, "-m", "burnish", *command[1:])
        return subprocess.run(command, cwd=self.shop, env=self.env, check=False).returncode

    def read(self, *command: str) -> str:
        done = subprocess.run(
            command, cwd=self.shop, env=self.env, check=True, capture_output=True, text=True
        )
        return done.stdout.strip()


def _quoted(word: str) -> str:
    return f"'{word}'" if " " in word else word


def story(demo: Demo) -> None:
    print("A small shop with a test that really fails:")
    if demo.show(*GATE.split()) == 0:
        sys.exit("the demo is broken: its test should fail before the run")
    before = demo.read("git", "rev-parse", "HEAD")

    print("\nAn implementer, a reviewer and a fixer (scripted here; any program will do) get it done:")
    script = f"scripted:{FILES / 'agents.toml'}"
    command = ["burnish", "run", TASK, "--implementer", script, "--reviewer", script, "--gate", GATE]
    code = demo.show(*command)
    if code != 0:
        sys.exit(f"the demo is broken: the run ended with {code}")

    print("\nWhat was landed, on a branch of its own; your checkout, index and HEAD are as they were:")
    branch = demo.read("git", "for-each-ref", "--format=%(refname:short)", "refs/heads/burnish")
    demo.show("git", "--no-pager", "log", "--oneline", f"main..{branch}")
    demo.show("git", "--no-pager", "diff", "--stat", f"main..{branch}")
    if demo.read("git", "rev-parse", "HEAD") != before or demo.read("git", "status", "--porcelain"):
        sys.exit("the demo is broken: the checkout was touched")
    demo.show("git", "switch", "-q", branch)
    if demo.show(*GATE.split()) != 0:
        sys.exit("the demo is broken: the test should pass on the branch")
    demo.show("burnish", "runs")


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="burnish-demo-") as folder:
        demo = Demo(Path(folder))
        demo.prepare()
        story(demo)
    print("\nThe demo ended as it should: PASS in two cycles. Its folder is gone again.")


if __name__ == "__main__":
    main()
