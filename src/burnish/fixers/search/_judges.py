"""Which files judge the program, wherever they lie: what the test command starts, tests, their helpers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath

from burnish.fixers.search._code import tree_of

MOST_BYTES = 64 * 1024
MOST_SCRIPTS = 20
# `python checks.py`, `python -m checks.run`: what a test command starts is the judge itself.
_SCRIPT = re.compile(r"(?<![\w./-])(?:\./)?([\w./-]+\.py)\b")
_MODULE = re.compile(r"-m\s+([\w.]+)")
_WORD = re.compile(r"[\w./-]+")
_MAKEFILES = ("GNUmakefile", "makefile", "Makefile")


def started_by(command: str, root: Path) -> tuple[str, ...]:
    """The Python files that a test command starts, also through scripts and Makefiles, by their paths.

    Examples in docstrings judge the file they are in, which is the one to repair.
    """
    found: dict[str, None] = {}
    for words in _commands(command, root):
        if "doctest" in words:
            continue
        found.update(dict.fromkeys(_SCRIPT.findall(words)))
        for name in _MODULE.findall(words):
            path = name.replace(".", "/")
            found.update(dict.fromkeys((f"{path}.py", f"{path}/__main__.py")))
    return tuple(name for name in found if (root / name).is_file())


def _commands(command: str, root: Path) -> list[str]:
    """The command, and the text of whatever in the repository it goes through."""
    waiting, seen = [command], [command]
    while waiting and len(seen) < MOST_SCRIPTS:
        words = waiting.pop()
        for more in (*_recipes(words, root), *_scripts(words, root)):
            if more not in seen:
                seen.append(more)
                waiting.append(more)
    return seen


def _scripts(words: str, root: Path) -> Iterator[str]:
    if re.search(r"\btox\b", words):
        yield _text(root / "tox.ini")
    for name in _WORD.findall(words):
        path = root / name
        if path.suffix != ".py" and not name.startswith("/") and path.is_file():
            yield _text(path)


def _recipes(words: str, root: Path) -> Iterator[str]:
    """What make does for the targets that are named, and for those that these need."""
    if not re.search(r"\bmake\b", words):
        return
    text = next((_text(root / name) for name in _MAKEFILES if (root / name).is_file()), "")
    targets = [word for word in _WORD.findall(words) if word != "make"]
    for target in targets:
        for rule in re.finditer(rf"^{re.escape(target)}\s*:([^=\n]*)\n((?:[ \t].*\n?)*)", text, re.M):
            yield rule[2]
            yield f"make {rule[1]}"


def _text(path: Path) -> str:
    try:
        data = path.read_bytes()[:MOST_BYTES]
    except OSError:
        return ""
    return "" if b"\0" in data else data.decode("utf8", "replace")


def judges_among(texts: Mapping[str, str], tests: Iterable[str], known: Mapping[str, str]) -> frozenset[str]:
    """Which of some files are no part of the program: those with the tests that ran, and what only they use.

    `tests` are names as runners print them, `known` the judges that are known already, by file.
    """
    names = tuple(tests)
    words = frozenset(word for name in names for word in re.findall(r"\w+", name))
    trees = {file: tree_of(text) for file, text in {**texts, **known}.items()}
    found = set(known)
    for file in texts:
        if _by_name(file, names) or _functions(trees[file]) & words & {
            one for one in words if one[:4] == "test"
        }:
            found.add(file)
    users = {file: _users(file, trees) for file in texts}
    while more := {file for file in texts if file not in found and _helps(file, users[file], found)}:
        found |= more
    return frozenset(found) & frozenset(texts)


def _helps(file: str, users: set[str], judges: set[str]) -> bool:
    """Whether only judges use it, and it lies among them; what lies elsewhere is the program they judge."""
    folder = str(PurePosixPath(file).parent)
    beside = folder != "." and any(str(PurePosixPath(one).parent) == folder for one in users & judges)
    return beside and users <= judges


def _by_name(file: str, tests: Iterable[str]) -> bool:
    """`checks/a.py::test_x`, `checks.a.Case.test_x` are in checks/a.py; `a.py::a.f` is a docstring of it."""
    dotted = file.removesuffix(".py").replace("/", ".")
    for name in tests:
        path, parted, test = name.partition("::")
        if parted and path == file and "." not in test.partition("[")[0]:
            return True
        if re.search(rf"(?:^|[ (]){re.escape(dotted)}\.\w+\.test", name):
            return True
    return False


def _users(file: str, trees: Mapping[str, ast.Module]) -> set[str]:
    return {other for other, tree in trees.items() if other != file and _imports(tree, file, other)}


def _imports(tree: ast.Module, file: str, by: str) -> bool:
    stem = file.removesuffix("/__init__.py").removesuffix(".py")
    for node in ast.walk(tree):
        modules: list[str] = []
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = PurePosixPath(by).parent.as_posix().replace("/", ".") + "." if node.level else ""
            base = f"{above}{node.module or ''}".strip(".")
            modules = [base, *(f"{base}.{alias.name}".strip(".") for alias in node.names)]
        if any(
            stem == (path := name.replace(".", "/")) or stem.endswith(f"/{path}") for name in modules if name
        ):
            return True
    return False


def _functions(tree: ast.Module) -> set[str]:
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
