"""Every file that a gate's command line reaches: scripts that are executed and settings that are read.

The code under test is reached as well and is no judge. A script that is named on the command line is one,
unless it is all there is to test: nothing else is run, it refers to no other file of the repository, and no
part of its path says that it checks something. What a script imports is a judge where its path says so, or
where it lies beside the script in a folder of tools.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol

from burnish.gates import build_files, programs
from burnish.gates.referred import CODE, STRING, of_tests, referred, runs_examples
from burnish.gates.shell_words import Simple, joined, simple_commands

MAX_FILES = 200
MAX_COMMANDS = 2_000
MAX_WORDS = 20_000
_CHECKS = re.compile(
    r"(?:^|[/._-])(?:tests?|specs?|check\w*|verif\w+|lint\w*|ci|gates?|validat\w+|assert\w*|expect\w*|golden\w*|"
    r"snapshots?|fixtures?|harness|helpers?|baselines?|approved|runner|tools?|scripts?|smoke|e2e|qa|judges?|suites?|"
    r"run_?all|cases|reference|wanted|testing|test_?utils?|test_?support|factories)(?=$|[/._-])",
    re.IGNORECASE,
)
_WORD = re.compile(r"[a-z][\w-]{1,40}")
_ESCAPE = re.compile(r"\\[a-zA-Z]")
_INNER = re.compile(r"\$\(([^()\n]{1,500})\)|`([^`\n]{1,500})`")
# What lies there is not what a project writes, so it is not what is tested.
_VENDORED = re.compile(r"(?:^|/)(?:_?vendor(?:ed)?|third[_-]?party|externals?|deps)/")
_SHEBANG = re.compile(r"#!\s*\S*?(?:/env\s+(?:-S\s+)?)?([\w.+-]+)\s*(?:\n|\s|$)")


class Tree(Protocol):
    """The files of the base."""

    def text(self, path: str) -> str | None:
        """What a file holds, None when there is no such file that can be read as text."""
        ...

    def real(self, path: str) -> str:
        """Where a path leads through links; itself for most."""
        ...

    def names(self) -> Iterable[str]: ...


@dataclass
class Reached:
    """`files` come from the base, also those it lacks; `tests` are globs of tests; `roots` are on the path.

    `scripts` are those of `files` that are executed, `words` those that stand in them or in a command line.
    `examples`: examples in the documentation of the code are run as tests.
    """

    files: dict[str, None] = field(default_factory=dict)
    tests: dict[str, None] = field(default_factory=dict)
    roots: dict[str, None] = field(default_factory=dict)
    scripts: dict[str, None] = field(default_factory=dict)
    words: dict[str, None] = field(default_factory=dict)
    examples: bool = False


def reached(command: str, tree: Tree) -> Reached:
    """Follows scripts, Makefiles, package scripts and imports as far as they can be read."""
    reader = _Reader(tree, frozenset(tree.names()))
    reader.command(command)
    reader.settle()
    for name in build_files.pytest_globs(tree):
        reader.found.tests[name] = None
    for name in of_tests(tree, reader.names, tuple(reader.found.tests)):
        reader.read(name)
    reader.found.examples = reader.found.examples or runs_examples(tree, reader.names)
    return reader.found


class _Reader:
    def __init__(self, tree: Tree, names: frozenset[str]) -> None:
        self.tree = tree
        self.names = names
        self.folders = {name[:at] for name in names for at, char in enumerate(name) if char == "/"}
        self.found = Reached()
        self._seen: set[tuple[str, str]] = set()
        self._calls: set[tuple[tuple[str, ...], str]] = set()
        self._commands = 0
        self._programs = 0
        self._alone: dict[str, None] = {}

    def settle(self) -> None:
        """A script that tests nothing else is the program itself only where nothing else is run."""
        others = any(not _is_shell(path, self.tree.text(path) or "") for path in self.found.scripts)
        if self._programs > 1 or len(self._alone) > 1 or others:
            for path in self._alone:
                self.found.files[path] = self.found.scripts[path] = None

    def command(self, text: str, folder: str = "", own: str = "") -> None:
        """Everything that a shell text starts."""
        if (text, folder) in self._seen or len(self._seen) > MAX_FILES:
            return
        self._seen.add((text, folder))
        self._note(text)
        for simple in simple_commands(text, folder, own=own):
            self._commands += 1
            if self._commands > MAX_COMMANDS:
                return
            for name, value in simple.variables:
                if name in ("PYTHONPATH", "NODE_PATH", "PERL5LIB", "RUBYLIB"):
                    self.found.roots.update(dict.fromkeys(joined(folder, part) for part in value.split(":")))
                elif name in ("PYTEST_ADDOPTS", "NODE_OPTIONS", "PYTEST_PLUGINS"):
                    self.simple(Simple((programs.BY_VARIABLE[name], *value.split()), simple.folder))
            if simple.folder:
                self.found.roots[simple.folder] = None
            self.simple(simple)
        for inner in _INNER.finditer(text[:65_536]):
            self.command(inner[1] or inner[2], folder, own)

    def simple(self, simple: Simple) -> None:
        """One program: what it is given to execute, and what it reads by itself."""
        if (simple.words, simple.folder) in self._calls:
            return
        self._calls.add((simple.words, simple.folder))
        call = programs.read_call(simple.words)
        if call is None:
            return
        drives = call.program in programs.SHELLS or call.program in build_files.DRIVERS
        self._programs += call.program not in programs.PLAIN and not drives
        folder = joined(simple.folder, call.folder)
        for text in call.commands:
            self.command(text, folder)
        self._given(call, folder)
        for text, own in build_files.started(call, folder, self.tree):
            self.command(text, own, own)
        for name in build_files.read_by(call, folder, self.tree):
            self.read(name)

    def _given(self, call: programs.Call, folder: str) -> None:
        """Scripts, modules, settings and tests that stand on a program's command line."""
        for name in call.settings:
            self.read(joined(folder, name))
        for name in call.scripts:
            self.script(joined(folder, name), named=True)
        for name in call.modules:
            self.module(name, folder)
        for name in call.imported:
            if _CHECKS.search(name.replace(".", "/")):
                self.module(name, folder)
                self.script(joined(folder, name), named=True)
        for name in (joined(folder, word.lstrip("<>")) for word in call.rest):
            if name in self.names and _CHECKS.search(name) and not name.endswith(CODE):
                self.read(name)
        for name in call.tests:
            self.test(joined(folder, name))

    def read(self, path: str) -> None:
        """A file of settings, whether the base has it or not; of folders, those that say they check."""
        if _inside(path) and (path not in self.folders or _CHECKS.search(path)):
            self.found.files[path] = None

    def test(self, path: str) -> None:
        """A test that a runner is given: a file, a glob, or a folder whose name says that it holds tests."""
        path = path.partition("::")[0]
        if not _inside(path):
            return
        if any(mark in path for mark in "*?["):
            self.found.tests[path] = None
        elif self._known(path):
            self.script(path, named=True)
        elif _CHECKS.search(path):
            self.found.tests[f"{path}/**"] = None

    def module(self, name: str, folder: str) -> None:
        """`-m name`: a module of the repository that checks, and not the program itself."""
        path = joined(folder, name.replace(".", "/"))
        places = (joined(root, name.replace(".", "/")) for root in dict.fromkeys((folder, *self.found.roots)))
        if found := next((f"{place}.py" for place in places if self._known(f"{place}.py")), ""):
            self.script(found, named=True)
        elif _CHECKS.search(path):
            for inner in ("__main__.py", "__init__.py"):
                self.script(f"{path}/{inner}", named=True)

    def script(self, path: str, *, named: bool) -> None:
        if not _inside(path) or path in self.found.scripts or len(self.found.scripts) > MAX_FILES:
            return
        text = self.tree.text(path)
        if text is None:
            if not self._known(path):
                self.read(path)  # a program that the base builds, or a file that the change must not bring
            return
        self._note(text)
        others = list(referred(path, text, self.names))
        judges = _CHECKS.search(path) or _VENDORED.search(path) or _is_shell(path, text)
        if named and not judges and not others:
            self._alone[path] = None
            return
        for each in (path, self.tree.real(path)):
            self.found.files[each] = self.found.scripts[each] = None
        self._follow(path, text, others)

    def _follow(self, path: str, text: str, others: list[str]) -> None:
        """What a script that judges starts, imports and reads, where that judges too."""
        own = path.rpartition("/")[0]
        if _is_shell(path, text):
            self.command(text, own=own)
            return
        for other in others:
            beside = own and _CHECKS.search(own) and other.startswith(f"{own}/")
            if not (_CHECKS.search(other) or beside or other.endswith((".sh", ".bash"))):
                continue
            if other.endswith(CODE):
                self.script(other, named=False)
            else:
                self.read(other)
        for literal in STRING.finditer(text):
            if programs.starts_something(literal[1]):
                self.command(literal[1])

    def _note(self, text: str) -> None:
        """The words of a text that judges: a checker's own marks are among them."""
        self.found.examples = self.found.examples or "doctest" in text
        if len(self.found.words) < MAX_WORDS:
            self.found.words.update(dict.fromkeys(_WORD.findall(_ESCAPE.sub(" ", text[:65_536]).lower())))

    def _known(self, path: str) -> bool:
        return path in self.names


def _inside(path: str) -> bool:
    return bool(path) and not path.startswith(("/", "..", "~", "-")) and "$" not in path and "\0" not in path


def _is_shell(path: str, text: str) -> bool:
    shebang = _SHEBANG.match(text[:200])
    if shebang:
        return shebang[1] in programs.SHELLS
    return path.endswith((".sh", ".bash", ".bats", ".zsh", ".ksh")) or "." not in path.rpartition("/")[2]
