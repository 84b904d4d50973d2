"""Which files judge a change, by their names: tests, settings of runners and linters, what shadows a
runner.

A file that the gate's own command line reaches is a judge too, whatever its name: see `reached.py`.
"""

from __future__ import annotations

import tomllib
from importlib.resources import files

_TABLE = tomllib.loads(files("burnish.gates").joinpath("judges.toml").read_text("utf8"))


def _listed(name: str) -> tuple[str, ...]:
    return tuple(_TABLE[name].split())


TESTS = _listed("tests")
# What decides how the judges work. Also files that the base does not have: a green that needs them is none.
_SETTINGS = ("building", "python", "javascript", "others", "leftovers", "soft")
SETTINGS = tuple(glob for name in _SETTINGS for glob in _listed(name))
INTRUDERS = _listed("intruders")
SHARED = _listed("shared")
_MODULES = (*_listed("runner_modules"), *_listed("standard_modules"))
_IMPORT_ROOTS = ("", "src/", "lib/", "python/")
_MODULE_FILES = (".py", "/__init__.py", ".so", ".*.so")


def shadows(roots: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Globs of modules that come before a runner's own where the project or one of `roots` is on the path."""
    further = (f"{root.strip('/')}/" for root in roots if root.strip("/."))
    every = dict.fromkeys((*_IMPORT_ROOTS, *further))
    return tuple(f"{root}{name}{end}" for root in every for name in _MODULES for end in _MODULE_FILES)
