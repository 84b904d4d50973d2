"""What build tools do for their targets: recipes of Makefiles, package scripts, task files."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from burnish import codec
from burnish.gates.programs import Call
from burnish.gates.shell_words import joined

if TYPE_CHECKING:
    from burnish.gates.reached import Tree

_MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
_INCLUDE = re.compile(r"^[ \t]*[-s]?include[ \t]+(\S[^\n#]*)", re.MULTILINE)
_SETTING = re.compile(r"^(?:export[ \t]+)?([\w.]+)[ \t]*[:?+]?:?=[ \t]*([^\n]*)", re.MULTILINE)
_RULE = re.compile(r"^([^\s#:=][^:=\n]{0,500}?)[ \t]*::?(?!=)[ \t]*([^\n=]{0,2000})$")
_MOST_TARGETS = 500
# Files that a program reads by itself, of which some are no settings by their name alone.
_READS: dict[str, tuple[str, ...]] = {
    "mvn": ("pom.xml",), "mvnw": ("pom.xml",), "gradle": ("build.gradle", "build.gradle.kts",
    "settings.gradle",
    "settings.gradle.kts", "gradle.properties"), "ant": ("build.xml",), "ctest": ("CMakeLists.txt",), "cmake":
    ("CMakeLists.txt", "CMakePresets.json"), "meson": ("meson.build",), "mix": ("mix.exs",
    "test/test_helper.exs"),
    "scons": ("SConstruct",), "inv": ("tasks.py",), "invoke": ("tasks.py",), "fab": ("fabfile.py",),
    "bazel": ("BUILD",
    "BUILD.bazel"), "sbt": ("build.sbt",), "lein": ("project.clj",), "zig": ("build.zig",),
    "cabal": ("cabal.project",),
    "docker": ("Dockerfile", "compose.yaml", "docker-compose.yml"),
    "pre-commit": (".pre-commit-config.yaml",),
    "rebar3": ("rebar.config",), "swift": ("Package.swift",), "dune": ("dune-project", "dune"),
    "prove": (".proverc",),
    "rspec": (".rspec",), "mocha": (".mocharc.json",), "bats": (), "tox": ("tox.ini",),
    "gradlew": ("build.gradle",
    "build.gradle.kts", "settings.gradle"),
}  # fmt: skip
_TASK_FILES = {
    "just": ("justfile", "Justfile", ".justfile"), "task": ("Taskfile.yml", "Taskfile.yaml",
    "Taskfile.dist.yml"),
    "go-task": ("Taskfile.yml",), "tox": ("tox.ini", "tox.toml"), "nox": ("noxfile.py",),
    "rake": ("Rakefile",),
    "pre-commit": (".pre-commit-config.yaml",), "inv": ("tasks.py",), "invoke": ("tasks.py",),
    "doit": ("dodo.py",),
    "poe": ("pyproject.toml",), "taskipy": ("pyproject.toml",), "hatch": ("pyproject.toml",),
    "pdm": ("pyproject.toml",),
    "lefthook": ("lefthook.yml",), "act": (".github/workflows/ci.yml",), "earthly": ("Earthfile",),
}  # fmt: skip
_PACKAGE = ("npm", "yarn", "pnpm", "bun")
# Programs that only start what their files say.
DRIVERS = frozenset({"make", "gmake", "bmake", "remake", *_PACKAGE, *_TASK_FILES})
_LINE_START = re.compile(
    r"^[ \t]*(?:[-*@+]|\w[\w-]*[ \t]*[:=]|session\.run\(|sh\b)*[ \t]*[\"'\[]*", re.MULTILINE
)


def started(call: Call, folder: str, tree: Tree) -> Iterator[tuple[str, str]]:
    """The shell texts that a build tool runs for its targets, and the folder of each."""
    if call.program in ("make", "gmake", "bmake", "remake"):
        yield from _made(call, folder, tree)
    elif call.program in _PACKAGE or (call.program in ("node", "nodejs") and "--run" in call.rest):
        yield from _package(call, folder, tree)
    elif call.program == "composer":
        yield from (
            (text, folder) for text in _strings(_parsed(tree, joined(folder, "composer.json")).get("scripts"))
        )
    for name in _TASK_FILES.get(call.program, ()):
        text = tree.text(joined(folder, name))
        if text:
            yield (
                _LINE_START.sub("", text[:65_536]).replace('"', "").replace("'", "").replace(",", " "),
                folder,
            )


def read_by(call: Call, folder: str, tree: Tree) -> Iterator[str]:
    """Files that a program reads without being told to, and what the Makefiles of make include."""
    for name in _READS.get(call.program, ()):
        yield joined(folder, name)
    if call.program in ("make", "gmake", "bmake", "remake"):
        place, names, _ = _make_arguments(call, folder)
        for name in names or _MAKEFILES:
            yield joined(place, name)
            yield from (joined(place, each) for each in _included(tree.text(joined(place, name)) or ""))


def _make_arguments(call: Call, folder: str) -> tuple[str, list[str], list[str]]:
    """Where make works, its files and its targets."""
    names, targets = list[str](), list[str]()
    words = iter(call.rest)
    for word in words:
        flag, _, value = word.partition("=")
        if flag in ("-C", "--directory") or re.fullmatch(r"-C\S+", word):
            folder = joined(
                folder, value or (word[2:] if flag not in ("-C", "--directory") else next(words, ""))
            )
        elif flag in ("-f", "--file", "--makefile") or re.fullmatch(r"-f\S+", word):
            names.append(
                value or (word[2:] if flag not in ("-f", "--file", "--makefile") else next(words, ""))
            )
        elif word in ("-I", "-o", "-W", "-j", "-l") and word != "-j":
            next(words, "")
        elif not word.startswith("-") and "=" not in word and not word.isdigit():
            targets.append(word)
    return folder, names, targets


@lru_cache(maxsize=8)
def _included(text: str) -> tuple[str, ...]:
    variables = dict(_SETTING.findall(text))
    return tuple(
        re.sub(r"\$[({](\w+)[)}]", lambda match: variables.get(match[1], match[0]), name)
        for found in _INCLUDE.findall(text)
        for name in found.split()
    )


def _made(call: Call, folder: str, tree: Tree) -> Iterator[tuple[str, str]]:
    place, names, targets = _make_arguments(call, folder)
    texts = []
    for name in names or _MAKEFILES:
        text = tree.text(joined(place, name))
        if text is not None:
            texts += [text, *(tree.text(joined(place, other)) or "" for other in _included(text))]
            if not names:
                break
    whole = "\n".join(texts)
    variables, rules = _read_makefile(whole)
    wanted, done = targets or [next(iter(rules), "")], set[str]()
    known = all(target in rules for target in wanted)
    while wanted and len(done) < _MOST_TARGETS:
        target = wanted.pop()
        if target not in done and target in rules:
            done.add(target)
            wanted += [need for needs, _ in rules[target] for need in _expanded(needs, variables).split()]
    patterns = [target for target in rules if "%" in target]
    for target in dict.fromkeys((*done, *patterns)) if known else rules:
        yield from ((_expanded(recipe, variables), place) for _, recipe in rules[target])


@lru_cache(maxsize=8)
def _read_makefile(text: str) -> tuple[dict[str, str], dict[str, list[tuple[str, str]]]]:
    return dict(_SETTING.findall(text)), _rules(text.replace("\\\n", " "))


def _rules(text: str) -> dict[str, list[tuple[str, str]]]:
    """Target -> what it needs and its recipe, for each rule that names it."""
    found: dict[str, list[tuple[str, str]]] = {}
    current: list[str] = []
    for line in text.split("\n"):
        if line.startswith("\t"):
            recipe = line.lstrip("\t @+-")
            for target in current:
                needs, before = found[target][-1]
                found[target][-1] = (needs, f"{before}{recipe}\n")
        elif rule := _RULE.match(line):
            needs, _, inline = rule[2].partition(";")
            current = [target for target in rule[1].split() if target != ".PHONY"]
            for target in current:
                found.setdefault(target, []).append((needs, f"{inline}\n" if inline else ""))
    return found


def _expanded(text: str, variables: dict[str, str]) -> str:
    for _ in range(3):  # a variable may be made of others
        text = re.sub(
            r"\$[({](\w+)[)}]", lambda match: variables.get(match[1], match[0])[:2000], text[:65_536]
        )
    return text.replace("$$", "$").replace("$(MAKE)", "make").replace("${MAKE}", "make")


def _package(call: Call, folder: str, tree: Tree) -> Iterator[tuple[str, str]]:
    """The scripts that are named, or one of those with a name of their own,
    with what runs before and after."""
    words = list(call.rest)
    for flag in ("--prefix", "-C", "--cwd", "--dir"):
        if flag in words[:-1]:
            folder = joined(folder, words[words.index(flag) + 1])
    scripts = _parsed(tree, joined(folder, "package.json")).get("scripts")
    if not isinstance(scripts, dict):
        return
    named = [word for word in words if word in scripts]
    named += ["test"] if {"t", "tst", "cit", "it"} & set(words) else []
    for name in named:
        for each in (f"pre{name}", name, f"post{name}"):
            if isinstance(text := scripts.get(each), str):
                yield text, folder


def _parsed(tree: Tree, path: str) -> dict[str, Any]:
    try:
        found = codec.loads(tree.text(path) or "{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _strings(each)


def pytest_globs(tree: Tree) -> Iterator[str]:
    """Tests of other names, as the base's own settings of pytest have them."""
    for name in ("pytest.ini", ".pytest.ini", "tox.ini", "setup.cfg", "pytest.toml", "pyproject.toml"):
        text = tree.text(name) or ""
        for match in re.finditer(
            r"^python_files[ \t]*=[ \t]*([^\n]*(?:\n[ \t]+[^\n]+)*)", text, re.MULTILINE
        ):
            yield from (f"**/{glob}" for glob in _words(match[1]) if glob.endswith(".py") and glob != "*.py")
    try:
        options = tomllib.loads(tree.text("pyproject.toml") or "")
    except (tomllib.TOMLDecodeError, RecursionError):
        return
    found: Any = options
    for key in ("tool", "pytest", "ini_options", "python_files"):
        found = found.get(key, {}) if isinstance(found, dict) else {}
    yield from (f"**/{glob}" for glob in _strings(found) for glob in glob.split() if glob != "*.py")


def _words(text: str) -> Iterable[str]:
    return re.findall(r"[\w*?./\[\]-]+", text)
