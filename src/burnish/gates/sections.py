"""Files of several purposes: what runners and linters read as the base has it, the rest as the change has
it.

Tables are moved as text, so that comments and order stay; the result is read again and must say exactly
that. Where it does not (an inline table, a header inside a string), the base's whole file is used.
"""

from __future__ import annotations

import configparser
import re
import tomllib
from collections.abc import Callable
from typing import Any

from burnish import codec

MAX_BYTES = 1024 * 1024
# Tools of pyproject.toml that package or release and judge nothing. Every other one keeps the base's
# settings.
_PACKAGERS = frozenset({
    "poetry", "setuptools", "setuptools_scm", "flit", "pdm", "uv", "hatch", "maturin", "scikit-build",
    "cibuildwheel",
    "bumpversion", "bumpver", "commitizen", "towncrier", "semantic_release", "versioningit",
    "check-manifest", "rye",
    "briefcase", "dynamic", "hatch-vcs", "meson-python", "distutils", "wheel", "jupytext", "conda-lock",
    "pixi",
})  # fmt: skip
_SCRIPTS = {"hatch": ("envs",), "pdm": ("scripts",), "rye": ("scripts",), "pixi": ("tasks", "feature")}
_CARGO = frozenset({"test", "bench", "lints", "profile"})
_CARGO_KEYS = ("test", "doctest", "doc-test", "harness", "autotests", "autobenches", "bench")
_PACKAGE_KEYS = frozenset({
    "jest", "mocha", "ava", "nyc", "c8", "tap", "vitest", "jasmine", "eslintConfig", "eslintIgnore",
    "prettier",
    "stylelint", "xo", "standard", "lint-staged", "husky", "babel", "wireit", "nx", "pre-commit",
    "size-limit", "oxlint",
    "biome", "imports", "simple-git-hooks", "cypress", "tsd", "bunfig", "config",
})  # fmt: skip
_INI_PACKAGING = re.compile(
    r"(?:metadata|options(?:\..*)?|bdist_\w+|sdist|egg_info|build_\w+|upload\w*|install\w*)"
)
_HEADER = re.compile(r"^[ \t]*\[{1,2}[ \t]*([^\]\n]+?)[ \t]*\]{1,2}[ \t]*(?:#[^\n]*)?$")
_KEY_PART = re.compile(r"""["']([^"']*)["']|([^.\s]+)""")
Parsed = dict[str, Any]


def merged(path: str, base: bytes | None, change: bytes) -> bytes | None:
    """The change's file with the judging parts of the base's; None for the base's own file, or for none."""
    name = path.rpartition("/")[2]
    if max(len(base or b""), len(change)) > MAX_BYTES:
        return base
    try:
        old, new = (base or b"").decode("utf8"), change.decode("utf8")
        if name.endswith(".json"):
            return _json(name, old, new).encode()
        split = _pyproject if name == "pyproject.toml" else _cargo if name == "Cargo.toml" else _setup
        return _tables(old, new, split).encode()
    except (ValueError, RecursionError, configparser.Error):
        return base


def _tables(old: str, new: str, split: Callable[[str], tuple[Parsed, Parsed]]) -> str:
    """Raises ValueError when moving the text of tables does not give the result that is meant."""
    judges, _ = split(old)
    own, rest = split(new)
    if own == judges:
        return new
    kept = [text for name, text in _chunks(new) if not split(f"{text}\n")[0] or not name]
    taken = [text for name, text in _chunks(old) if name and split(f"{text}\n")[0]]
    result = "".join(f"{text.rstrip()}\n\n" for text in (*kept, *taken) if text.strip())
    if split(result) != (judges, rest):
        raise ValueError("the tables of this file cannot be told apart")
    return result


def _chunks(text: str) -> list[tuple[str, str]]:
    """The text before the first header under an empty name, then each table with its header."""
    found: list[tuple[str, list[str]]] = [("", [])]
    for line in text.split("\n"):
        if head := _HEADER.match(line):
            found.append((head[1], []))
        found[-1][1].append(line)
    return [(name, "\n".join(lines)) for name, lines in found]


def _pyproject(text: str) -> tuple[Parsed, Parsed]:
    """What judges, and the rest."""
    rest = tomllib.loads(text)
    judges: Parsed = {}
    tools = rest.get("tool", {})
    for name in list(tools) if isinstance(tools, dict) else []:
        if name not in _PACKAGERS:
            judges[name] = tools.pop(name)
        elif isinstance(tools[name], dict):
            for key in _SCRIPTS.get(name, ()):
                if key in tools[name]:
                    judges[f"{name}.{key}"] = tools[name].pop(key)
            if not tools[name]:
                del tools[name]
    if tools == {}:
        rest.pop("tool", None)
    points = rest.get("project", {}).get("entry-points", {})
    if "pytest11" in points:
        judges["pytest11"] = points.pop("pytest11")
    return judges, rest


def _cargo(text: str) -> tuple[Parsed, Parsed]:
    rest = tomllib.loads(text)
    judges: Parsed = {name: rest.pop(name) for name in list(rest) if name in _CARGO}
    if "lints" in rest.get("workspace", {}):
        judges["workspace.lints"] = rest["workspace"].pop("lints")
        if not rest["workspace"]:
            del rest["workspace"]
    for table in ("package", "lib"):
        for key in _CARGO_KEYS:
            if key in rest.get(table, {}):
                judges[f"{table}.{key}"] = rest[table].pop(key)
    return judges, rest


def _setup(text: str) -> tuple[Parsed, Parsed]:
    parser = configparser.RawConfigParser(strict=True, default_section="\0")
    parser.read_string(text)
    judges, rest = Parsed(), Parsed()
    for name in parser.sections():
        packaging = _INI_PACKAGING.fullmatch(name) and "pytest11" not in parser[name]
        (rest if packaging else judges)[name] = dict(parser[name])
    return judges, rest


def _json(name: str, old: str, new: str) -> str:
    """Scripts of the base stay; new ones are added, but none that runs before or after one of the base's."""
    before, after = codec.loads(old or "{}"), codec.loads(new)
    if not isinstance(before, dict) or not isinstance(after, dict):
        raise ValueError("expected an object")
    result = {key: value for key, value in after.items() if key not in _PACKAGE_KEYS}
    result |= {key: before[key] for key in _PACKAGE_KEYS if key in before}
    scripts = before.get("scripts", {})
    own = after.get("scripts", {})
    if isinstance(scripts, dict) and isinstance(own, dict):
        hooks = {f"{when}{script}" for when in ("pre", "post") for script in {*scripts, "install", "test"}}
        added = {key: value for key, value in own.items() if key not in scripts and key not in hooks}
        result["scripts"] = {**scripts, **added}
    else:
        result["scripts"] = scripts
    if not result["scripts"] and "scripts" not in after:
        del result["scripts"]
    return new if result == after else codec.dumps(result, indent=2) + "\n"
