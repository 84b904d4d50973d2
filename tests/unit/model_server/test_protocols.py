"""What goes over the wire, in each protocol."""

from __future__ import annotations

import json
import time

import pytest

from tests.model_server import Answer, Drop, Edit, ModelServer, Read, Refuse, Run, Say, Scene, Stall, Write
from tests.unit.model_server.client import Claude, Codex, Heard

ASKERS = pytest.mark.parametrize("asker", [Claude, Codex])


def delta_text(heard: Heard) -> str:
    return "".join(
        event["delta"]["text"] if isinstance(event["delta"], dict) else event["delta"]
        for name, event in heard.events
        if name in ("content_block_delta", "response.output_text.delta")
    )


def calls(heard: Heard) -> list[dict[str, object]]:
    """The tools that an answer of either protocol calls."""
    found = []
    for name, event in heard.events:
        if name == "response.output_item.done" and event["item"]["type"].endswith("_call"):
            item = event["item"]
            given = json.loads(item["arguments"]) if "arguments" in item else item["input"]
            found.append({"name": item["name"], "given": given})
        if name == "content_block_start" and event["content_block"]["type"] == "tool_use":
            told = "".join(
                e["delta"].get("partial_json", "")
                for n, e in heard.events
                if n.endswith("_delta") and "delta" in e
            )
            found.append({"name": event["content_block"]["name"], "given": json.loads(told)})
    return found


@ASKERS
def test_text_comes_in_pieces_and_ends_properly(asker: type[Claude] | type[Codex]) -> None:
    text = "Schöne Grüße, " * 20
    with ModelServer([Scene([Say(text)])]) as server:
        heard = asker(server).ask()
    assert heard.headers["content-type"] == "text/event-stream"
    assert delta_text(heard) == text
    assert heard.events[-1][0] in ("message_stop", "response.completed")
    assert all(name == event["type"] for name, event in heard.events)


@ASKERS
def test_the_same_without_a_stream(asker: type[Claude] | type[Codex]) -> None:
    with ModelServer([Scene([Say("hello")])]) as server:
        heard = asker(server, stream=False).ask()
    assert heard.headers["content-type"] == "application/json"
    assert heard.json["usage"]["input_tokens"] == 100
    assert "hello" in json.dumps(heard.json)


@ASKERS
@pytest.mark.parametrize("status", [400, 401, 429, 500, 529])
def test_a_refusal_has_the_form_of_the_protocol(asker: type[Claude] | type[Codex], status: int) -> None:
    told = Refuse(status, "no more", headers={"retry-after": "7"})
    with ModelServer([Scene([told, Say("fine")])]) as server:
        asked = asker(server)
        heard = asked.ask()
        assert (heard.status, heard.headers["retry-after"]) == (status, "7")
        assert heard.json["error"]["message"] == "no more"
        assert heard.json["error"]["type"]
        assert delta_text(asked.ask()) == "fine"


@ASKERS
def test_a_dropped_connection_has_a_beginning_and_no_end(asker: type[Claude] | type[Codex]) -> None:
    with ModelServer([Scene([Drop()])]) as server:
        heard = asker(server).ask()
    assert heard.broken
    assert len(heard.events) == 2


def test_a_connection_can_be_dropped_before_anything_was_said() -> None:
    with ModelServer([Scene([Drop(events=0)])]) as server, pytest.raises(ConnectionError):
        Claude(server).ask()


def test_a_stall_is_as_long_as_it_says() -> None:
    with ModelServer([Scene([Stall(seconds=0.3)])]) as server:
        began = time.monotonic()
        heard = Claude(server).ask()
        took_s = time.monotonic() - began
    assert heard.broken
    assert took_s >= 0.3


def test_a_delay_comes_before_the_answer() -> None:
    with ModelServer([Scene([Say("late", after_s=0.3)])]) as server:
        began = time.monotonic()
        Claude(server).ask()
        assert time.monotonic() - began >= 0.3


def test_a_slow_model_pauses_between_pieces() -> None:
    with ModelServer([Scene([Say("x" * 120, pause_s=0.1)])]) as server:
        began = time.monotonic()
        assert delta_text(Claude(server).ask()) == "x" * 120
        assert time.monotonic() - began >= 0.3


def test_claude_reads_before_it_edits_and_gets_absolute_paths() -> None:
    with ModelServer([Scene([Edit("src/a.py", "old", "new"), Say("done")])]) as server:
        asked = Claude(server)
        [read], [edit] = calls(asked.ask()), calls(asked.ask())
        assert read == {"name": "Read", "given": {"file_path": "/home/x/repo/src/a.py"}}
        assert edit["name"] == "Edit"
        change = {"old_string": "old", "new_string": "new", "replace_all": False}
        assert edit["given"] == {"file_path": "/home/x/repo/src/a.py", **change}
        assert delta_text(asked.ask()) == "done"


def test_claude_writes_reads_and_runs() -> None:
    with ModelServer([Scene([Write("n", "x\n"), Read("n"), Run("make")])]) as server:
        asked = Claude(server)
        names = [calls(asked.ask())[0]["name"] for _ in range(3)]
    assert names == ["Write", "Read", "Bash"]


def test_a_structured_answer_goes_through_the_tool_for_it_where_there_is_one() -> None:
    with ModelServer([Scene([Answer({"verdict": "pass"})], plays=0)]) as server:
        [call] = calls(Claude(server, tools=("Read", "StructuredOutput")).ask())
        assert call == {"name": "StructuredOutput", "given": {"verdict": "pass"}}
        assert json.loads(delta_text(Claude(server, session="b").ask())) == {"verdict": "pass"}
        assert json.loads(delta_text(Codex(server, session="c").ask())) == {"verdict": "pass"}


def test_codex_edits_by_patch() -> None:
    with ModelServer([Scene([Edit("a.py", "old\nlines", "new"), Write("n", "x\ny\n")])]) as server:
        asked = Codex(server)
        [edit], [written] = calls(asked.ask()), calls(asked.ask())
    patch = "*** Begin Patch\n*** Update File: a.py\n@@\n-old\n-lines\n+new\n*** End Patch\n"
    assert edit == {"name": "apply_patch", "given": patch}
    assert written["given"] == "*** Begin Patch\n*** Add File: n\n+x\n+y\n*** End Patch\n"


def test_codex_edits_by_shell_where_no_patch_tool_is_offered() -> None:
    shell = (("function", "exec_command"),)
    with ModelServer([Scene([Edit("a.py", "old", "new"), Run("make")])]) as server:
        asked = Codex(server, tools=shell)
        [edit], [run] = calls(asked.ask()), calls(asked.ask())
    assert edit["name"] == "exec_command"
    assert "a.py old new" in edit["given"]["cmd"]  # type: ignore[index]
    assert run == {"name": "exec_command", "given": {"cmd": "make"}}


def test_codex_calls_its_tools_from_javascript_where_they_are_in_the_input() -> None:
    with ModelServer([Scene([Edit("a.py", "old", "new"), Run("make")])]) as server:
        asked = Codex(server, tools=(("custom", "exec"), ("function", "wait")), lite=True)
        [edit], [run] = calls(asked.ask()), calls(asked.ask())
        assert "a tool" not in server.asked[0].said
    assert edit["name"] == run["name"] == "exec"
    assert "tools.apply_patch(" in str(edit["given"])
    assert 'tools.exec_command({"cmd": "make"})' in str(run["given"])
