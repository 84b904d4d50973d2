"""The tools for host agents: what each refuses, in one sentence, and what every input can be."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from burnish.app.place import STANDING
from burnish.errors import BurnishError, UsageError
from burnish.mcp.host_tools import TOOLS, answer, sentence
from burnish.mcp.reviews import Reviews
from burnish.tools import inputs
from tests.cli import burnish, program
from tests.repos import TestRepo

NOWHERE = "/nowhere/at/all"


def refusal(tool: str, arguments: dict[str, Any], folder: Path | None = None) -> str:
    where = {"repository": str(folder)} if folder and "repository" not in arguments else {}
    with pytest.raises(BurnishError) as caught:
        asyncio.run(answer(tool, {**where, **arguments}, Reviews(), "test host"))
    return sentence(caught.value)


def test_bad_input_is_one_sentence(repo: Callable[..., TestRepo]) -> None:
    mine = repo({"app.py": "x = 1\n"})
    for tool, arguments, words in (
        ("review_start", {"agent": "sh"}, "expected an agent out of claude, codex"),
        ("review_start", {"agent": "claude; rm -rf /"}, "'agent': string should match pattern"),
        ("review_start", {"base": "nowhere"}, "'nowhere' is not a commit or branch"),
        ("review_start", {"base": "HEAD", "commit": "HEAD"}, "expected one of"),
        ("review_start", {"targets": ["../x"]}, "leads out of it"),
        ("review_start", {"command": "x"}, "'command' is not known"),
        ("review_status", {"run": "r-none"}, "there is no run 'r-none'"),
        ("review_status", {"run": "../../etc"}, "'run': string should match pattern"),
        ("finding_dispute", {"finding": "F99", "why": "there is no such finding"}, "no finding has it"),
        ("task_add", {"prompt": "x", "type": "magic"}, "'type': input should be"),
        ("task_add", {"prompt": " "}, "found an empty prompt"),
        ("task_add", {"prompt": "x", "dependsOn": [7]}, "7"),
        ("task_status", {"task": "12"}, "12"),
        ("task_status", {"repository": "relative"}, "expected the whole path of a folder as 'repository'"),
        ("answer", {"run": "r-none", "text": "yes"}, "r-none"),
        ("answer", {"run": "1", "text": ""}, "'text': string should have at least 1 character"),
        ("receipt_get", {}, "'run' is missing"),
        ("receipt_get", {"run": "r-none"}, "there is no run 'r-none'"),
        ("receipt_get", {"run": "./planted.json"}, "'run': string should match pattern"),
        ("nothing", {}, "there is no tool 'nothing'"),
    ):  # fmt: skip
        said = refusal(tool, arguments, mine.path)
        assert words in said, (tool, arguments, said)
        assert "\n" not in said


def test_a_folder_that_is_no_repository_is_told(tmp_path: Path) -> None:
    for tool in ("task_status", "findings_list"):
        assert "is not inside a git repository" in refusal(tool, {}, tmp_path)
    assert "is not inside a git repository" in refusal("review_start", {}, tmp_path)


def test_where_one_call_stands_is_not_where_the_next_one_does(repo: Callable[..., TestRepo]) -> None:
    first, second = repo({"a.py": "x = 1\n"}), repo({"b.py": "x = 1\n"})

    async def both() -> tuple[Any, Any]:
        reviews = Reviews()
        await answer("task_add", {"repository": str(first.path), "prompt": "One"}, reviews, "")
        assert STANDING.get() is None
        return await asyncio.gather(
            answer("task_status", {"repository": str(first.path)}, reviews, ""),
            answer("task_status", {"repository": str(second.path)}, reviews, ""),
        )

    one, other = asyncio.run(both())
    assert (one["total"], other["total"]) == (1, 0)


def test_text_of_others_cannot_steer_a_terminal(repo: Callable[..., TestRepo]) -> None:
    mine = repo({"a.py": "x = 1\n"})

    async def story() -> Any:
        where = {"repository": str(mine.path)}
        await answer("task_add", {**where, "prompt": "Add \x1b[2J login"}, Reviews(), "")
        return await answer("task_status", {**where, "task": "1"}, Reviews(), "")

    assert asyncio.run(story())["prompt"] == "Add \\x1b[2J login"


def test_no_tool_takes_a_program_to_run() -> None:
    taken = {name for tool in TOOLS.values() for name in tool.input.model_fields}
    assert not taken & {"gate", "command", "reviewer", "fixer", "implementer", "flags", "sandbox", "sarif"}


@settings(deadline=None)
@given(
    st.sampled_from(sorted(TOOLS)),
    st.dictionaries(
        st.sampled_from(sorted({name for tool in TOOLS.values() for name in tool.input.model_fields})),
        st.none()
        | st.booleans()
        | st.integers()
        | st.text(max_size=20)
        | st.lists(st.text(max_size=5), max_size=3),
        max_size=5,
    ),
)
def test_whatever_a_host_sends_is_read_or_refused(tool: str, arguments: dict[str, Any]) -> None:
    found, problems = inputs.read(TOOLS[tool].input, arguments)
    said = {name: value for name, value in arguments.items() if value is not None}
    assert found == ({} if problems else said)


@settings(deadline=None)
@given(st.text(max_size=40))
def test_a_repository_is_a_folder_by_its_whole_path_or_refused(folder: str) -> None:
    with pytest.raises(UsageError):
        asyncio.run(answer("task_status", {"repository": f"{NOWHERE}{folder}"}, Reviews(), ""))


def test_a_waiting_question_is_answered_in_the_name_of_whoever_asked_for_it(
    repo: Callable[..., TestRepo], tmp_path: Path
) -> None:
    mine = repo({"app.py": "x = 1\n"})
    writer = program(tmp_path / "agents", "writer", "Path('app.py').write_text('x = 2\\n')\n")
    talks = program(tmp_path / "agents", "talks", "print('Euros?\\n\\n**Verdict: NEEDS_DISCUSSION**')\n")
    said = burnish(mine.path, "run", "Add prices", "--agent", writer, "--reviewer", talks, "--json")
    run = said.end["run"]

    async def story() -> Any:
        where = {"repository": str(mine.path), "run": run}
        told = await answer("answer", {**where, "text": "use euros"}, Reviews(), "test host")
        return told, await answer("review_status", where, Reviews(), "test host")

    told, status = asyncio.run(story())
    assert "answered by test host over MCP for" in told["said"]
    assert told["next"] == f"`burnish resume {run}` goes on with it"
    assert status["state"] == "interrupted"
