"""Who uses a file, and where else a rule fires: from the whole tree, not only from what changed."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from burnish.app.importers import Importers, SamePlaces, named_in, telling_word
from burnish.model.assessment import Analysis
from burnish.model.review import Finding
from burnish.ports import Source
from burnish.process.tool_setup import ToolSetup

FILES = {
    "pkg/__init__.py": "",
    "pkg/conf.py": "x = 1\n",
    "main.py": "from pkg.conf import x\n",
    "tests/test_conf.py": "from pkg import conf\n",
    "alone.py": "# pkg.conf\n",
    "web/util.ts": "export const a = 1\n",
    "web/app.ts": "import { a } from './util'\n",
    "web/old.js": "const a = require('./util')\n",
    "web/many.ts": "import {\n  a,\n} from './util'\n",
    "web/utility.ts": "import { a } from './utility'\n// util\n",
    "web/ui/index.ts": "export const b = 1\n",
    "web/page.tsx": "import { b } from './ui'\n",
    "store/db.go": "package store\n",
    "store/more.go": 'package store\nimport "store"\n',
    "cmd/main.go": 'package main\n\nimport (\n\t"fmt"\n\tdb "example.com/x/store"\n)\n',
    "lib/a.rb": "class A; end\n",
    "lib/b.rb": "require_relative 'a'\n",
    "lib/c.rb": "puts 'a'\n",
    "src/mesh.h": "int x;\n",
    "src/mesh.c": '#include "mesh.h"\n',
    "README.md": "import util\n",
}


@pytest.fixture
def source(tmp_path: Path) -> Source:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return Source(tmp_path, "tree")


def test_who_imports_a_python_file_is_read_from_its_imports(source: Source) -> None:
    setup = ToolSetup(env={"PATH": os.environ["PATH"]}, search=os.environ["PATH"])
    importers = Importers(setup, source)

    async def asked() -> list[tuple[str, ...]]:
        return [await importers(name) for name in ("pkg/conf.py", "alone.py")]

    assert asyncio.run(asked()) == [("main.py", "tests/test_conf.py"), ()]


@pytest.mark.parametrize(
    ("file", "users"),
    [
        ("web/util.ts", ("web/app.ts", "web/many.ts", "web/old.js")),
        ("web/ui/index.ts", ("web/page.tsx",)),
        ("store/db.go", ("cmd/main.go",)),
        ("lib/a.rb", ("lib/b.rb",)),
        ("src/mesh.h", ("src/mesh.c",)),
        ("README.md", ()),
        ("web/utility.ts", ()),
    ],
)
def test_in_other_languages_a_line_that_imports_names_it(
    source: Source, file: str, users: tuple[str, ...]
) -> None:
    assert named_in(source.root, file) == users


def test_a_link_is_not_followed_out_of_the_tree(
    source: Source, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "secret.ts"
    outside.write_text("import './util'\n")
    (source.root / "web/link.ts").symlink_to(outside)
    assert "web/link.ts" not in named_in(source.root, "web/util.ts")


@dataclass
class Toy:
    """An analyser that finds its word on lines."""

    name: str = "ruff"
    asked: list[tuple[str, ...]] = field(default_factory=list)

    def missing(self) -> str:
        return ""

    def wants(self, files: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(name for name in files if name.endswith(".py"))

    async def analyse(self, source: Source, files: tuple[str, ...]) -> Analysis:
        self.asked.append(files)
        found = [
            Finding("conf", file=name, line=1, rule=f"{self.name}:X1")
            for name in files
            if "conf" in (source.root / name).read_text()
        ]
        return Analysis(self.name, findings=tuple(found))


def test_where_else_a_rule_fires_is_looked_for_in_the_whole_tree_once(source: Source) -> None:
    toy = Toy()
    places = SamePlaces((toy,), source)

    async def asked() -> list[tuple[str, ...]]:
        rules = ("ruff:X1", "ruff:X2", "tests:X1", "")
        return [await places(Finding("x", rule=rule, snippet="y = conf(x)")) for rule in rules]

    assert asyncio.run(asked()) == [("alone.py:1", "main.py:1", "tests/test_conf.py:1"), (), (), ()]
    # Once, and only over files that have the word.
    assert toy.asked == [("alone.py", "main.py", "tests/test_conf.py")]


@pytest.mark.parametrize(
    ("snippet", "word"),
    [
        ("return yaml.load(open(path))", "yaml.load"),
        ("\n  except Exception:\n    run(x)", "Exception"),
        ("x == None", ""),
        ("", ""),
    ],
)
def test_the_telling_word_of_a_line_is_what_it_calls_else_its_longest_name(snippet: str, word: str) -> None:
    assert telling_word(snippet) == word


def test_tools_that_take_long_are_not_run_over_the_whole_tree(source: Source) -> None:
    toy = Toy("lizard")
    assert asyncio.run(SamePlaces((toy,), source)(Finding("x", rule="lizard:X1", snippet="conf(x)"))) == ()
    assert toy.asked == []
