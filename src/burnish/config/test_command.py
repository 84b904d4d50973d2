"""How a repository is tested, found by looking at its files; nothing of it is run.

For Python the command is `python -m pytest -q`, with the `python` that stands beside the `pytest` on PATH:
that is the environment the developer works in. A `.venv` of the repository is not used, because gates and
reviews run in a fresh copy that does not have it; nor is our own interpreter, which knows nothing of the
project's dependencies. Where pytest or a dependency is missing the run says so, and the tests count as not
assessed.

tox, nox and make come after the language's own way: they mostly build environments over the network first.
"""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from burnish import codec

Read = Callable[[str], str | None]
Which = Callable[[str], str | None]
PLACEHOLDER = "no test specified"
LOCKS = {
    "pnpm-lock.yaml": "pnpm test",
    "yarn.lock": "yarn test",
    "bun.lockb": "bun run test",
    "bun.lock": "bun run test",
}
MANIFESTS = (
    *(
        "pyproject.toml",
        "setup.py",
        "setup.cfg",
        "pytest.ini",
        "package.json",
        "go.mod",
        "Cargo.toml",
        "pom.xml",
    ),
    *("build.gradle", "build.gradle.kts", "tox.ini", "noxfile.py", "Makefile", "GNUmakefile", "makefile"),
)
MAX_LOOKED_AT = 40
_TEST_FILE = re.compile(r"(^|/)(test_[^/]+|[^/]+_test)\.py$")
_MAKE_TEST = re.compile(r"^test\s*:(?!=)", re.M)


@dataclass(frozen=True)
class TestCommand:
    """A command line for a shell, and the sign by which it was chosen."""

    __test__ = False

    command: str
    why: str


@dataclass(frozen=True)
class Folder:
    """One folder of a tree, seen as if it were the whole."""

    read: Read
    paths: frozenset[str]
    which: Which

    def text(self, name: str) -> str:
        return (self.read(name) or "") if name in self.paths else ""

    def has(self, name: str) -> bool:
        return name in self.paths


def find_test_command(read: Read, paths: Iterable[str], which: Which) -> TestCommand | None:
    """The test command of a tree, or None. `read` gives a file's text, `which` a program's place on PATH.

    Looks at the top; if nothing there tells, into the only folder below it that has a manifest of its own.
    """
    everything = frozenset(paths)
    found = _in_folder(Folder(read, everything, which))
    if found:
        return found
    below = {PurePosixPath(path).parts[0] for path in everything if _is_manifest_below(path)}
    if len(below) != 1:
        return None
    name = below.pop()
    inside = frozenset(path.removeprefix(f"{name}/") for path in everything if path.startswith(f"{name}/"))
    found = _in_folder(Folder(lambda path: read(f"{name}/{path}"), inside, which))
    if not found:
        return None
    return replace(found, command=f"cd {shlex.quote(name)} && {found.command}", why=f"{name}/{found.why}")


def worth_reading(paths: Iterable[str]) -> tuple[str, ...]:
    """The files whose text can decide: manifests at the top and one below, then some of the tests."""
    everything = sorted(paths, key=lambda path: (path.count("/"), path))
    manifests = [path for path in everything if path in MANIFESTS or _is_manifest_below(path)]
    tests = [path for path in sorted(everything) if _TEST_FILE.search(path)]
    return (*manifests[:MAX_LOOKED_AT], *tests[:MAX_LOOKED_AT])


def python_for(which: Which) -> str:
    """The interpreter beside the pytest on PATH, else PATH's own; as short as it can be written."""
    pytest = which("pytest")
    plain = which("python")
    if pytest:
        for name in ("python", "python3"):
            beside = str(Path(pytest).parent / name)
            if which(name) == beside:
                return name
            if which(beside):
                return shlex.quote(beside)
    return "python" if plain else "python3"


def _in_folder(folder: Folder) -> TestCommand | None:
    for look in (_pytest, _unittest, _javascript, _go, _cargo, _jvm, _tox, _make):
        found = look(folder)
        if found:
            return found
    return None


def _is_manifest_below(path: str) -> bool:
    parts = PurePosixPath(path).parts
    return len(parts) == 2 and parts[1] in MANIFESTS


def _pytest(folder: Folder) -> TestCommand | None:
    why = _pytest_sign(folder)
    return TestCommand(f"{python_for(folder.which)} -m pytest -q", why) if why else None


def _pytest_sign(folder: Folder) -> str:
    if folder.has("pytest.ini"):
        return "pytest.ini"
    for name, sign in (
        ("pyproject.toml", "[tool.pytest"),
        ("setup.cfg", "[tool:pytest]"),
        ("tox.ini", "[pytest]"),
    ):
        if sign in folder.text(name):
            return f"{name} has {sign.rstrip(']')}]"
    tests = _test_files(folder)
    if not tests:
        return ""
    if any(PurePosixPath(path).name == "conftest.py" for path in folder.paths):
        return "conftest.py"
    for path in tests[:MAX_LOOKED_AT]:
        text = folder.text(path)
        if "import pytest" in text or (
            "import unittest" not in text and re.search(r"^def test_", text, re.M)
        ):
            return path
    return ""


def _test_files(folder: Folder) -> list[str]:
    return sorted(path for path in folder.paths if _TEST_FILE.search(path))


def _unittest(folder: Folder) -> TestCommand | None:
    """Only tests written for unittest alone are left here; pytest runs those too, where there is one."""
    for path in _test_files(folder)[:MAX_LOOKED_AT]:
        if "unittest" not in folder.text(path):
            continue
        python = python_for(folder.which)
        if folder.which("pytest"):
            return TestCommand(f"{python} -m pytest -q", path)
        top = PurePosixPath(path).parts[0]
        start = f" -s {shlex.quote(top)} -t ." if top != path and f"{top}/__init__.py" in folder.paths else ""
        start = start or (f" -s {shlex.quote(str(PurePosixPath(path).parent))}" if top != path else "")
        return TestCommand(f"{python} -m unittest discover{start}", path)
    return None


def _javascript(folder: Folder) -> TestCommand | None:
    try:
        package: Any = codec.loads(folder.text("package.json") or "{}")
    except ValueError:
        return None
    scripts = package.get("scripts") if isinstance(package, dict) else None
    script = scripts.get("test") if isinstance(scripts, dict) else None
    if not isinstance(script, str) or not script.strip() or PLACEHOLDER in script:
        return None
    command = next((command for lock, command in LOCKS.items() if folder.has(lock)), "npm test")
    return TestCommand(command, "package.json has a script `test`")


def _go(folder: Folder) -> TestCommand | None:
    has = folder.has("go.mod") and any(path.endswith("_test.go") for path in folder.paths)
    return TestCommand("go test ./...", "go.mod") if has else None


def _cargo(folder: Folder) -> TestCommand | None:
    return TestCommand("cargo test", "Cargo.toml") if folder.has("Cargo.toml") else None


def _jvm(folder: Folder) -> TestCommand | None:
    if folder.has("pom.xml"):
        return TestCommand("sh ./mvnw -q test" if folder.has("mvnw") else "mvn -q test", "pom.xml")
    for name in ("build.gradle", "build.gradle.kts"):
        if folder.has(name):
            return TestCommand("sh ./gradlew test" if folder.has("gradlew") else "gradle test", name)
    return None


def _tox(folder: Folder) -> TestCommand | None:
    if "[tox]" in folder.text("tox.ini") or "[testenv" in folder.text("tox.ini"):
        return TestCommand("tox -q", "tox.ini")
    if _has_tox_table(folder.text("pyproject.toml")):
        return TestCommand("tox -q", "pyproject.toml has [tool.tox]")
    return TestCommand("nox", "noxfile.py") if folder.has("noxfile.py") else None


def _has_tox_table(text: str) -> bool:
    try:
        tool = tomllib.loads(text).get("tool", {})
    except ValueError:
        return False
    return isinstance(tool, dict) and "tox" in tool


def _make(folder: Folder) -> TestCommand | None:
    for name in ("GNUmakefile", "makefile", "Makefile"):
        if _MAKE_TEST.search(folder.text(name)):
            return TestCommand("make test", f"{name} has a target `test`")
    return None
