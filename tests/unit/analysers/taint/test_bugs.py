"""A mistake of the pass in one function: told, in the log, and nothing that hangs on it is cleared."""

from __future__ import annotations

from burnish.analysers.taint.__main__ import _lines
from burnish.analysers.taint.engine import Pass
from burnish.analysers.taint.knowledge.tables import Knowledge, Sink
from burnish.analysers.taint.reading import read_answer
from burnish.model.assessment import Analysis
from tests.unit.analysers.taint.follow import follow, known


class Falls:
    """Looks like a pattern, and fails like a mistake of ours."""

    def search(self, text: str) -> object:
        raise ZeroDivisionError("a case without code")


FILES = {
    "a.py": "import b\nfrom lab import sink, falls\ndef f(x):\n    b.run(x)\n    falls(x)\ndef g():\n    sink('ls')\n",
    "b.py": "from lab import sink\ndef run(x):\n    sink('ls')\n",
    "c.py": "from lab import sink, source\ndef f():\n    sink('ls')\n    sink(source())\n",
}


def knowing() -> Knowledge:
    made = known()
    made.sinks["lab.falls"] = [Sink("command", shape=Falls())]  # type: ignore[arg-type]
    return made


def answer(files: dict[str, str], knowledge: Knowledge) -> tuple[Pass, Analysis]:
    looking = follow(files, knowledge)
    return looking, read_answer([*_lines(looking), {"kind": "end"}], frozenset(files))


def test_other_functions_and_files_go_on() -> None:
    _, told = answer(FILES, knowing())
    assert [(one.file, one.line) for one in told.findings] == [("c.py", 4)]
    assert [one.path for one in told.not_reviewed] == ["a.py"]
    assert (
        "f(): could not be followed, a bug of the data-flow pass (ZeroDivisionError"
        in told.not_reviewed[0].why
    )


def test_nothing_is_cleared_in_its_file_nor_in_what_that_imports() -> None:
    _, told = answer(FILES, knowing())
    assert [(one.file, one.line) for one in told.cleared] == [("c.py", 3)]
    _, whole = answer(FILES, known())
    assert {(one.file, one.line) for one in whole.cleared} >= {("a.py", 7), ("b.py", 3), ("c.py", 3)}


def test_the_log_says_where_in_the_pass_it_happened() -> None:
    _, told = answer(FILES, knowing())
    assert told.raw.startswith("bug of the data-flow pass, please report it: a.py:3 f(): ZeroDivisionError")
    assert "test_bugs.py" in told.raw
    assert "sinks.py" in told.raw


def test_a_limit_is_no_bug() -> None:
    looking = follow(
        {"a.py": "from lab import sink\ndef f(x):\n    y = " + "(" * 90 + "x" + ")" * 90 + "\n" * 2}
    )
    assert not looking.report.bugs
