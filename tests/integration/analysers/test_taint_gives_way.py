"""ruff and the data-flow pass on the same file: a pattern gives way only where everything that arrives was seen."""

from __future__ import annotations

import asyncio
from pathlib import Path

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


def standing(root: Path, **options: str) -> dict[int, str]:
    (root / "a.py").write_text(CODE, "utf8")
    setup = ToolSetup(env=child_environment({}), options=options)

    async def both() -> tuple[Analysis, ...]:
        source = Source(root, "t")
        found = [await one.analyse(source, ("a.py",)) for one in (ruff.make(setup), make(setup))]
        assert not [one.failed for one in found if one.failed]
        return give_way(tuple(found))

    patterns, taint = asyncio.run(both())
    said = {one.line or 0: "pattern" for one in patterns.findings if one.rule.startswith("ruff:S6")}
    said |= {one.line or 0: "sound" for one in patterns.gave_way}
    return said | {one.line or 0: "flow" for one in taint.findings if "ruff:S605" in one.same_rules}


def expected() -> dict[int, str]:
    lines = enumerate(CODE.splitlines(), 1)
    return {number: line.rpartition("  # ")[2] for number, line in lines if "  # " in line}


def test_each_pattern_is_joined_a_note_or_stays_as_it_was(tmp_path: Path) -> None:
    assert standing(tmp_path) == expected()


def test_a_function_that_takes_too_long_clears_nothing(tmp_path: Path) -> None:
    said = standing(tmp_path, taint='{"max_steps": 20}')
    assert "sound" not in said.values()
