"""Projects with tests of their own: an environment to run these in, half of the files for the gate, the rest kept back."""

from __future__ import annotations

import random
import shlex
import subprocess
import sys
import venv
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path

from bench._scene import Scene
from bench._subjects import KEPT

SUITE_TIMEOUT_S = 600
PASSED = "passed"
OPTIONS = ("-q", "-p", "no:cacheprovider", "-W", "ignore", "-o", "addopts=", "-o", "filterwarnings=")


@dataclass(frozen=True)
class Project:
    """`package` is what is reviewed and fixed, `tests` the folder of its tests, `needs` what these import."""

    wanted: str
    package: str
    tests: str
    path: str = "."
    needs: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.wanted.partition("==")[0]


PROJECTS = (
    Project("idna==3.10", "idna", "tests"),
    Project("pluggy==1.5.0", "src/pluggy", "testing", "src"),
    Project("sqlparse==0.5.1", "sqlparse", "tests"),
    Project("tabulate==0.9.0", "tabulate", "test"),
    Project("more-itertools==10.5.0", "more_itertools", "tests"),
    Project("jinja2==3.1.5", "src/jinja2", "tests", "src", ("markupsafe", "trio")),
    Project("python-dotenv==1.0.1", "src/dotenv", "tests", "src", ("click", "sh")),
)


def environment_for(projects: tuple[Project, ...]) -> Path | None:
    """The Python of an environment with pytest and what the suites need; None when it cannot be made."""
    place = KEPT / "suites-venv"
    python, done = place / "bin" / "python", place / ".ready"
    needs = sorted({"pytest", *(need for project in projects for need in project.needs)})
    if done.exists() and done.read_text() == " ".join(needs):
        return python
    venv.create(place, with_pip=True)
    words = [str(python), "-m", "pip", "install", "-q", *needs]
    if subprocess.run(words, capture_output=True, check=False).returncode:
        return None
    done.write_text(" ".join(needs))
    return python


def halves(scene: Scene, project: Project, seed: int) -> tuple[list[str], list[str]]:
    """The test files in two halves: for the gate, and kept back."""
    folder = scene.repo / project.tests
    files = sorted({*folder.rglob("test_*.py"), *folder.rglob("*_test.py")})
    names = [str(path.relative_to(scene.repo)) for path in files]
    random.Random(f"{seed}-{project.name}").shuffle(names)
    return sorted(names[: len(names) // 2]), sorted(names[len(names) // 2 :])


def suite(python: Path, project: Project, files: list[str], *more: str) -> str:
    """The command, for a shell in the project's folder."""
    words = [str(python), "-m", "pytest", *OPTIONS, *more, *files]
    return f"PYTHONPATH={project.path} {shlex.join(words)}"


def results(scene: Scene, project: Project, python: Path, commit: str, files: list[str]) -> dict[str, str]:
    """Test -> how it ended, in a fresh copy of a commit."""
    place = scene.folder / f"at-{commit[:12].replace('/', '-')}"
    place.mkdir()
    told = scene.folder / f"{place.name}.xml"
    subprocess.run(
        ["sh", "-c", 'git archive "$1" | tar -x -C "$2"', "sh", commit, str(place)],
        cwd=scene.repo, env=scene.environment(), check=True,
    )  # fmt: skip
    command = suite(python, project, files, f"--junitxml={told}")
    subprocess.run(
        ["sh", "-c", command], cwd=place, env=scene.environment() | {"PYTHONPATH": ""},
        capture_output=True, timeout=SUITE_TIMEOUT_S, check=False,
    )  # fmt: skip
    if not told.exists():
        return {}
    cases = ET.parse(told).getroot().iter("testcase")
    return {f"{case.get('classname')}::{case.get('name')}": _ended(case) for case in cases}


def _ended(case: ET.Element) -> str:
    return next((child.tag for child in case if child.tag in ("failure", "error", "skipped")), PASSED)


def fixable(scene: Scene) -> str:
    """What `python -m bench._fixable` prints here."""
    words = [sys.executable, "-m", "bench._fixable"]
    done = subprocess.run(
        words, cwd=scene.repo, env=scene.environment(), capture_output=True, text=True, check=True
    )
    return done.stdout
