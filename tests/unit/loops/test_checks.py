"""Tasks and groups as an agent gives them: everything that is wrong is said at once, in sentences."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.errors import ContractViolation
from burnish.loops.answers import group_of, read_groups, read_tasks, task_of
from burnish.loops.checks import check_groups, check_tasks
from burnish.loops.grouping import apart, derive_groups, named_files
from burnish.loops.work import PlanGroup, PlannedTask


def task(name: str, *needs: str, about: str = "") -> PlannedTask:
    return PlannedTask(name, f"Do {name}", about, needs)


A, B, C = task("a"), task("b", "a"), task("c", "a")


def test_good_tasks_and_groups_have_no_errors() -> None:
    assert check_tasks((A, B, C)) == ()
    assert check_groups((A, B, C), (PlanGroup(0, ("a",)), PlanGroup(1, ("b", "c")))) == ()
    assert check_groups((A, B, C), (PlanGroup(7, ("b", "c")), PlanGroup(2, ("a",)))) == ()


def test_all_that_is_wrong_with_tasks_is_said_at_once() -> None:
    found = check_tasks(
        (
            PlannedTask("", "x"),
            PlannedTask("a/b", "x"),
            PlannedTask("one", " "),
            PlannedTask("ONE", "x", estimated_iterations=0),
            task("self", "self"),
            task("lost", "nowhere"),
            task("x", "y"),
            task("y", "z"),
            task("z", "x"),
            task("behind", "x"),
        )
    )
    assert [line.split(":")[0].split(" (")[0] for line in found] == [
        "the task id '' is not possible",
        "the task id 'a/b' is not possible",
        "2 tasks have the id 'one'",
        "the task 'one' has no title",
        "the task 'ONE' has 0 estimated iterations",
        "the task 'self' depends on itself",
        "the task 'lost' depends on 'nowhere', which is no task",
        "tasks depend on each other in a circle",
    ]
    assert "x -> y -> z -> x" in found[-1]


def test_no_tasks_and_no_groups_are_said_too() -> None:
    assert check_tasks(()) == ("there is no task: expected at least one",)
    assert check_groups((A,), ()) == ("there is no group: expected every task to be in one",)
    assert "at most 200" in check_tasks(tuple(task(f"t{number}") for number in range(201)))[0]


def test_all_that_is_wrong_with_groups_is_said_at_once() -> None:
    tasks = (A, B, C, task("d", about="in `src/app.py`"), task("e", about="Also `./src/app.py`."))
    groups = (
        PlanGroup(-1, ("d", "e")),
        PlanGroup(1, ("a", "b")),
        PlanGroup(1, ("a", "ghost")),
        PlanGroup(2, ()),
    )
    found = check_groups(tasks, groups)
    assert [line.split(":")[0].split(" (")[0] for line in found] == [
        "the group index -1 is not possible",
        "2 groups have the index 1",
        "group 2 has no task",
        "the task 'a' is in 2 groups or twice in one",
        "'ghost' is in a group and is no task",
        "the task 'c' is in no group",
        "the task 'b' is in group 1 and depends on 'a' in group 1",
        "the tasks 'd' and 'e' of group -1 name the same file src/app.py",
    ]


def test_files_are_what_stands_in_backticks_and_looks_like_one() -> None:
    about = (
        "Change `src/app.py` and `README.md`, run `make check`, call `parse()`, see `src/lib` and docs/x.md."
    )
    assert named_files(task("t", about=about)) == {"src/app.py", "README.md"}


def test_groups_come_from_dependencies_and_put_the_same_file_apart() -> None:
    one, two = task("one", "a", about="`app.py`"), task("two", "a", about="`app.py`")
    assert derive_groups((B, A, C)) == (PlanGroup(0, ("a",)), PlanGroup(1, ("b", "c")))
    assert derive_groups((A, one, two, C)) == (
        PlanGroup(0, ("a",)), PlanGroup(1, ("one", "c")), PlanGroup(2, ("two",)),
    )  # fmt: skip
    assert apart((A, one, two), (PlanGroup(5, ("one", "two")), PlanGroup(3, ("a",)))) == (
        PlanGroup(0, ("a",)), PlanGroup(1, ("one",)), PlanGroup(2, ("two",)),
    )  # fmt: skip
    with pytest.raises(ValueError, match="depends on itself"):
        derive_groups((task("x", "y"), task("y", "x")))


@st.composite
def any_tasks(draw: st.DrawFn) -> tuple[PlannedTask, ...]:
    """Tasks that only depend on earlier ones, in any order, some of which name the same files."""
    count = draw(st.integers(1, 8))
    files = st.sampled_from(("", "`a.py`", "`b.py` and `a.py`", "`c/d.py`"))
    made = []
    for number in range(count):
        needs = draw(st.sets(st.integers(0, number - 1))) if number else set()
        made.append(task(f"t{number}", *(f"t{one}" for one in sorted(needs)), about=draw(files)))
    return tuple(draw(st.permutations(made)))


@given(any_tasks())
def test_derived_groups_are_groups_without_errors(tasks: tuple[PlannedTask, ...]) -> None:
    assert check_tasks(tasks) == ()
    assert check_groups(tasks, derive_groups(tasks)) == ()


@given(any_tasks(), st.data())
def test_a_circle_is_always_found(tasks: tuple[PlannedTask, ...], data: st.DataObject) -> None:
    first = data.draw(st.sampled_from(tasks))
    behind = [one for one in tasks if first.id in one.dependencies]
    if not behind:
        return
    turned = replace(first, dependencies=(*first.dependencies, behind[0].id))
    tasks = tuple(turned if one is first else one for one in tasks)
    assert any("in a circle" in line for line in check_tasks(tasks))


def test_tasks_are_read_from_the_last_object_of_an_answer() -> None:
    text = """Drafting.
{"tasks": [{"id": "draft", "title": "No"}]}
{"interpretedIntent": "a tool", "tasks": [
  {"id": " task-1 ", "title": "Parse", "description": "In `p.py`.", "dependencies": [], "estimatedIterations": 3},
  {"id": "task-2", "title": "Print", "dependencies": ["task-1"]}]}

ENUMERATE_COMPLETE"""
    tasks, intent = read_tasks(text)
    assert intent == "a tool"
    assert tasks == (
        PlannedTask("task-1", "Parse", "In `p.py`.", (), 3),
        PlannedTask("task-2", "Print", "", ("task-1",), 10),
    )
    assert read_groups('{"groups": [{"groupIndex": 0, "taskIds": ["a", "b"]}]}') == (
        PlanGroup(0, ("a", "b")),
    )


def test_all_that_is_wrong_with_the_form_is_said_at_once() -> None:
    with pytest.raises(ContractViolation) as found:
        read_tasks('{"tasks": [{"id": 1, "title": ""}, "x", {"id": "a", "title": "t", "dependencies": "b"}]}')
    assert found.value.problems == (
        "task 1: 'id' must be a string, found the number 1",
        "task 1: 'title' is empty",
        "task 2 must be an object, found 'x'",
        "task 3: 'dependencies' must be an array, found 'b'",
    )
    with pytest.raises(ContractViolation, match="'groupIndex' must be a whole number, found nothing"):
        read_groups('{"groups": [{"taskIds": ["a"]}]}')
    with pytest.raises(ContractViolation, match="no JSON object with 'tasks' found"):
        read_tasks("There are three tasks.")
    with pytest.raises(ContractViolation, match="'taskIds' must be an array of ids"):
        group_of({"groupIndex": 0, "taskIds": [1]})


def test_a_tool_call_gives_the_same_task_as_words() -> None:
    given = {
        "id": "a",
        "title": "Do a",
        "description": None,
        "dependencies": None,
        "estimatedIterations": None,
    }
    assert task_of(given) == PlannedTask("a", "Do a")
    with pytest.raises(ContractViolation, match="the task: 'estimatedIterations' must be a whole number"):
        task_of({**given, "estimatedIterations": 1.5})
