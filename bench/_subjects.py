"""Subjects of a benchmark by name from the package registry pip is set up with, unpacked, kept for the next time."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

from bench._scene import ROOT, Scene

# Beside the environment of `make bench`: out of git, and away with `make clean`.
KEPT = ROOT / ".bench-venv" / "subjects"
FETCH_TIMEOUT_S = 600
UNREACHABLE = "Not measured: {} could not be fetched from a package registry."


def wheels(wanted: Iterable[str]) -> dict[str, Path]:
    """`name==version` -> its wheel unpacked; what cannot be had is left out."""
    return {one: folder for one in wanted if (folder := fetched(one, "--only-binary"))}


def sdists(wanted: Iterable[str]) -> dict[str, Path]:
    """`name==version` -> its source distribution unpacked; what cannot be had is left out."""
    return {one: folder for one in wanted if (folder := fetched(one, "--no-binary"))}


def fetched(wanted: str, kind: str) -> Path | None:
    place = KEPT / kind.strip("-") / wanted.replace("==", "-")
    if place.is_dir():
        return place
    loading = place.with_name(f"{place.name}.{os.getpid()}.part")
    loading.mkdir(parents=True)
    try:
        words = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "-q",
            "--no-deps",
            kind,
            ":all:",
            "-d",
            str(loading),
        ]
        done = subprocess.run([*words, wanted], capture_output=True, timeout=FETCH_TIMEOUT_S, check=False)
        found = sorted(loading.iterdir())
        if done.returncode or len(found) != 1:
            return None
        unpack(found[0], loading / "files").rename(place)
    except (OSError, subprocess.TimeoutExpired, tarfile.TarError, zipfile.BadZipFile):
        return None
    finally:
        shutil.rmtree(loading, ignore_errors=True)
    return place


def unpack(archive: Path, folder: Path) -> Path:
    """The folder with the files: a source distribution has one of its own."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            wheel.extractall(folder)
        return folder
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    (only,) = folder.iterdir()
    return only


def commit_all(scene: Scene, message: str) -> None:
    """Everything in the repository's folder, whatever its own ignore files say."""
    scene.git("add", "-A", "-f")
    scene.git("commit", "-q", "-m", message)


def repository_of(folder: Path, files: Path) -> Scene:
    """A repository with one commit that holds `files`, with no home or settings of this machine."""
    scene = Scene(folder)
    shutil.copytree(files, scene.repo, symlinks=True)
    scene.git("init", "-q", "-b", "main", ".")
    scene.git("config", "user.name", "Ada Tester")
    scene.git("config", "user.email", "ada@example.com")
    scene.git("config", "gc.auto", "0")
    commit_all(scene, "first")
    return scene
