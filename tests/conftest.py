"""What every test gets: a home, a state folder and git settings of its own, and real repositories."""

from __future__ import annotations

import gc
import itertools
import os
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pydantic  # noqa: F401 - ours is imported when first needed: no test shall pay for it within its deadline
import pytest
from hypothesis import settings

from tests.repos import Files, TestRepo, make_repo

# A machine that is busy with something else must not turn a test red.
settings.register_profile("busy", deadline=None)
settings.load_profile("busy")


def pytest_configure() -> None:
    """Under nohup or in the background some signals are ignored, by everybody we start as well: not here."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        signal.signal(signal.SIGQUIT, signal.SIG_DFL)
        if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish() -> None:
    """Thousands of collected tests stay to the end: no search for garbage shall look through them again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Folders that are not there yet. A folder of their own for all: pytest looks through its own for each test."""
    folder = tmp_path_factory.mktemp("homes")
    return (folder / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def isolated_environment(homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test sees this machine's home, git configuration or Burnish state; the folder is the home."""
    home = next(homes)
    home.mkdir()
    # Nor its keys: an agent that is installed here must not be taken for ready, and asked.
    private = ("GIT_", "BURNISH_", "XDG_", "ANTHROPIC_", "CLAUDE_", "OPENAI_", "CODEX_")
    for name in [name for name in os.environ if name.startswith(private)]:
        monkeypatch.delenv(name)
    for name in ("CONFIG", "STATE", "CACHE", "DATA"):
        monkeypatch.setenv(f"XDG_{name}_HOME", os.fspath(home / name.lower()))
    monkeypatch.setenv("HOME", os.fspath(home))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.fspath(home / "gitconfig"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("BURNISH_STATE", os.fspath(home / "burnish-state"))
    return home


@pytest.fixture
def repo(tmp_path: Path) -> Callable[..., TestRepo]:
    """`repo({"app.py": "..."})`: a fresh repository with one commit; `repo()`: one without any."""
    made: list[TestRepo] = []

    def make(files: Files | None = None, *, name: str = "", object_format: str = "sha1") -> TestRepo:
        folder = tmp_path / (name or ("repo" if not made else f"repo-{len(made) + 1}"))
        made.append(make_repo(folder, files, object_format=object_format))
        return made[-1]

    return make
