"""What users add to the knowledge of the data-flow pass: taken as it is, or one sentence about the mistake."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from burnish.analysers.taint.knowledge.tables import FLAWS, Knowledge
from burnish.config.files import ConfigFile
from burnish.config.load import Sources, load
from burnish.config.schema import value_of
from burnish.config.taint_settings import TABLES, TaintClass, plain_entries
from burnish.errors import UsageError

GOOD = """
[taint]
max_time_s = 2.5
sources = ["request", "files"]
[[taint.source]]
call = ["mylib.read_form", "mylib.read_query"]
kind = "request"
[[taint.sink]]
call = "mydb.run"
class = "sql"
arguments = [0, "statement"]
[[taint.sanitizer]]
call = "mylib.quote"
clean = ["command", "path"]
[[taint.guard]]
call = "mylib.is_name"
clean = "path"
true = false
"""


def loaded(text: str) -> object:
    return load(Sources(repository=(ConfigFile("burnish.toml at 1a2b3c4", text.encode()),))).settings


def test_entries_are_kept_as_the_engine_reads_them() -> None:
    found = load(Sources(repository=(ConfigFile("burnish.toml at 1a2b3c4", GOOD.encode()),)))
    taint = found.settings.taint
    assert (taint.max_time_s, [str(kind) for kind in taint.sources]) == (2.5, ["request", "files"])
    assert found.origins["taint.sink"] == "burnish.toml at 1a2b3c4"
    assert found.origins["taint.max_steps"] == "default"
    assert value_of(found.settings, "taint.sink") == [
        {"call": "mydb.run", "class": "sql", "arguments": [0, "statement"]}
    ]
    known = Knowledge()
    known.add({name: plain_entries(getattr(taint, name)) for name in TABLES})
    assert {"mydb.run"} <= known.sinks.keys()
    assert {"mylib.read_form", "mylib.read_query"} <= known.sources.keys()
    assert {"mylib.quote"} <= known.sanitizers.keys()
    assert {"mylib.is_name"} <= known.guards.keys()


def test_the_example_of_the_documentation_works() -> None:
    page = (Path(__file__).resolve().parents[3] / "docs" / "concepts" / "dataflow.md").read_text("utf8")
    (example,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    found = load(Sources(repository=(ConfigFile("burnish.toml", example.encode()),))).settings.taint
    assert [len(getattr(found, name)) for name in TABLES] == [1, 1, 1, 1]
    known = Knowledge()
    known.add({name: plain_entries(getattr(found, name)) for name in TABLES})
    assert known.source("mylib.read_form", called=True) is not None
    assert "mydb.Connection.run" in known.sinks and "mylib.quote" in known.sanitizers


@pytest.mark.parametrize(
    ("table", "entry"),
    [
        ("source", "call = 'a.b'"),
        ("source", "name = 'a.b'"),
        ("sink", "call = 'a.b'\nclass = 'sql'"),
        ("sanitizer", "call = 'a.b'\nclean = 'sql'"),
        ("guard", "call = 'a.b'\nclean = ['sql']"),
    ],
)
def test_an_entry_with_no_more_than_it_must_say_can_be_used(table: str, entry: str) -> None:
    text = f"[[taint.{table}]]\n{entry}\n"
    found = load(Sources(repository=(ConfigFile("burnish.toml", text.encode()),))).settings.taint
    known = Knowledge()
    known.add({table: plain_entries(getattr(found, table))})
    assert "a.b" in getattr(known, f"{table}s")


def test_files_and_the_network_are_not_followed_unless_asked_for() -> None:
    assert [str(kind) for kind in load(Sources()).settings.taint.sources] == [
        "request",
        "argv",
        "environment",
    ]


def test_the_classes_are_those_of_the_engine() -> None:
    assert tuple(TaintClass) == FLAWS


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[[taint.sink]]\ncall = "a"\nclass = "sqli"', "entry 1 has 'sqli' as 'class'; there are command, code"),
        ('[[taint.sink]]\ncall = "a"\nclas = "sql"', "entry 1 has the unknown key 'clas'; did you mean class?"),
        ('[[taint.sink]]\nclass = "sql"', "entry 1 has no 'call'"),
        ('[[taint.guard]]\ncall = "a"\nclean = "sql"\n[[taint.guard]]\ncall = 3\nclean = "sql"', "entry 2 has 3 as 'call'"),
        ('[[taint.sink]]\ncall = "a"\nclass = "sql"\nshape = "("', "entry 1 has '(' as 'shape', which is no pattern"),
        ('[[taint.source]]\nkind = "argv"', "entry 1 names no source"),
        ('[taint]\nsink = "mydb.run"', "taint.sink must be a list of tables"),
        ('[taint]\nsink = ["mydb.run"]', "entry 1 is not a table"),
        ('[taint]\nsources = ["argv", "disk"]', "taint.sources must be a list of 'request', 'argv'"),
        ("[taint]\nmax_time_s = 0", "taint.max_time_s must be a number above 0"),
    ],
)  # fmt: skip
def test_a_mistake_is_one_sentence_that_names_the_place(text: str, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        loaded(text)
    assert words in caught.value.message
    assert caught.value.message.startswith("burnish.toml at 1a2b3c4")
    assert "\n" not in caught.value.message
    assert caught.value.hint


def test_a_repository_adds_to_what_its_user_wants_and_drops_nothing_of_it() -> None:
    """The user's entry stands last: of two about one call the later one holds."""
    user = """
[taint]
enabled = true
max_time_s = 20
max_steps = 5000
sources = ["files"]
source = [{call = "mine.read"}]
sink = [{call = "mine.run", class = "sql"}]
"""
    repository = """
[taint]
enabled = false
max_time_s = 0.1
max_steps = 9000
sources = ["argv", "files"]
source = [{call = "mine.read", kind = "network"}, {call = "theirs.read"}]
sink = []
guard = [{call = "theirs.is_name", clean = "path"}]
"""
    files = (ConfigFile("mine", user.encode()),), (ConfigFile("theirs", repository.encode()),)
    found = load(Sources(*files))
    taint = found.settings.taint
    assert (taint.enabled, taint.max_time_s, taint.max_steps) == (True, 20, 9000)
    assert [str(kind) for kind in taint.sources] == ["argv", "files"]
    known = Knowledge()
    known.add({name: plain_entries(getattr(taint, name)) for name in TABLES})
    assert known.source("mine.read", called=True) is not None
    assert {"theirs.read", "mine.run", "theirs.is_name"} <= {*known.sources, *known.sinks, *known.guards}
    assert found.origins["taint.sink"] == "mine and theirs"
    assert found.origins["taint.guard"] == "theirs"
    own = load(Sources(*files, environ={"BURNISH_TAINT_ENABLED": "false"}))
    assert not own.settings.taint.enabled
