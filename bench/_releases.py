"""Two releases of a library as two commits, and what a review says of the step between them."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench._scene import Scene, burnish
from bench._subjects import commit_all, repository_of

# Older and newer release of pure Python libraries, next to each other or nearly so.
PAIRS = (
    ("requests", "2.31.0", "2.32.3"),
    ("flask", "3.0.3", "3.1.0"),
    ("click", "8.1.7", "8.1.8"),
    ("jinja2", "3.1.4", "3.1.5"),
    ("httpx", "0.27.2", "0.28.0"),
    ("rich", "13.8.1", "13.9.4"),
    ("attrs", "23.2.0", "24.2.0"),
    ("urllib3", "2.2.3", "2.3.0"),
    ("werkzeug", "3.0.6", "3.1.0"),
    ("pluggy", "1.4.0", "1.5.0"),
    ("tomlkit", "0.12.5", "0.13.2"),
    ("packaging", "24.1", "24.2"),
    ("pytest", "8.2.2", "8.3.1"),
    ("httpcore", "1.0.5", "1.0.7"),
    ("starlette", "0.38.6", "0.39.0"),
    ("anyio", "4.4.0", "4.6.0"),
    ("marshmallow", "3.21.3", "3.22.0"),
    ("typer", "0.12.5", "0.13.0"),
    ("paramiko", "3.4.1", "3.5.0"),
    ("celery", "5.3.6", "5.4.0"),
)


@dataclass(frozen=True)
class Step:
    """What a review said about one step from release to release."""

    library: str
    old: str
    new: str
    changed_lines: int
    findings: tuple[dict[str, Any], ...]


def review_step(folder: Path, old: Path, new: Path) -> tuple[int, tuple[dict[str, Any], ...]]:
    """Changed lines, and the findings as `--format json` gives them; tests are not run."""
    scene = repository_of(folder, old)
    _replaced(scene, new)
    _without_metadata(scene)
    out = folder / "review.json"
    words = burnish("review", "--commit", "HEAD", "--no-tests", "--format", "json", "-o", str(out))
    done = subprocess.run(
        words, cwd=scene.repo, env=scene.environment(), capture_output=True, text=True, check=False
    )
    if done.returncode not in (0, 1):
        raise SystemExit(f"the review of {folder.name} ended with {done.returncode}: {done.stderr[-2000:]}")
    page = json.loads(out.read_text())
    return page["subject"]["insertions"] + page["subject"]["deletions"], tuple(page["findings"])


def _replaced(scene: Scene, new: Path) -> None:
    """The old release without its metadata amended into the first commit, the new one put beside it."""
    _without_metadata(scene)
    scene.git("commit", "-q", "-a", "--amend", "-m", "old release")
    for path in scene.repo.iterdir():
        if path.name != ".git":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    shutil.copytree(new, scene.repo, dirs_exist_ok=True)
    _without_metadata(scene)
    commit_all(scene, "new release")


def _without_metadata(scene: Scene) -> None:
    for path in scene.repo.glob("*.dist-info"):
        shutil.rmtree(path)
