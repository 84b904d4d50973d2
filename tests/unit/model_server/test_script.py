"""Who gets which turn: scenes, conversations, repeats, side requests, and what is recorded."""

from __future__ import annotations

import http.client
import json
import threading
from pathlib import Path

import pytest

from tests.model_server import Answer, Drop, Edit, ModelServer, Refuse, Say, Scene, Stall
from tests.model_server.__main__ import scenes
from tests.model_server.script import EXHAUSTED
from tests.unit.model_server.client import Claude, Codex, post


def text_of(heard: object) -> str:
    return str(heard.json["content"][0]["text"])  # type: ignore[attr-defined]


def quiet(server: ModelServer, **told: object) -> Claude:
    return Claude(server, stream=False, **told)  # type: ignore[arg-type]


def test_a_conversation_gets_its_turns_in_order_and_another_begins_at_the_next_scene() -> None:
    with ModelServer([Scene([Say("one"), Say("two")]), Scene([Say("other")])]) as server:
        first, second = quiet(server, session="a"), quiet(server, session="b")
        heard = [text_of(asked.ask()) for asked in (first, second, first)]
        assert heard == ["one", "other", "two"]
        assert server.script.left == []
        assert [seen.scene for seen in server.asked] == [0, 1, 0]


def test_a_scene_is_for_the_requests_in_which_its_words_are_found() -> None:
    told = [Scene([Say("a fix")], when="Fix .* now"), Scene([Say("a review")], when="[Rr]eview")]
    with ModelServer(told) as server:
        assert text_of(quiet(server, prompt="please review", session="a").ask()) == "a review"
        assert server.script.left == [0]
        assert text_of(quiet(server, prompt="Fix all now", session="b").ask()) == "a fix"


def test_when_the_script_is_at_its_end_the_answer_says_so_and_it_is_recorded() -> None:
    with ModelServer([Scene([Say("one")])]) as server:
        assert text_of(quiet(server).ask()) == "one"
        assert text_of(quiet(server).ask()) == EXHAUSTED
        assert [seen.exhausted for seen in server.asked] == [False, True]


def test_a_turn_is_given_as_often_as_it_says() -> None:
    with ModelServer([Scene([Say("again", times=2), Say("last", times=0)])]) as server:
        heard = [text_of(quiet(server).ask()) for _ in range(5)]
        assert heard == ["again", "again", "last", "last", "last"]


def test_a_scene_for_all_conversations_is_played_for_each_from_its_beginning() -> None:
    with ModelServer([Scene([Say("one"), Say("two")], plays=0)]) as server:
        heard = [text_of(quiet(server, session=name).ask()) for name in "abcab"]
        assert heard == ["one", "one", "one", "two", "two"]


def test_a_scene_that_cuts_in_is_played_in_the_middle_of_another() -> None:
    stop = Scene([Say("stopping")], when="STOP NOW", cuts_in=True)
    with ModelServer([Scene([Say("working", times=0)]), stop]) as server:
        assert text_of(quiet(server).ask()) == "working"
        assert text_of(quiet(server, prompt="STOP NOW").ask()) == "stopping"
        assert server.script.left == []


def test_a_request_without_tools_is_a_side_request_and_uses_up_nothing() -> None:
    with ModelServer([Scene([Say("one")])]) as server:
        assert text_of(quiet(server, tools=()).ask()) == "ok"
        assert text_of(quiet(server).ask()) == "one"
        assert len(server.requests) == 2
        assert len(server.asked) == 1


def test_a_scene_may_ask_for_requests_without_tools() -> None:
    with ModelServer([Scene([Say("one")], without_tools=True, when="It")]) as server:
        assert text_of(quiet(server, tools=(), prompt="a title").ask()) == "ok"
        assert text_of(quiet(server, tools=(), prompt="It is the task").ask()) == "one"


def test_all_is_recorded_but_keys(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    with ModelServer([Scene([Say("one"), Say("two")], plays=0)], log=log) as server:
        Claude(server, prompt="the whole prompt").ask()
        Codex(server, prompt="another prompt").ask()
        first, second = server.asked
    assert first.path == "/v1/messages?beta=true"
    assert "the whole prompt" in first.said
    assert "a tool" not in first.said + second.said
    assert (first.protocol, second.protocol) == ("messages", "responses")
    assert "another prompt" in str(second.body)
    assert first.headers["x-claude-code-session-id"] == "s-1"
    lines = [json.loads(line) for line in log.read_text("utf8").splitlines()]
    assert [line["protocol"] for line in lines] == ["messages", "responses"]
    assert "a-secret-key" not in log.read_text("utf8") + repr(first) + repr(second)


def test_a_waiting_test_is_told_when_a_scene_begins() -> None:
    with ModelServer([Scene([Say("slow", after_s=0.2)])]) as server:
        assert server.wait_for(0, timeout_s=0.05) is None
        asker = threading.Thread(target=Claude(server).ask)
        asker.start()
        seen = server.wait_for(0, timeout_s=5)
        assert seen is not None
        assert seen.scene == 0
        asker.join()


def test_the_end_does_not_wait_for_a_stalled_connection() -> None:
    heard = []
    with ModelServer([Scene([Stall(seconds=60)])]) as server:
        asker = threading.Thread(target=lambda: heard.append(Claude(server, timeout_s=60).ask()))
        asker.start()
        assert server.wait_for(0, timeout_s=5)
    asker.join(5)
    assert not asker.is_alive()
    assert heard[0].broken


def test_what_nobody_serves_is_not_found() -> None:
    with ModelServer([]) as server:
        assert post(server, "/v1/elsewhere", {}).status == 404
        assert post(server, "/v1/messages/count_tokens", {}).json == {"input_tokens": 42}


def test_a_script_can_be_a_file() -> None:
    text = """
    [[scene]]
    when = "Fix"
    plays = 0
    turns = [
        {do = "refuse", status = 429, headers = {retry-after = "2"}, times = 3},
        {do = "edit", path = "a.py", old = "x", new = "y", after_s = 0.5},
        {do = "answer", data = {verdict = "pass"}},
        {do = "drop"},
    ]
    """
    turns = (
        Refuse(429, headers={"retry-after": "2"}, times=3),
        Edit("a.py", "x", "y", after_s=0.5),
        Answer({"verdict": "pass"}),
        Drop(),
    )
    [scene] = scenes(text)
    assert (scene.when, scene.plays, tuple(scene.turns)) == ("Fix", 0, turns)


def test_whoever_uses_it_as_a_proxy_gets_nowhere_and_is_recorded() -> None:
    with ModelServer([]) as server:
        proxy = http.client.HTTPConnection("127.0.0.1", server.port, timeout=5)
        proxy.set_tunnel("telemetry.example", 443)
        with pytest.raises(OSError, match="502"):
            proxy.connect()
        proxy.close()
        assert post(server, "http://updates.example/latest", {}).status == 404
        assert server.elsewhere == ["telemetry.example:443", "http://updates.example/latest"]
