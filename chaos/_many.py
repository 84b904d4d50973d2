"""Several injections at a time, and a home of its own for all of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from burnish.errors import BurnishError
from chaos.section import Tally

T = TypeVar("T")
AT_ONCE = 3


@contextmanager
def alone(folder: Path) -> Iterator[Path]:
    """No section sees this machine's home, git configuration or Burnish state; gives the home."""
    before = dict(os.environ)
    home = folder / "home"
    home.mkdir(exist_ok=True)
    for name in [name for name in before if name.startswith(("GIT_", "BURNISH_", "XDG_"))]:
        del os.environ[name]
    os.environ |= {"HOME": str(home), "GIT_CONFIG_GLOBAL": str(home / "gitconfig"), "NO_COLOR": "1"}
    os.environ |= {"GIT_CONFIG_NOSYSTEM": "1", "BURNISH_STATE": str(home / "state")}
    try:
        yield home
    finally:
        os.environ.clear()
        os.environ.update(before)


def inject(
    tally: Tally, work: Callable[[T], None], what: Iterable[tuple[str, T]], at_once: int = AT_ONCE
) -> None:
    """`work` on each thing, some at a time; what it raises is how that one fell. Counted in the given order."""

    def attempt(named: tuple[str, T]) -> tuple[str, str]:
        try:
            work(named[1])
        except (AssertionError, BurnishError, OSError) as error:
            return named[0], " ".join(f"{type(error).__name__}: {error}".split())[:300]
        return named[0], ""

    with ThreadPoolExecutor(at_once) as pool:
        for name, why in pool.map(attempt, what):
            if why:
                tally.fall(name, why)
            else:
                tally.survive(name)
