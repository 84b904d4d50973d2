"""What the change brought is told apart from what was there."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from pathlib import Path

from burnish.model.assessment import Analysis
from burnish.model.review import Finding, FlowStep, Severity
from burnish.model.subject import FileStatus, ReviewMode, Subject, SubjectFile
from burnish.ports import Source
from burnish.store.memory import MemoryRun
from burnish.workflows.analysing import Analysing, mark_new

HEAD, BASE = Source(Path("/head"), "h"), Source(Path("/base"), "b")


@dataclass(frozen=True)
class Told:
    """An analyser that says what it was told to say of each tree."""

    head: tuple[Finding, ...] = ()
    base: tuple[Finding, ...] = ()
    broken: str = ""
    name: str = "told"

    def missing(self) -> str:
        return "not installed" if self.broken == "missing" else ""

    def wants(self, files: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(file for file in files if file.endswith(".py"))

    async def analyse(self, source: Source, files: tuple[str, ...]) -> Analysis:
        if self.broken == source.tree:
            return Analysis(self.name, failed="crashed")
        return Analysis(self.name, findings=self.head if source.tree == "h" else self.base)


def at(line: int, words: str = "eval(x)", file: str = "a.py", rule: str = "told:S1") -> Finding:
    return Finding("eval", file=file, line=line, snippet=words, rule=rule)


def analysed(
    told: Told, *files: SubjectFile, everything: bool = False, base: Source | None = BASE
) -> Analysis:
    subject = Subject(
        ReviewMode.SESSION if base else ReviewMode.MODULE, "x", "h", "b",
        files=files or (SubjectFile("a.py", FileStatus.MODIFIED),),
    )  # fmt: skip
    analysing = Analysing((told,), HEAD, base, everything)
    [found] = asyncio.run(analysing.analyse(MemoryRun(), subject, 1))
    return found


def test_the_base_is_not_looked_at_where_nothing_was_found() -> None:
    looked: list[str] = []

    class Looking(Told):
        async def analyse(self, source: Source, files: tuple[str, ...]) -> Analysis:
            looked.append(source.tree)
            return await super().analyse(source, files)

    analysed(Looking())
    assert looked == ["h"]
    analysed(Looking(head=(at(1),)))
    assert looked == ["h", "h", "b"]


def test_a_finding_whose_line_moved_is_not_new() -> None:
    found = analysed(Told(head=(at(40),), base=(at(3, "eval( x )"),)))
    assert found.findings == ()
    assert len(found.unchanged) == 1


def test_one_more_of_the_same_is_new() -> None:
    found = analysed(Told(head=(at(3), at(9)), base=(at(3),)))
    assert [finding.line for finding in found.findings] == [9]


def test_with_everything_old_ones_are_told_and_marked() -> None:
    found = analysed(Told(head=(at(3), at(9)), base=(at(3),)), everything=True)
    assert [finding.is_new for finding in found.findings] == [False, True]


def test_a_renamed_file_brings_nothing_new() -> None:
    moved = SubjectFile("new.py", FileStatus.RENAMED, "a.py")
    found = analysed(Told(head=(at(3, file="new.py"),), base=(at(3),)), moved)
    assert found.findings == ()


def test_an_added_file_is_all_new() -> None:
    found = analysed(Told(head=(at(3),), base=(at(3),)), SubjectFile("a.py", FileStatus.ADDED))
    assert [finding.is_new for finding in found.findings] == [True]


def test_without_an_answer_about_the_base_all_of_it_is_told() -> None:
    found = analysed(Told(head=(at(3),), base=(at(3),), broken="b"))
    assert [finding.is_new for finding in found.findings] == [None]


def test_an_analyser_that_is_missing_or_crashes_says_so_and_finds_nothing() -> None:
    assert analysed(Told(head=(at(3),), broken="missing")).failed == "not installed"
    assert analysed(Told(head=(at(3),), broken="h")).failed == "crashed"


def test_a_module_review_tells_of_the_paths_asked_for_only() -> None:
    found = analysed(Told(head=(at(3), at(1, file="other.py"))), SubjectFile("a.py"), base=None)
    assert [finding.file for finding in found.findings] == ["a.py"]


def test_a_newly_red_test_is_critical_and_an_old_one_is_not() -> None:
    red = Finding("test_x fails", file="t.py", line=3, rule="tests:fail")
    assert mark_new((red,), (), {})[0].severity is Severity.CRITICAL
    assert mark_new((red,), (red,), {})[0].severity is Severity.HIGH


def test_a_test_that_was_red_stays_old_wherever_it_fails_and_its_neighbour_is_new() -> None:
    base = (Finding("Test fails: t.py::test_p[2]", file="a.py", line=3, rule="tests:failing"),)
    head = tuple(
        Finding(f"Test fails: t.py::test_p[{number}]", file="b.py", line=1, rule="tests:failing")
        for number in (1, 2)
    )
    assert [(finding.is_new, finding.severity) for finding in mark_new(head, base, {})] == [
        (True, Severity.CRITICAL),
        (False, Severity.HIGH),
    ]


def test_in_a_module_review_a_flow_counts_that_leads_through_a_file_of_it() -> None:
    through = replace(at(3, file="elsewhere.py"), flow=(FlowStep("a.py", 1), FlowStep("elsewhere.py", 3)))
    told = Told(head=(through, at(3, file="elsewhere.py")))
    assert analysed(told, SubjectFile("a.py"), base=None).findings == (through,)


def test_a_flow_from_another_source_to_the_same_place_is_new() -> None:
    argv = replace(at(3), flow=(FlowStep("a.py", 1, snippet="x = sys.argv[1]"), FlowStep("a.py", 3)))
    moved = replace(argv, line=9, flow=(FlowStep("a.py", 7, snippet="x =  sys.argv[1]"), FlowStep("a.py", 9)))
    asked = replace(argv, flow=(FlowStep("a.py", 1, snippet="x = request.args['x']"), FlowStep("a.py", 3)))
    assert [found.is_new for found in mark_new((moved,), (argv,), {})] == [False]
    assert [found.is_new for found in mark_new((asked,), (argv,), {})] == [True]
    there = replace(argv, file="b.py", flow=(replace(argv.flow[0], file="b.py"), FlowStep("b.py", 3)))
    assert [found.is_new for found in mark_new((there,), (argv,), {"a.py": "b.py"})] == [False]
