"""What every contender works on: one repository, three agents that do nearly nothing, one gate."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
BASELINE = HERE / "baseline.sh"
PEER = HERE / "peer_langgraph.py"
PEER_PYTHON = ROOT / ".bench-venv" / "bin" / "python"
GATE = "test -s app.txt"
TASK = "Do it"
WRITES = "#!/bin/sh\ncat >/dev/null\necho more >>app.txt\n"
WRITES_TESTS = f"{WRITES}mkdir -p tests && echo more >>tests/test_new.txt\n"
# Content with the third look: three cycles, each with a write, a gate and a review.
REVIEWS = """#!/bin/sh
cat >/dev/null
if [ "$BURNISH_CYCLE" -ge 3 ]; then echo '**Verdict: APPROVED**'
else printf -- '- more is needed\\n\\n**Verdict: CHANGES_REQUESTED**\\n'; fi
"""


@dataclass(frozen=True)
class Scene:
    folder: Path

    @property
    def repo(self) -> Path:
        return self.folder / "repo"

    @property
    def state(self) -> Path:
        return self.folder / "state"

    @property
    def writer(self) -> Path:
        return self.folder / "agents" / "write.sh"

    @property
    def test_writer(self) -> Path:
        return self.folder / "agents" / "write_tests.sh"

    @property
    def reviewer(self) -> Path:
        return self.folder / "agents" / "review.sh"

    def environment(self) -> dict[str, str]:
        """Nothing of this machine's home, git settings or Burnish state is seen or touched."""
        home = self.folder / "home"
        home.mkdir(parents=True, exist_ok=True)
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("GIT_", "BURNISH_", "XDG_", "PYTHON"))
        }
        return kept | {
            "HOME": str(home),
            "GIT_CONFIG_GLOBAL": str(home / "gitconfig"),
            "GIT_CONFIG_NOSYSTEM": "1",
            "NO_COLOR": "1",
            "BURNISH_STATE": str(self.state),
            "PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(ROOT))),
            "LANGSMITH_TRACING": "false",
        }

    def git(self, *args: str, stdin: bytes = b"") -> str:
        """Plain git in the repository."""
        command = ["git", "-C", str(self.repo), *args]
        done = subprocess.run(command, env=self.environment(), input=stdin, capture_output=True, check=True)
        return done.stdout.decode().strip()


def make_scene(folder: Path, files: Mapping[str, str] | int = 100) -> Scene:
    """A repository with one commit of `files`, or of so many small ones and app.txt."""
    scene = Scene(folder)
    scene.repo.mkdir(parents=True)
    if isinstance(files, int):
        files = {f"src/part{n % 50}/module{n}.txt": f"line {n}\n" * 40 for n in range(files)}
        files = {**files, "app.txt": "hello\n"}
    for name, text in files.items():
        path = scene.repo / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    scene.git("init", "-q", "-b", "main", ".")
    scene.git("config", "user.name", "Ada Tester")
    scene.git("config", "user.email", "ada@example.com")
    # Otherwise git would tidy up in the background, in the middle of whoever is measured then.
    scene.git("config", "gc.auto", "0")
    scene.git("add", "-A")
    scene.git("commit", "-q", "-m", "first")
    scene.git("repack", "-adq")
    agents = {scene.writer: WRITES, scene.test_writer: WRITES_TESTS, scene.reviewer: REVIEWS}
    for path, text in agents.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
    return scene


def burnish(*arguments: str) -> list[str]:
    """The command line as a user runs it."""
    return [str(Path(sys.executable).with_name("burnish")), *arguments]


def run_arguments(scene: Scene, *, sandbox: str, gate: str = GATE) -> list[str]:
    return [
        "run", TASK, "--implementer", str(scene.writer), "--reviewer", str(scene.reviewer),
        "--cycles", "3", "--sandbox", sandbox, *(("--gate", gate) if gate else ()),
    ]  # fmt: skip
