"""Recordings: what an agent was asked and did, kept as a file, and the same again without the agent."""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.agents import _file_changes
from burnish.agents._cassette import read
from burnish.agents._file_changes import FileChange, redo
from burnish.agents._recording import recorded
from burnish.errors import AgentError, AgentFailed, AgentTimedOut, UsageError
from burnish.model.agent import Reply, Request
from burnish.model.step import Role
from burnish.ports import Agent
from burnish.workflows.ask import ask
from tests.unit.agents.desk import Desk

STEP = {"BURNISH_RUN": "r-1", "BURNISH_CYCLE": "1", "BURNISH_ASK": "1", "BURNISH_PART": ""}
USED = '{"tokens_in": 100, "tokens_out": 20, "cost_usd": 0.5, "model": "m"}'
CODEX = """\
#!/bin/sh
cat > /dev/null
echo '{"type":"thread.started","thread_id":"t-1"}'
echo 'fixed' > app.py
echo '{"type":"item.completed","item":{"id":"0","type":"agent_message","text":"{\\\\"verdict\\\\": \\\\"pass\\\\"}"}}'
echo '{"type":"turn.completed","usage":{"input_tokens":1000,"cached_input_tokens":400,"output_tokens":20}}'
echo 'a warning' >&2
"""


def fixing(desk: Desk, **variables: str) -> Request:
    return replace(desk.request("fix it in r-1"), role=Role.FIX, variables={**STEP, **variables})


def record(desk: Desk, agent: Agent, request: Request | None = None) -> Reply:
    return asyncio.run(ask(recorded(agent, desk.root / "tape"), request or fixing(desk)))


def play(desk: Desk, request: Request | None = None) -> Reply:
    return asyncio.run(ask(desk.agent("cassette:tape", environ={}), request or fixing(desk)))


def renewed(desk: Desk, content: str = "broken\n") -> None:
    shutil.rmtree(desk.workspace)
    shutil.rmtree(desk.outbox)
    (desk.workspace / "app.py").write_text(content)


def same(one: Reply, other: Reply) -> None:
    """Apart from how it was held, and parts of a second."""
    assert other.isolation == f"replayed ({one.isolation})"
    assert other.usage.seconds == pytest.approx(one.usage.seconds, abs=0.5)
    assert replace(one, isolation="", usage=replace(one.usage, seconds=0)) == replace(
        other, isolation="", usage=replace(other.usage, seconds=0)
    )


def test_a_command_is_played_again_with_its_words_its_files_and_what_it_used(desk: Desk) -> None:
    renewed(desk)
    (desk.workspace / "old.txt").write_text("x")
    script = (
        "rm old.txt; echo fixed > app.py; mkdir -p new; printf '\\377\\000' > new/data; ln -s app.py link;"
        " echo '#!/bin/sh' > run.sh; chmod +x run.sh; echo all done > $BURNISH_OUTPUT;"
        f" echo '{USED}' > $(dirname $BURNISH_OUTPUT)/usage.json; echo noise; echo warned >&2"
    )
    first = record(desk, desk.agent(f"/bin/sh -c {shlex.quote(script)}"))
    before = {path: (desk.workspace / path).read_bytes() for path in ("app.py", "new/data", "run.sh")}
    renewed(desk)
    (desk.workspace / "old.txt").write_text("x")
    again = play(desk)
    same(first, again)
    assert again.text == "all done\n"
    assert again.usage.cost_usd == 0.5
    assert {path: (desk.workspace / path).read_bytes() for path in before} == before
    assert not (desk.workspace / "old.txt").exists()
    assert (desk.workspace / "link").readlink() == Path("app.py")
    assert os.access(desk.workspace / "run.sh", os.X_OK)
    assert not os.access(desk.workspace / "app.py", os.X_OK)


def test_a_cli_is_played_again_through_the_parser_of_its_stream_and_without_the_cli(desk: Desk) -> None:
    renewed(desk)
    programs = desk.root / "bin"
    programs.mkdir()
    (programs / "codex").write_text(CODEX)
    (programs / "codex").chmod(0o755)
    environ = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "OPENAI_API_KEY": "sk-secret-1234"}
    first = record(desk, desk.agent("codex:gpt-5", environ=environ))
    assert (first.usage.tokens_in, first.usage.cached_in, first.session) == (1000, 400, "t-1")
    assert first.usage.estimated
    shutil.rmtree(programs)
    renewed(desk)
    same(first, play(desk))
    assert (desk.workspace / "app.py").read_text() == "fixed\n"
    (path,) = (desk.root / "tape").glob("*.jsonl")
    assert path.name == "0001-fix-1-1.jsonl"
    assert path.stat().st_mode & 0o777 == 0o600
    text = path.read_text()
    assert "sk-secret" not in text
    assert text.count("turn.completed") == 1
    assert "fix it in r-1" in text


def test_an_agents_failure_is_played_again_as_that_failure(desk: Desk) -> None:
    for spec, kind in (("/bin/sh -c 'echo no quota >&2; exit 3'", AgentFailed),):
        with pytest.raises(kind) as first:
            record(desk, desk.agent(spec))
        with pytest.raises(kind) as again:
            play(desk)
        assert (again.value.message, again.value.agent_exit) == (first.value.message, 3)


def test_one_that_was_stopped_before_its_end_has_no_answer_when_played(desk: Desk) -> None:
    with pytest.raises(AgentTimedOut):
        record(desk, desk.agent("/bin/sleep 30"), replace(fixing(desk), timeout_s=0.3))
    with pytest.raises(AgentTimedOut):
        play(desk)

    async def cancelled() -> None:
        task = asyncio.create_task(
            ask(recorded(desk.agent("/bin/sleep 30"), desk.root / "cut"), fixing(desk))
        )
        await asyncio.sleep(0.5)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(cancelled())
    with pytest.raises(AgentTimedOut, match="was stopped before its end when this was recorded"):
        asyncio.run(ask(desk.agent("cassette:cut"), fixing(desk)))


def test_agents_that_were_asked_in_turn_are_played_in_turn(desk: Desk) -> None:
    renewed(desk)
    fails = f"echo '{USED}' > $(dirname $BURNISH_OUTPUT)/usage.json; exit 1"
    first = record(desk, desk.agent(f"fallback:/bin/sh -c {shlex.quote(fails)}|/bin/echo two"))
    again = play(desk)
    assert len(list((desk.root / "tape").iterdir())) == 2
    assert (again.text, again.usage.tokens, again.usage.cost_usd) == ("two\n", 120, 0.5)
    assert (first.text, first.usage.tokens, first.usage.cost_usd) == ("two\n", 120, 0.5)


def test_a_recording_is_found_by_its_step_and_of_several_runs_by_its_prompt(desk: Desk) -> None:
    for run, word in (("r-1", "one"), ("r-2", "two")):
        request = replace(
            fixing(desk, BURNISH_RUN=run), prompt=f"{word} in {run} at {desk.outbox}", timeout_s=10.0
        )
        record(desk, desk.agent(f"/bin/echo {word}"), request)
    record(desk, desk.agent("/bin/echo later"), fixing(desk, BURNISH_CYCLE="2"))
    two = replace(fixing(desk, BURNISH_RUN="r-77"), prompt=f"two in r-77 at {desk.outbox}")
    assert play(desk, two).text == "two\n"
    assert play(desk, fixing(desk, BURNISH_RUN="r-9")).text == "one\n"
    assert play(desk, fixing(desk, BURNISH_CYCLE="2")).text == "later\n"
    with pytest.raises(AgentFailed, match="has no recording of fix, cycle 3, ask 1") as found:
        play(desk, fixing(desk, BURNISH_CYCLE="3"))
    assert found.value.hint == "it has: fix, cycle 1, ask 1; fix, cycle 2, ask 1"


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (lambda text: text[: len(text) // 2], "not lines of JSON"),
        (lambda text: text.splitlines()[0] + "\n", "it has no end"),
        (lambda text: "", "not lines of JSON"),
        (lambda text: "hello\n", "not lines of JSON"),
        (lambda text: text.replace('"answered"', '"replied"'), "a field of it is missing"),
        (lambda text: text.replace('"kind":"command"', '"kind":"tape"'), "a field of it is missing"),
        (
            lambda text: text.replace('"cassette":1', '"cassette":2'),
            "of format 2, this Burnish reads format 1",
        ),
    ],
)
def test_a_damaged_or_other_recording_is_told_in_a_sentence(
    desk: Desk, damage: Callable[[str], str], why: str
) -> None:
    record(desk, desk.agent("/bin/echo hi"))
    (path,) = (desk.root / "tape").glob("*.jsonl")
    path.write_text(damage(path.read_text()))
    with pytest.raises(UsageError, match=why) as found:
        desk.agent("cassette:tape")
    assert str(path) in found.value.message
    assert "\n" not in found.value.message


@pytest.mark.parametrize("spec", ["", "nowhere", "workspace"])
def test_a_folder_without_recordings_is_refused(desk: Desk, spec: str) -> None:
    desk.request()
    with pytest.raises(UsageError, match="expected cassette:DIR"):
        desk.agent(f"cassette:{spec}")


@pytest.mark.parametrize(
    "path", ["../out", "/etc/x", ".git/config", "a/.GIT/hooks/x", "", "link/x", "a/../../x"]
)
def test_a_recording_writes_nothing_outside_of_the_workspace(desk: Desk, path: str) -> None:
    desk.request()
    outside = desk.root / "outside"
    outside.mkdir()
    (desk.workspace / "link").symlink_to(outside)
    with pytest.raises(AgentError):
        redo(desk.workspace, (FileChange(path, b"escaped"),))
    assert list(outside.iterdir()) == []
    assert not (desk.root / "out").exists()


def test_a_link_in_the_place_of_a_file_is_replaced_not_followed(desk: Desk) -> None:
    (desk.workspace / "app.py").symlink_to(desk.root / "target")
    redo(desk.workspace, (FileChange("app.py", b"new"),))
    assert not (desk.root / "target").exists()
    assert not (desk.workspace / "app.py").is_symlink()


@given(
    st.dictionaries(
        st.text("ab", min_size=1, max_size=3).map(lambda name: f"{name}.x"),
        st.binary(max_size=20),
        max_size=5,
    ),
    st.dictionaries(
        st.text("ab", min_size=1, max_size=3).map(lambda name: f"d/{name}.x"),
        st.binary(max_size=20),
        max_size=5,
    ),
)
def test_what_changed_done_again_gives_the_same_files(
    tmp_path_factory: pytest.TempPathFactory, first: dict[str, bytes], second: dict[str, bytes]
) -> None:
    made, again = tmp_path_factory.mktemp("made"), tmp_path_factory.mktemp("again")
    for folder in (made, again):
        for name, data in first.items():
            (folder / name).write_bytes(data)
    before = _file_changes.look(made)
    for name in list(first)[::2]:
        (made / name).unlink()
    redo(made, tuple(FileChange(name, data) for name, data in second.items()))
    redo(again, _file_changes.changes(made, before))
    assert {name: (made / name).read_bytes() for name in _file_changes.look(made)} == {
        name: (again / name).read_bytes() for name in _file_changes.look(again)
    }


def test_a_recording_of_another_prompt_is_played_and_says_so(desk: Desk) -> None:
    renewed(desk)
    record(desk, desk.agent("/bin/sh -c 'echo fine'"))
    assert play(desk).remarks == ()
    again = replace(fixing(desk, BURNISH_RUN="r-2"), prompt="fix it in r-2")
    assert play(desk, again).remarks == ()
    [remark] = play(desk, replace(fixing(desk), prompt="something else")).remarks
    assert "fix, cycle 1, ask 1 was the answer to another prompt" in remark
    shutil.rmtree(desk.root / "tape")
    with pytest.raises(AgentFailed):
        record(desk, desk.agent("/bin/sh -c 'exit 3'"))
    with pytest.raises(AgentFailed) as found:
        play(desk, replace(fixing(desk), prompt="something else"))
    assert "status 3" in found.value.message
    assert "another prompt" in found.value.message


def test_a_recording_can_be_read_back(desk: Desk) -> None:
    request = replace(fixing(desk), schema={"type": "object"})
    record(desk, desk.agent("/bin/echo hi"), request)
    (path,) = (desk.root / "tape").glob("*.jsonl")
    call = read(path)
    assert call.key == ("fix", "1", "1", "")
    assert call.request["schema"] == {"type": "object"}
    assert call.request["prompt"] == "fix it in r-1"
    assert call.answered
