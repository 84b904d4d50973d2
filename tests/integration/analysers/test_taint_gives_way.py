"""ruff and the data-flow pass on the same file: a pattern gives way only where everything that arrives was seen."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from burnish.analysers import ruff
from burnish.analysers.taint import make
from burnish.model.assessment import Analysis
from burnish.ports import Source
from burnish.process.environment import child_environment
from burnish.process.tool_setup import ToolSetup
from burnish.workflows.giving_way import give_way

CODE = """\
import os
import shlex

from flask import Flask, request

from elsewhere import COMMAND, load

app = Flask(__name__)
TABLE = "orders"
STATE = "ls"


@app.get("/")
def page():
    os.system("ls " + request.args["a"])  # flow
    os.system("ls " + shlex.quote(request.args["a"]))  # sound
    query = f"SELECT * FROM orders WHERE id = {request.args['id']}"  # pattern
    wanted = request.args["b"]
    if wanted in ("df", "du"):
        os.system(wanted)  # sound
    return f"SELECT * FROM {TABLE} WHERE id = {int(request.args['id'])}"  # sound


def library(command, *rest, **more):
    os.system(command)  # pattern
    os.system("ls " + shlex.quote(request.args["a"]) + command)  # pattern
    os.system(rest[0])  # pattern
    os.system(more["x"])  # pattern
    os.system(COMMAND)  # pattern
    os.system("ls " + COMMAND)  # pattern
    os.system(load("x"))  # pattern
    os.system(STATE)  # pattern
    return "SELECT * FROM orders WHERE name = '" + command + "'"  # pattern


def set_state():
    global STATE
    STATE = load("y")


def twice(commands):
    command = "ls"
    for each in commands:
        os.system(command)  # pattern
        command = each
"""


# As a released library had it: names of attributes were escaped, and a name with a blank in it is two.
ATTRIBUTES = """\
from markupsafe import Markup, escape


def attributes(values):
    text = " ".join(f'{escape(key)}="{escape(value)}"' for key, value in values.items())
    return Markup(text)  # pattern


def constant():
    text = "<b>"
    return Markup(text)  # sound
"""
CHANGED = """\
import html
import sqlite3

from flask import Flask, request
from markupsafe import Markup

app = Flask(__name__)


@app.get("/")
def page():
    text = request.args["a"]
    again = "'".join(text.split("'"))
    found = sqlite3.connect("a").execute(f"SELECT a FROM t WHERE a = '{again}'")  # flow
    cut = text.split("'")[0]
    found = sqlite3.connect("a").execute(f"SELECT a FROM t WHERE a = '{cut}'")  # pattern
    plain = cut.replace("\\\\", "")
    found = sqlite3.connect("a").execute(f"SELECT a FROM t WHERE a = '{plain}'")  # sound
    if not text.isalnum():
        return ""
    found = sqlite3.connect("a").execute(f"SELECT a FROM t WHERE a = '{text.center(9)}'")  # sound
    found = sqlite3.connect("a").execute(f"SELECT a FROM t WHERE a = '{text:>9}'")  # pattern
    again = "<".join(html.escape(text).split("<"))
    page = Markup("<b>" + again + "</b>")  # pattern
    return Markup("<b>" + html.escape(text) + "</b>")  # sound
"""


def standing(root: Path, code: str = CODE, **options: str) -> dict[int, str]:
    (root / "a.py").write_text(code, "utf8")
    setup = ToolSetup(env=child_environment({}), options=options)

    async def both() -> tuple[Analysis, ...]:
        source = Source(root, "t")
        found = [await one.analyse(source, ("a.py",)) for one in (ruff.make(setup), make(setup))]
        assert not [one.failed for one in found if one.failed]
        return give_way(tuple(found))

    patterns, taint = asyncio.run(both())
    said = {
        one.line or 0: "pattern" for one in patterns.findings if one.rule.startswith(("ruff:S6", "ruff:S704"))
    }
    said |= {one.line or 0: "sound" for one in patterns.gave_way}
    joined = {"ruff:S605", "ruff:S608"}
    return said | {one.line or 0: "flow" for one in taint.findings if joined & set(one.same_rules)}


def expected(code: str = CODE) -> dict[int, str]:
    lines = enumerate(code.splitlines(), 1)
    return {number: line.rpartition("  # ")[2] for number, line in lines if "  # " in line}


def test_each_pattern_is_joined_a_note_or_stays_as_it_was(tmp_path: Path) -> None:
    assert standing(tmp_path) == expected()


@pytest.mark.parametrize("code", [ATTRIBUTES, CHANGED], ids=["attributes", "changed"])
def test_a_pattern_gives_way_only_where_every_operation_is_one_that_proves_something(
    tmp_path: Path, code: str
) -> None:
    assert standing(tmp_path, code) == expected(code)


def test_a_function_that_takes_too_long_clears_nothing(tmp_path: Path) -> None:
    said = standing(tmp_path, taint='{"max_steps": 20}')
    assert "sound" not in said.values()
