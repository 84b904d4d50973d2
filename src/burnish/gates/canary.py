"""Tests that must fail: a test runner that stays green with them does not judge any more.

The tests of the base are edited in a checkout of ours, under their own names: code that lets just the tests
pass that it knows would let these pass too. Names and statements differ from run to run.
"""

from __future__ import annotations

import fnmatch
import os
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from burnish.gates.examples import probe_examples
from burnish.gates.probes import WORD, Shape, probe_javascript, probe_perl, probe_python, probe_script

MAX_TEST_FILES = 2_000
MAX_ENTRIES = 50_000
MAX_BYTES = 512 * 1024
_TEST_NAME = re.compile(r"(?:.*/)?(?:test_[^/]*|[^/]*_tests?|tests?|tests_[^/]*)\.py")
_SCRIPT_NAME = re.compile(
    r"(?:.*/)?(?:[^/]*[._-])?(?:test|spec|e2e)\.[cm]?[jt]sx?|(?:.*/)?test[-_.][^/]*\.[cm]?[jt]sx?"
)
_TEST_FOLDER = re.compile(r"(?:.*/)?(?:tests?|specs?|__tests__)/.*")
_JAVASCRIPT = (".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".jsx", ".tsx")
Probe = Callable[[str, Shape, random.Random], str | None]


@dataclass(frozen=True)
class Canary:
    """`tests` are further globs of tests, `scripts` those that the gate's command line starts.

    `examples`: those in the documentation of the code are tests too.
    """

    tests: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    examples: bool = False
    chance: random.Random = field(default_factory=random.SystemRandom)

    def send_in(self, root: Path, shape: Shape, sent: dict[str, str] | None = None) -> bool:
        """Edit the tests of a checkout of ours; False when there are none that can be edited.

        `sent` gets the words of the statements, each with the file that it stands in.
        """
        found = False
        for path, probe in self._files(root):
            text = path.read_bytes().decode("utf8", "surrogateescape")
            made = probe(text, shape, self.chance)
            if made is not None:
                path.write_bytes(made.encode("utf8", "surrogateescape"))
                found = True
                if sent is not None:
                    name = path.relative_to(root).as_posix()
                    sent.update(dict.fromkeys({*WORD.findall(made)} - {*WORD.findall(text)}, name))
        return found

    def _files(self, root: Path) -> Iterator[tuple[Path, Probe]]:
        seen = edited = 0
        for folder, folders, names in os.walk(root):
            folders[:] = sorted(
                name for name in folders if not name.startswith(".") and name != "node_modules"
            )
            seen += len(names)
            for name in sorted(names):
                path = Path(folder, name)
                probe = self._probe(path.relative_to(root).as_posix())
                if probe and not path.is_symlink() and path.is_file() and path.stat().st_size <= MAX_BYTES:
                    edited += 1
                    yield path, probe
            if seen > MAX_ENTRIES or edited >= MAX_TEST_FILES:
                return

    def _probe(self, name: str) -> Probe | None:
        test = (
            _TEST_NAME.fullmatch(name) or _SCRIPT_NAME.fullmatch(name) or _TEST_FOLDER.fullmatch(name)
            or any(fnmatch.fnmatchcase(name, glob.removeprefix("**/")) or fnmatch.fnmatchcase(name,
            glob) for glob in self.tests)
        )  # fmt: skip
        script = name in self.scripts
        if name.endswith("conftest.py") or not (test or script or name.endswith(".t")):
            return probe_examples if self.examples and name.endswith(".py") else None
        if name.endswith(".py"):
            return _python if script else probe_python
        if name.endswith((".t", ".pl")):
            return probe_perl
        return probe_javascript if name.endswith(_JAVASCRIPT) else None


def _python(text: str, shape: Shape, chance: random.Random) -> str | None:
    return probe_python(text, shape, chance) or probe_script(text, shape, chance)
