"""What scripts and tests of the base refer to: files that they import or name."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from burnish.gates.shell_words import joined

if TYPE_CHECKING:
    from burnish.gates.reached import Tree

MAX_TESTS = 2_000
CODE = (".py", ".js", ".mjs", ".cjs", ".ts", ".mts", ".rb", ".pl", ".pm", ".php", ".lua", ".sh", ".bash")
STRING = re.compile(r"""["'`]([^"'`\n]{1,300})["'`]""")
_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+\(?([\w, ]*)|import[ \t]+([\w., ]+))", re.MULTILINE
)
_REQUIRE = re.compile(
    r"""(?:require|require_relative|import|load|do|from|include)[ \t(]*["'](\.{0,2}[\w./-]+)["']"""
)
_USE = re.compile(r"^[ \t]*(?:use|require)[ \t]+([A-Z]\w*(?:::\w+)+)", re.MULTILINE)
_SOURCE = re.compile(
    r"\.(?:py|[cm]?[jt]sx?|rb|p[lm]|t|php|lua|sh|bash|bats|go|rs|java|kt|kts|cs|swift|scala|c|cc|cpp|h|hpp|exs?|dart|vue|m|mm)$"
)
_TEST = re.compile(
    r"(?:^|/)(?:t|xt|tests?|specs?|__tests__|e2e|features)/|(?:^|/)(?:tests?|specs?)[._-]|[._-](?:tests?|specs?)\."
    r"|(?:Tests?|Spec|IT|TestCase)\.\w+$|(?:^|/)conftest\.py$",
)
# Helpers of tests that lie in the product, by the last parts of their paths.
_HELPER = re.compile(
    r"(?:^|[/._-])(?:testing|tests?|test[._-]?(?:utils?|helpers?|support|tools?|lib|kit|base|cases?|doubles?)|"
    r"spec[._-]?helpers?|assert\w*|expectations?|fixtures?|factories|harness|mocks?|fakes?|conftest|goldens?)(?=$|[/._-])",
    re.IGNORECASE,
)
# What a result is compared with, by a part of its path.
_GOLDEN = re.compile(
    r"(?:^|[/._-])(?:goldens?|golden[_-]?files?|expected|expectations?|expect|snapshots?|snaps?|fixtures?|test[_-]?data|"
    r"approved|approvals?|baselines?|cassettes|wanted|want|vectors?)(?=$|[/._-])",
    re.IGNORECASE,
)
_EXAMPLE_SETTINGS = (
    "pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml", "tox.ini", "setup.cfg", "pyproject.toml",
)  # fmt: skip
_EXAMPLES = re.compile(r"--doctest|import doctest|from doctest|doctest_(?:plus|optionflags)|xdoctest|sybil")


def referred(path: str, text: str, names: frozenset[str]) -> Iterator[str]:
    """Files of the repository that a script imports or names."""
    own = path.rpartition("/")[0]
    for name in _wanted(text):
        for candidate in (joined(own, name), joined("", name), joined("src", name), joined("lib", name)):
            if candidate in names and candidate != path:
                yield candidate
                break


def _wanted(text: str) -> Iterable[str]:
    wanted = [match[1] for match in STRING.finditer(text)]
    for match in _IMPORT.finditer(text):
        first = [f"{match[1]}.{name.strip()}" for name in (match[2] or "").split(",")] if match[1] else []
        for name in (*first, match[1] or "", *(match[3] or "").split(",")):
            module = name.split(" as ")[0].strip().strip(".").replace(".", "/")
            wanted += [f"{module}.py", f"{module}/__init__.py"] if module else []
    for match in _REQUIRE.finditer(text):
        wanted += [match[1], *(f"{match[1]}{ending}" for ending in CODE), f"{match[1]}/index.js"]
    wanted += [f"{match[1].replace('::', '/')}.pm" for match in _USE.finditer(text)]
    return dict.fromkeys(wanted)


def of_tests(tree: Tree, names: frozenset[str], globs: tuple[str, ...]) -> Iterator[str]:
    """Helpers that the base's tests import, where their names say so, and what they compare with."""
    helpers = [name for name in names if _SOURCE.search(name) and _HELPER.search(name)]
    endings: dict[str, list[str]] = defaultdict(list)
    for name in helpers:
        endings[name.rpartition("/")[2]].append(name)
    said: set[str] = set()
    waiting, seen = [name for name in sorted(names) if _is_test(name, globs)][:MAX_TESTS], set[str]()
    while waiting and len(seen) < 2 * MAX_TESTS:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        text = tree.text(path) or ""
        said.update(part for match in STRING.finditer(text) for part in match[1].split("/"))
        for found in _helpers(path, text, names, endings):
            yield found
            waiting.append(found)
    yield from (name for name in names if _is_golden(name, said))


def _helpers(path: str, text: str, names: frozenset[str], endings: dict[str, list[str]]) -> Iterator[str]:
    for found in referred(path, text, names):
        if _SOURCE.search(found) and _HELPER.search(found):
            yield found
    for name in _wanted(text):  # below any folder that is on the path of imports
        last = f"/{name.strip('./')}"
        yield from (found for found in endings.get(name.rpartition("/")[2], ()) if found.endswith(last))


def _is_test(name: str, globs: tuple[str, ...]) -> bool:
    if not _SOURCE.search(name):
        return False
    return bool(_TEST.search(name)) or any(
        fnmatchcase(name, glob) or fnmatchcase(name, glob.removeprefix("**/")) for glob in globs
    )


def _is_golden(name: str, said: set[str]) -> bool:
    """Data whose path says that a result is compared with it, and that a test names by folder or name."""
    if _SOURCE.search(name) or not _GOLDEN.search(name):
        return False
    parts = name.split("/")
    stem = parts[-1].partition(".")[0]
    return parts[-1] in said or stem in said or any(_GOLDEN.search(part) and part in said for part in parts)


def runs_examples(tree: Tree, names: frozenset[str]) -> bool:
    """Whether the base's own settings or tests have examples in the documentation run as tests."""
    tests = (name for name in sorted(names) if name.endswith(".py") and _TEST.search(name))
    some = [name for name, _ in zip(tests, range(MAX_TESTS), strict=False)]
    wanted = (*_EXAMPLE_SETTINGS, *some)
    return any(_EXAMPLES.search(tree.text(name) or "") for name in wanted)
