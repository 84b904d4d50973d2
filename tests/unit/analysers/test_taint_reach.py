"""A change in a function matters to whoever calls it: those files are followed too."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from burnish.analysers.taint import make, reach
from burnish.analysers.taint.reach import leading_into
from burnish.ports import Source
from burnish.process.tool_setup import ToolSetup

TREE = {
    "shop/__init__.py": "from .store import find\n",
    "shop/store.py": "import os\n\n\ndef find(name):\n    os.system('grep ' + name)\n",
    "web.py": (
        "from flask import Flask, request\nfrom shop import (\n    find,\n)\napp = Flask(__name__)\n\n\n"
        "@app.get('/')\ndef page():\n    find(request.args['name'])\n    return ''\n"
    ),
    "main.py": "import web, os\n",
    "other.py": "import json\n# import store\nwords = 'from shop import find'\n",
}


def lay(root: Path) -> tuple[str, ...]:
    for name, text in TREE.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text, "utf8")
    return tuple(TREE)


def test_importers_are_found_through_packages_brackets_and_each_other(tmp_path: Path) -> None:
    files = lay(tmp_path)
    assert leading_into(tmp_path, files, frozenset({"shop/store.py"})) == (
        ("shop/__init__.py", "web.py", "main.py"), 0,
    )  # fmt: skip
    assert leading_into(tmp_path, files, frozenset({"main.py"})) == ((), 0)
    assert leading_into(tmp_path, files, frozenset(files)) == ((), 0)


def test_what_is_too_much_to_follow_is_counted(tmp_path: Path) -> None:
    names = [f"m{number:04d}.py" for number in range(reach.MOST_FILES + 7)]
    for name in names:
        (tmp_path / name).write_text("import base\n", "utf8")
    found, left = leading_into(tmp_path, names, frozenset({"base.py"}))
    assert (len(found), left) == (reach.MOST_FILES, 7)
    assert leading_into(tmp_path, names, frozenset({"base.py"}), 2) == (
        ("m0000.py", "m0001.py"),
        reach.MOST_FILES + 5,
    )


@pytest.mark.parametrize("changed", ["shop/store.py", "web.py"])
def test_a_flow_is_found_whichever_of_its_files_is_reviewed(tmp_path: Path, changed: str) -> None:
    lay(tmp_path)
    answer = asyncio.run(make(ToolSetup(env={})).analyse(Source(tmp_path, "t"), (changed,)))
    assert [(one.rule, one.file, one.flow[0].file) for one in answer.findings] == [
        ("taint:command", "shop/store.py", "web.py")
    ]
