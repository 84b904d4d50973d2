"""Repairs of what the data-flow pass finds: each by example, and the dangerous ones by running both sides."""

from __future__ import annotations

import asyncio
import re
import sqlite3
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from burnish.fixers import _taint as taint
from burnish.fixers import codemods, formatter
from burnish.fixers._html_place import escaping_helps
from burnish.model.review import Finding, FlowStep
from burnish.process.tool_setup import ToolSetup

CASES: list[dict[str, Any]] = tomllib.loads(
    (Path(__file__).resolve().parents[2] / "data" / "taint_repairs.toml").read_text("utf8")
)["case"]
CHANGED = [case for case in CASES if "after" in case]
LEFT = [case for case in CASES if "after" not in case]
UNSAFE = {one.rewrite.__name__ for one in taint.TAINT if one.unsafe}
SETUP = ToolSetup(env={})


def line_of(text: str, at: str) -> int:
    lines = enumerate(text.split("\n"), 1)
    return next(
        number for number, line in lines if at in line and not line.startswith(("import ", "from ", "def "))
    )


def fix(folder: Path, finding: Finding, *, unsafe: bool = False) -> str:
    fixer = codemods.Codemods(SETUP, unsafe=unsafe)
    return asyncio.run(fixer.fix(finding, folder)) if fixer.can(finding, unsafe=True) else ""


def repaired(folder: Path, kind: str, text: str, line: int, *, unsafe: bool = False) -> str:
    """The text of code.py after the fixer had its turn."""
    (folder / "code.py").write_bytes(text.encode())
    fix(folder, Finding("x", file="code.py", line=line, rule=f"taint:{kind}"), unsafe=unsafe)
    return (folder / "code.py").read_bytes().decode()


def windows(text: str) -> str:
    return text.replace("\n", "\r\n")


def with_tabs(text: str) -> str:
    return re.sub(r"(?m)^(?: {4})+", lambda found: "\t" * (len(found[0]) // 4), text)


def lay(folder: Path, case: dict[str, Any]) -> None:
    for name, text in case.get("also", {}).items():
        (folder / name).write_text(text)


@pytest.mark.parametrize("case", CHANGED, ids=lambda case: str(case["rewrite"]))
def test_a_repair_gives_the_text_after(tmp_path: Path, case: dict[str, Any]) -> None:
    lay(tmp_path, case)
    unsafe = case["rewrite"] in UNSAFE
    line = line_of(case["before"], case["at"])
    assert repaired(tmp_path, case["kind"], case["before"], line, unsafe=unsafe) == case["after"]
    if unsafe:
        assert repaired(tmp_path, case["kind"], case["before"], line) == case["before"]


@pytest.mark.parametrize("case", CHANGED, ids=lambda case: str(case["rewrite"]))
def test_a_repair_of_what_is_repaired_changes_nothing(tmp_path: Path, case: dict[str, Any]) -> None:
    lay(tmp_path, case)
    after = case["after"]
    (tmp_path / "code.py").write_text(after)
    for line in range(1, after.count("\n") + 1):
        finding = Finding("x", file="code.py", line=line, rule=f"taint:{case['kind']}")
        assert taint.repaired(finding, tmp_path, unsafe=case["rewrite"] in UNSAFE) == ""
    assert (tmp_path / "code.py").read_text() == after


@pytest.mark.parametrize("case", CHANGED, ids=lambda case: str(case["rewrite"]))
def test_line_ends_and_indentation_stay_as_they_were(tmp_path: Path, case: dict[str, Any]) -> None:
    lay(tmp_path, case)
    line = line_of(case["before"], case["at"])
    for shape in (windows, with_tabs):
        new = repaired(tmp_path, case["kind"], shape(case["before"]), line, unsafe=case["rewrite"] in UNSAFE)
        assert new == shape(case["after"])


@pytest.mark.parametrize("case", LEFT, ids=lambda case: str(case["kind"]))
def test_where_it_would_be_wrong_nothing_changes(tmp_path: Path, case: dict[str, Any]) -> None:
    line = line_of(case["before"], case["at"])
    for unsafe in (False, True):
        assert repaired(tmp_path, case["kind"], case["before"], line, unsafe=unsafe) == case["before"]


def test_every_repair_has_an_example() -> None:
    assert {case["rewrite"] for case in CHANGED} == {one.rewrite.__name__ for one in taint.TAINT}


def test_only_the_finding_s_line_is_repaired(tmp_path: Path) -> None:
    text = "import yaml\n\nyaml.load(a)\nyaml.load(b)\n"
    assert repaired(tmp_path, "deserialisation", text, 4) == text.replace("load(b)", "safe_load(b)")


@pytest.mark.parametrize("text", ["def f(:\n", "\0", "(" * 500, "x = '''\n", "x = 1\n"])
def test_code_that_does_not_parse_or_fit_is_left_alone(tmp_path: Path, text: str) -> None:
    (tmp_path / "code.py").write_text(text)
    for one in taint.TAINT:
        for line in (1, 99):
            finding = Finding("x", file="code.py", line=line, rule=f"taint:{one.kind}")
            assert taint.repaired(finding, tmp_path, unsafe=one.unsafe) == ""
    assert fix(tmp_path, Finding("x", file="code.py", line=1, rule="taint:sql")) == ""
    assert (tmp_path / "code.py").read_text() == text


def test_a_hash_that_protects_something_is_never_called_a_checksum(tmp_path: Path) -> None:
    text = "import hashlib\n\netag = hashlib.md5(x)\n"
    (tmp_path / "a.py").write_text(text)
    alone = Finding("x", file="a.py", line=3, rule="ruff:S324", tools=("ruff", "taint"))
    assert not codemods.make(SETUP).can(alone)
    joined = Finding("x", file="a.py", line=3, rule="ruff:S324", same_rules=("taint:weak_hash",))
    assert fix(tmp_path, joined) == ""
    assert (tmp_path / "a.py").read_text() == text


# ------------------------------------------------------------------ proof by running both sides
ROWS = [("ann", "a"), ("o'neil", "b"), ("50%", "c")]
HOSTILE = "x' OR 1=1 --"


def called(text: str, name: str, *arguments: object) -> Any:
    space: dict[str, Any] = {}
    exec(compile(text, "code.py", "exec"), space)
    return space[name](*arguments)


def table() -> sqlite3.Connection:
    db = sqlite3.connect(":memory:")
    db.execute("CREATE TABLE users (name TEXT, kind TEXT)")
    db.executemany("INSERT INTO users VALUES (?, ?)", ROWS)
    return db


@pytest.mark.parametrize(
    "statement",
    [
        "\"SELECT kind FROM users WHERE name = '%s'\" % name",
        "f\"SELECT kind FROM users WHERE name = '{name}'\"",
        '"SELECT kind FROM users WHERE name = \'" + name + "\'"',
        "\"SELECT kind FROM users WHERE name = '{0}'\".format(name)",
        "\"SELECT kind FROM users WHERE name LIKE '{n}%' AND kind <> 'it''s'\".format(n=name)",
    ],
)
def test_honest_input_finds_the_same_rows_and_an_injection_none(tmp_path: Path, statement: str) -> None:
    before = f"import sqlite3\n\n\ndef find(db, name):\n    return db.execute({statement}).fetchall()\n"
    after = repaired(tmp_path, "sql", before, 5)
    assert called(after, "find", table(), "ann") == called(before, "find", table(), "ann") == [("a",)]
    assert len(called(before, "find", table(), HOSTILE)) == len(ROWS)
    assert called(after, "find", table(), HOSTILE) == []
    assert called(after, "find", table(), "o'neil") == [("b",)]


CONDITIONS = (
    ("kind = '{}' OR kind = 'x'", "a"),
    ("name LIKE '%{}%'", "n"),
    ("name || '{}' = 'annx'", "x"),
    ("kind <> 'it''s {}'", "a"),
    ('name = "{}"', "ann"),
    ("rowid = {}", "2"),
    ("rowid BETWEEN 1 AND {} AND name <> '100%'", "2"),
    ("name IN ('ann', '{}')", "50%"),
    ("lower(name) = '{}' LIMIT 5", "ann"),
)
FORMS: dict[str, Callable[[str], str]] = {
    "f-string": lambda text: "f" + repr(text).replace("{}", "{v}"),
    "percent": lambda text: repr(text.replace("%", "%%").replace("{}", "%s")) + " % v",
    "format": lambda text: repr(text) + ".format(v)",
    "sum": lambda text: " + v + ".join(repr(part) for part in text.split("{}")),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("inline", [True, False])
def test_every_shape_of_a_statement_finds_the_same_rows(tmp_path: Path, form: str, inline: bool) -> None:
    for condition, value in CONDITIONS:
        built = FORMS[form](f"SELECT name FROM users WHERE {condition}")
        lines = [
            "import sqlite3",
            "",
            "",
            "def find(db, v):",
            f"    query = {built}",
            "    return db.execute(query).fetchall()",
            "",
        ]
        if inline:
            lines[4:6] = [f"    return db.execute({built}).fetchall()"]
        before = "\n".join(lines)
        after = repaired(tmp_path, "sql", before, len(lines) - 1)
        assert "?" in after
        assert called(after, "find", table(), value) == called(before, "find", table(), value) != []


GATHERED = """import sqlite3


def find(db, names, kind):
    conditions = ["1 = 1"]
    if kind:
        conditions.append("kind <> '" + kind + "'")
    where = " AND ".join(conditions)
    return db.execute(f"SELECT kind FROM users WHERE {where}").fetchall()
"""
GROWN = """import sqlite3


def find(db, names, kind):
    query = "SELECT kind FROM users"
    if names:
        query += " WHERE name = '" + names[0] + "'"
        query = query + f" AND kind <> '{kind}' OR name = '" + names[-1] + "'"
    return db.execute(query).fetchall()
"""
LISTED = """import sqlite3


def find(db, names, kind):
    either = [f"name = '{name}'" for name in names]
    return db.execute(f"SELECT kind FROM users WHERE ({' OR '.join(either)}) AND kind <> '{kind}'").fetchall()
"""


@pytest.mark.parametrize("before", [GATHERED, GROWN, LISTED])
def test_a_statement_of_many_pieces_finds_the_same_rows(tmp_path: Path, before: str) -> None:
    after = repaired(tmp_path, "sql", before, before.count("\n"))
    assert after.count("?") >= 1
    for names, kind in ((["ann"], "x"), (["ann", "50%"], "a")):
        honest = called(before, "find", table(), names, kind)
        assert called(after, "find", table(), names, kind) == honest != []
    assert "'{" not in after
    assert called(after, "find", table(), ["o'neil"], "it's") in ([("b",)], [("a",), ("b",), ("c",)])


STORE = """import sqlite3

db = sqlite3.connect(":memory:")


def run(query{annotated}):
    return db.execute(query).fetchall()


def wanted(name):
    return "SELECT kind FROM users WHERE name = '" + name + "'"


def find_user(name):
    return run({passed})
"""
APP = """from store import find_user


def handler(request):
    return lookup(request["name"])


def lookup(name):
    return find_user(name)
"""


@pytest.mark.parametrize(
    ("annotated", "passed", "changed"),
    [
        (
            "",
            "f\"SELECT kind FROM users WHERE name = '{name}'\"",
            'run("SELECT kind FROM users WHERE name = ?", (name,))',
        ),
        ("", "wanted(name)", "run(*wanted(name))"),
        (
            ", retries: int = 3",
            "query=\"SELECT kind FROM users WHERE name = '%s'\" % name",
            "params=(name,))",
        ),
        (", retries: int = 3", "wanted(name)", "run(query, params=params)"),
    ],
)
def test_a_statement_is_repaired_where_it_is_put_together(
    tmp_path: Path, annotated: str, passed: str, changed: str
) -> None:
    """Three functions and two files: the helper that runs the statement learns to take values."""
    store = STORE.format(annotated=annotated, passed=passed)
    (tmp_path / "store.py").write_text(store)
    (tmp_path / "app.py").write_text(APP)
    steps = [("app.py", 5), ("app.py", 9), ("store.py", 15), ("store.py", 7)]
    finding = Finding(
        "x",
        file="store.py",
        line=7,
        rule="taint:sql",
        flow=tuple(FlowStep(file, line) for file, line in steps),
    )
    assert fix(tmp_path, finding) == "passes values as parameters"
    text = (tmp_path / "store.py").read_text()
    assert changed in text
    assert "params=()" in text.replace(": tuple[object, ...] = ", "=")
    assert (tmp_path / "app.py").read_text() == APP
    space: dict[str, Any] = {}
    exec(compile(text, "store.py", "exec"), space)
    space["db"].execute("CREATE TABLE users (name TEXT, kind TEXT)")
    space["db"].executemany("INSERT INTO users VALUES (?, ?)", ROWS)
    assert space["find_user"]("o'neil") == [("b",)]
    assert space["find_user"](HOSTILE) == []


def test_a_helper_of_another_file_is_repaired_through_its_caller(tmp_path: Path) -> None:
    helper = (
        "import sqlite3\n\n\ndef run(db, sql, values=()):\n    return db.execute(sql, values).fetchall()\n"
    )
    caller = (
        "from helper import run\n\n\ndef find(db, name):\n"
        "    query = f\"SELECT kind FROM users WHERE name = '{name}'\"\n    return run(db, query)\n"
    )
    (tmp_path / "helper.py").write_text(helper)
    (tmp_path / "caller.py").write_text(caller)
    flow = (FlowStep("caller.py", 4), FlowStep("caller.py", 6), FlowStep("helper.py", 5))
    assert fix(tmp_path, Finding("x", file="helper.py", line=5, rule="taint:sql", flow=flow))
    assert (tmp_path / "helper.py").read_text() == helper
    assert "return run(db, query, (name,))" in (tmp_path / "caller.py").read_text()


def test_files_on_the_way_are_formatted_again_where_the_repository_formats(tmp_path: Path) -> None:
    helper = "import sqlite3\n\n\ndef run(db, sql, retries=3):\n    return db.execute(sql).fetchall()\n"
    caller = (
        "from helper import run\n\n\ndef find(db, the_name_of_somebody):\n"
        "    return run(db, f\"SELECT kind FROM users WHERE name = '{the_name_of_somebody}'\")\n"
    )
    (tmp_path / "helper.py").write_text(helper)
    (tmp_path / "caller.py").write_text(caller)
    flow = (FlowStep("caller.py", 5), FlowStep("helper.py", 5), FlowStep("gone.py", 1))
    fixer = formatter.Formatted(codemods.make(SETUP), SETUP, formatter.Style())
    finding = Finding("x", file="helper.py", line=5, rule="taint:sql", flow=flow)
    assert asyncio.run(fixer.fix(finding, tmp_path)) == "passes values as parameters, formatted"
    assert "    return run(\n        db, " in (tmp_path / "caller.py").read_text()


def test_a_helper_that_others_could_stand_in_for_is_left_alone(tmp_path: Path) -> None:
    text = """import sqlite3


class Store:
    def run(self, query):
        return self.db.execute(query)

    def find(self, name):
        return self.run(f"SELECT kind FROM users WHERE name = '{name}'")


class Other(Store):
    def run(self, query):
        return []
"""
    (tmp_path / "a.py").write_text(text)
    flow = (FlowStep("a.py", 9), FlowStep("a.py", 6))
    assert fix(tmp_path, Finding("x", file="a.py", line=6, rule="taint:sql", flow=flow)) == ""
    assert (tmp_path / "a.py").read_text() == text


@pytest.mark.parametrize(
    "command",
    [
        'subprocess.run(f"echo {name}", shell=True, capture_output=True, text=True).stdout',
        "subprocess.run(\"echo '%s' | cat\" % name, shell=True, capture_output=True, text=True).stdout",
        'subprocess.getoutput("echo " + name) + "\\n"',
    ],
)
def test_a_command_says_the_same_and_no_longer_runs_what_is_in_a_value(tmp_path: Path, command: str) -> None:
    before = f"import subprocess\n\n\ndef say(name: str):\n    return {command}\n"
    after = repaired(tmp_path, "command", before, 5)
    assert after != before
    assert called(after, "say", "hello") == called(before, "say", "hello") == "hello\n"
    for hostile in ("x; echo pwned", "x' ; echo pwned; '", "$(echo pwned)"):
        assert called(after, "say", hostile) == hostile + "\n"


def test_a_path_stays_in_its_folder(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("a")
    (tmp_path / "secret").write_text("s")
    before = f"import os\n\nBASE = {str(tmp_path / 'in')!r}\n\n\ndef read(name):\n    with open(os.path.join(BASE, name)) as file:\n        return file.read()\n"
    after = repaired(tmp_path, "path", before, 7)
    assert called(before, "read", "../secret") == "s"
    assert called(after, "read", "a.txt") == "a"
    for hostile in ("../secret", str(tmp_path / "secret"), "../in-evil/x"):
        with pytest.raises(ValueError, match="leads out of its folder"):
            called(after, "read", hostile)


@pytest.mark.parametrize(
    "hostile", ["https://evil.example", "//evil.example", "/\\evil.example", "///evil.example"]
)
def test_a_redirect_stays_on_the_site(tmp_path: Path, hostile: str) -> None:
    before = "def go(redirect, target):\n    return redirect(target)\n"
    after = repaired(tmp_path, "redirect", before, 2)
    assert called(after, "go", str, "/orders?page=2") == "/orders?page=2"
    assert called(before, "go", str, hostile) == hostile
    assert called(after, "go", str, hostile) == "/"


def test_html_is_escaped_once(tmp_path: Path) -> None:
    before = 'def page(name):\n    return f"<p>{name}</p>"\n'
    after = repaired(tmp_path, "xss", before, 2)
    assert called(after, "page", "ann") == called(before, "page", "ann") == "<p>ann</p>"
    assert called(after, "page", "<script>") == "<p>&lt;script&gt;</p>"


def test_a_log_entry_is_one_line(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    before = 'import logging\n\n\ndef note(name):\n    logging.warning(f"100% of {name}")\n'
    after = repaired(tmp_path, "log", before, 5)
    called(after, "note", "ann\r\n2026 fake entry")
    assert caplog.messages == ["100% of ann2026 fake entry"]


def test_a_cookie_gets_its_flags(tmp_path: Path) -> None:
    responses = pytest.importorskip("starlette.responses")
    before = (
        'def login(response):\n    response.set_cookie("session", "x", samesite=None)\n    return response\n'
    )
    after = repaired(tmp_path, "insecure_cookie", before, 2)
    said = called(after, "login", responses.Response()).headers["set-cookie"].lower()
    assert all(flag in said for flag in ("secure", "httponly", "samesite=lax"))


def test_a_repair_keeps_the_line_ends_of_windows_in_all_files(tmp_path: Path) -> None:
    store = STORE.format(annotated="", passed="wanted(name)").replace("\n", "\r\n")
    (tmp_path / "store.py").write_bytes(store.encode())
    (tmp_path / "app.py").write_bytes(APP.encode())
    assert fix(tmp_path, Finding("x", file="store.py", line=7, rule="taint:sql"))
    text = (tmp_path / "store.py").read_bytes()
    assert text.count(b"\n") == text.count(b"\r\n")


@pytest.mark.parametrize(
    ("before", "helps"),
    [
        ("<p>", True),
        ("<p class='x'>", True),
        ("<p class='", True),
        ('<a title="a > b ', True),
        ("<!-- ", True),
        ("<a href='/users/", True),
        ("<script>x</script><p>", True),
        ("<a href='", False),
        ('<img src="\0', False),
        ("<p class=", False),
        ("<p ", False),
        ("<script>var a = '", False),
        ("<style>p { color: ", False),
        ("<div onclick=\"go('", False),
        ("<div style='color:", False),
    ],
)
def test_escaping_is_trusted_only_where_it_helps(before: str, helps: bool) -> None:
    assert escaping_helps(before) is helps


def test_parsers_of_the_standard_library_are_replaced_where_only_a_linter_says_so(tmp_path: Path) -> None:
    text = (
        "import xml.etree.ElementTree as ET\nfrom xml.dom import minidom\n\n\n"
        "def f(a):\n    return ET.fromstring(a), minidom.parseString(a)\n"
    )
    (tmp_path / "code.py").write_text(text)
    finding = Finding("x", file="code.py", line=6, rule="ruff:S314")
    assert fix(tmp_path, finding) == ""
    assert codemods.make(SETUP).why_not(finding, tmp_path) == "the project does not have defusedxml"
    (tmp_path / "requirements.txt").write_text("defusedxml\n")
    for _ in range(2):
        line = line_of((tmp_path / "code.py").read_text(), "return")
        there = Finding("x", file="code.py", line=line, rule="ruff:S318")
        assert fix(tmp_path, there) == "reads XML with defusedxml"
    after = (tmp_path / "code.py").read_text()
    assert "return defusedxml.ElementTree.fromstring(a), defusedxml.minidom.parseString(a)" in after
    assert "import defusedxml.ElementTree\nimport defusedxml.minidom\n" in after


def test_a_package_of_that_name_that_is_something_else_is_left_alone(tmp_path: Path) -> None:
    text = "import defusedxml.minidom\nfrom xml.etree import ElementTree\n\n\ndef f(a, defusedxml):\n    return ElementTree.XML(a)\n"
    (tmp_path / "requirements.txt").write_text("defusedxml\n")
    assert repaired(tmp_path, "xxe", text, 6) == text


@pytest.mark.parametrize(
    ("kind", "line", "why"),
    [
        ("sql", "db.execute(f'SELECT a FROM t ORDER BY {x}')", "a piece of a statement cannot be bound"),
        (
            "weak_hash",
            "hashlib.md5(x)",
            "uses SHA-256 may change what correct code does; it waits for --unsafe",
        ),
        ("command", "os.popen(f'{x} a | b')", "a value decides which program runs"),
    ],
)
def test_what_is_left_alone_is_told_with_the_reason(tmp_path: Path, kind: str, line: str, why: str) -> None:
    (tmp_path / "code.py").write_text(
        f"import hashlib, os, sqlite3\ndb = sqlite3.connect('')\ndef f(x):\n    {line}\n"
    )
    finding = Finding("x", file="code.py", line=4, rule=f"taint:{kind}")
    assert fix(tmp_path, finding) == ""
    fixer = formatter.Formatted(codemods.make(SETUP), SETUP, formatter.Style())
    assert fixer.why_not(finding, tmp_path).endswith(why)
