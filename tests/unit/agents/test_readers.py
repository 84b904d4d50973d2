"""What CLIs print becomes events, and never an answer without the event that says it is done."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from burnish.agents._adapter import StreamReader
from burnish.agents._codex_record import denials
from burnish.agents.claude import ClaudeReader
from burnish.agents.codex import CodexReader
from burnish.model.agent import Usage
from burnish.model.agent_events import (
    AgentEvent,
    AgentTrouble,
    Denied,
    Ended,
    Failed,
    Retried,
    Started,
    Text,
    ToolUsed,
    Used,
)
from tests.unit.agents.clis import sample, samples


def reader(cli: str, *, schema: bool = False, reads: bool = False) -> StreamReader:
    return ClaudeReader(schema=schema) if cli == "claude" else CodexReader(schema=schema, reads=reads)


def events(cli: str, name: str, **more: Any) -> list[AgentEvent]:
    reading = reader(cli, **more)
    return [event for line in sample(cli, name).splitlines() for event in reading.line(line.encode())]


def last(cli: str, name: str, **more: Any) -> AgentEvent:
    return events(cli, name, **more)[-1]


def test_a_fix_of_claude_is_told_from_start_to_end() -> None:
    found = events("claude", "fix")
    assert found[0] == Started("00000000-0000-4000-8000-000000000001", "claude-opus-5-5", "2.1.325")
    assert [event for event in found if isinstance(event, ToolUsed)] == [
        ToolUsed("Read", "/repo/calc.py"),
        ToolUsed("Edit", "/repo/calc.py"),
    ]
    assert Text("I will edit it.") in found
    assert found[-1] == Ended("Fixed add().")


def test_a_fix_of_codex_is_told_from_start_to_end() -> None:
    found = events("codex", "fix")
    assert found == [
        Started("00000000-0000-4000-8000-000000000001"),
        Text("I will edit it."),
        ToolUsed("edit", "/repo/calc.py"),
        Text("Fixed add()."),
        Used(Usage(200, 40), whole=True),
        Ended("Fixed add()."),
    ]


def test_usage_is_the_result_of_the_whole_call_not_that_of_its_unfinished_messages() -> None:
    used = [event.usage for event in events("claude", "fix") if isinstance(event, Used)]
    assert (used[-1].tokens_in, used[-1].tokens_out, round(used[-1].cost_usd or 0, 6)) == (300, 60, 0.0024)
    assert used[0].tokens_out == 1


def test_the_real_length_of_an_answer_is_told_at_its_end_and_no_later_line_takes_it_back() -> None:
    reader, found = ClaudeReader(), list[Usage]()

    def tell(event: dict[str, Any], writer: str | None = None) -> None:
        line = {"type": "stream_event", "parent_tool_use_id": writer, "event": event}
        found.extend(one.usage for one in reader.line(json.dumps(line).encode()) if isinstance(one, Used))

    begun = {"input_tokens": 100, "output_tokens": 1}
    for name, writer in (("m1", None), ("m2", "tool-7")):
        tell({"type": "message_start", "message": {"id": name, "usage": begun}}, writer)
    tell({"type": "content_block_delta", "delta": {"text": "x"}})
    tell({"type": "message_delta", "usage": {"output_tokens": 5000}})
    tell({"type": "message_delta", "usage": {"output_tokens": 300}}, "tool-7")
    assert [(one.tokens_in, one.tokens_out) for one in found] == [
        (100, 1),
        (200, 2),
        (200, 5001),
        (200, 5300),
    ]
    late = {"type": "assistant", "message": {"id": "m1", "content": [], "usage": begun}}
    assert list(reader.line(json.dumps(late).encode())) == [Used(Usage(200, 5300))]


def test_a_cost_that_the_cli_only_guessed_is_unknown_and_a_stopped_call_counts_its_last_message() -> None:
    used = [event.usage for event in events("claude", "budget") if isinstance(event, Used)]
    assert used == [Usage(200_000, 40_000, None)]


def test_cached_tokens_are_part_of_what_went_in() -> None:
    models = {
        "m": {"inputTokens": 5, "cacheReadInputTokens": 70, "cacheCreationInputTokens": 20, "outputTokens": 3}
    }
    told = {"type": "result", "subtype": "success", "is_error": False, "result": "x", "modelUsage": models}
    assert next(iter(ClaudeReader().line(json.dumps(told).encode()))) == Used(
        Usage(95, 3, cached_in=70), whole=True
    )
    spent = {"input_tokens": 95, "cached_input_tokens": 70, "output_tokens": 3}
    line = json.dumps({"type": "turn.completed", "usage": spent}).encode()
    assert next(iter(CodexReader().line(line))) == Used(Usage(95, 3, cached_in=70), whole=True)


def test_an_error_beside_subtype_success_is_an_error() -> None:
    found = last("claude", "status_401")
    assert isinstance(found, Failed)
    assert '"subtype":"success"' in sample("claude", "status_401").splitlines()[-1]


def test_a_result_of_another_kind_than_success_is_no_answer() -> None:
    told = {"type": "result", "subtype": "error_during_execution", "is_error": False, "result": "APPROVED"}
    assert [type(event) for event in ClaudeReader().line(json.dumps(told).encode())] == [Failed]


def test_a_result_that_does_not_say_whether_it_is_an_error_is_no_answer() -> None:
    line = json.dumps({"type": "result", "subtype": "success", "result": "APPROVED"}).encode()
    assert [type(event) for event in ClaudeReader().line(line)] == [Failed]


@pytest.mark.parametrize(
    ("result", "said"),
    [
        ({"result": "**Verdict: APPROVED**"}, "it marked its own result as an error (is_error): **Verdict"),
        ({"result": "fine", "subtype": "error_max_turns"}, "as an error (error_max_turns): fine"),
        ({"result": "fine", "errors": ["No tools left"]}, "No tools left"),
        ({"result": "API Error: 500 overloaded", "api_error_status": 529}, "API Error: 500 overloaded"),
    ],
    ids=["an answer", "another end", "its own errors", "the service"],
)
def test_an_answer_that_is_marked_as_an_error_is_not_told_as_if_it_were_the_reason(
    result: dict[str, Any], said: str
) -> None:
    told = {"type": "result", "subtype": "success", "is_error": True, **result}
    (failed,) = ClaudeReader().line(json.dumps(told).encode())
    assert isinstance(failed, Failed)
    assert said in failed.message
    assert not failed.message.startswith("**")


@pytest.mark.parametrize(
    ("cli", "name", "trouble"),
    [
        ("claude", "status_401", AgentTrouble.NOT_LOGGED_IN),
        ("claude", "status_429", AgentTrouble.RATE_LIMIT),
        ("claude", "long_pause", AgentTrouble.RATE_LIMIT),
        ("claude", "status_500", AgentTrouble.OVERLOADED),
        ("claude", "status_503", AgentTrouble.OVERLOADED),
        ("claude", "status_529", AgentTrouble.OVERLOADED),
        ("claude", "too_long", AgentTrouble.CONTEXT_TOO_LONG),
        ("claude", "no_credit", AgentTrouble.QUOTA),
        ("claude", "dropped", AgentTrouble.NETWORK),
        ("claude", "budget", AgentTrouble.BUDGET),
        ("claude", "maxturns", AgentTrouble.CRASHED),
        ("codex", "status_401", AgentTrouble.NOT_LOGGED_IN),
        ("codex", "status_429", AgentTrouble.RATE_LIMIT),
        ("codex", "long_pause", AgentTrouble.RATE_LIMIT),
        ("codex", "status_500", AgentTrouble.OVERLOADED),
        ("codex", "status_503", AgentTrouble.OVERLOADED),
        ("codex", "quota", AgentTrouble.QUOTA),
        ("codex", "usage_limit", AgentTrouble.QUOTA),
        ("codex", "too_long", AgentTrouble.CONTEXT_TOO_LONG),
        ("codex", "dropped", AgentTrouble.NETWORK),
    ],
)
def test_a_call_that_gave_up_says_why(cli: str, name: str, trouble: AgentTrouble) -> None:
    found = last(cli, name)
    assert isinstance(found, Failed)
    assert found.trouble is trouble
    assert found.message


def test_the_pause_that_a_service_asked_for_is_kept() -> None:
    found = last("claude", "status_429")
    assert isinstance(found, Failed)
    assert found.retry_after_s == 2.0


def test_a_pause_of_the_clis_own_that_is_too_long_ends_the_call() -> None:
    told = {"type": "system", "subtype": "api_retry", "attempt": 1, "retry_delay_ms": 900_000}
    line = json.dumps({**told, "error_status": 429, "error": "rate_limit"}).encode()
    retried, failed = ClaudeReader().line(line)
    assert retried == Retried(1, "rate_limit 429", 900.0)
    assert isinstance(failed, Failed)
    assert (failed.trouble, failed.retry_after_s) == (AgentTrouble.RATE_LIMIT, 900.0)


def test_a_limit_told_before_the_end_gives_the_time_it_ends() -> None:
    reading = ClaudeReader()
    info = {"status": "rejected", "resetsAt": int(time.time()) + 3600, "rateLimitType": "five_hour"}
    assert (
        list(reading.line(json.dumps({"type": "rate_limit_event", "rate_limit_info": info}).encode())) == []
    )
    told = {
        "type": "result",
        "subtype": "success",
        "is_error": True,
        "result": "You've hit your session limit",
    }
    failed = list(reading.line(json.dumps(told).encode()))[-1]
    assert isinstance(failed, Failed)
    assert (failed.trouble, failed.message) == (AgentTrouble.QUOTA, "You've hit your session limit")
    assert failed.resets_at
    assert 3500 < (failed.retry_after_s or 0) <= 3600


def test_a_refusal_is_no_answer() -> None:
    told = {
        "type": "result",
        "subtype": "success",
        "is_error": False,
        "result": "I cannot",
        "stop_reason": "refusal",
    }
    assert list(ClaudeReader().line(json.dumps(told).encode()))[-1] == Failed(
        AgentTrouble.REFUSED, "I cannot"
    )


@pytest.mark.parametrize("cli", ["claude", "codex"])
def test_a_stream_that_stops_has_no_end(cli: str) -> None:
    found = events(cli, "stopped")
    assert [type(event) for event in found] == [Started]


@pytest.mark.parametrize("cli", ["claude", "codex"])
def test_a_dropped_stream_that_was_taken_up_again_is_an_answer(cli: str) -> None:
    found = events(cli, "recovered")
    assert any(isinstance(event, Retried) for event in found)
    assert found[-1] == Ended("Done after all.")


def test_an_error_item_of_codex_is_a_warning() -> None:
    found = events("codex", "warned")
    assert "metadata" in sample("codex", "warned")
    assert not [event for event in found if isinstance(event, Failed)]
    assert isinstance(found[-1], Ended)


def test_usage_of_codex_after_going_on_is_that_of_the_whole_session() -> None:
    assert Used(Usage(200, 40), whole=True) in events("codex", "resumed")


@pytest.mark.parametrize("cli", ["claude", "codex"])
def test_an_answer_in_the_form_of_a_schema_is_structured(cli: str) -> None:
    found = last(cli, "schema", schema=True)
    assert isinstance(found, Ended)
    assert found.structured == {"verdict": "drift", "followUpPrompt": "add() subtracts"}


@pytest.mark.parametrize("cli", ["claude", "codex"])
def test_a_schema_that_was_ignored_leaves_the_words_alone(cli: str) -> None:
    assert last(cli, "schema_ignored", schema=True) == Ended("Looks fine to me.", None)


def test_claude_could_not_keep_to_the_schema() -> None:
    told = {
        "type": "result",
        "subtype": "error_max_structured_output_retries",
        "is_error": True,
        "errors": ["no"],
    }
    failed = list(ClaudeReader(schema=True).line(json.dumps(told).encode()))[-1]
    assert failed == Failed(AgentTrouble.SCHEMA_IGNORED, "no")


def test_what_claude_was_not_allowed_is_told_though_it_says_that_it_is_done() -> None:
    found = events("claude", "denied")
    denied = [event for event in found if isinstance(event, Denied)]
    assert [event.tool for event in denied] == ["Write", "Bash"]
    assert "x.txt" in denied[0].about
    assert found[-1] == Ended("Fixed add().")


def test_a_reviewers_attempts_to_write_are_denials() -> None:
    denied = [event for event in events("claude", "review_writes") if isinstance(event, Denied)]
    assert denied == [Denied("Edit", "/repo/calc.py"), Denied("Bash", "touch x")]
    denied = [event for event in events("codex", "review_writes", reads=True) if isinstance(event, Denied)]
    assert denied == [Denied("edit", "/repo/calc.py"), Denied("command", "touch x")]


@pytest.mark.parametrize("name", ["exec", "patch"])
def test_what_codexs_own_sandbox_refused_is_found_in_what_it_wrote_down(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "2026" / "11" / "15"
    folder.mkdir(parents=True)
    (folder / "rollout-1.jsonl").write_text(sample("codex_record", name))
    assert list(denials(tmp_path)) == [Denied("edit", "calc.py"), Denied("command", "touch ran.txt")]


def test_nothing_but_denials_is_taken_from_a_folder_that_the_agent_can_write(tmp_path: Path) -> None:
    folder = tmp_path / "2026" / "11" / "15"
    folder.mkdir(parents=True)
    (folder / "rollout-1.jsonl").write_bytes(b"\xff\n{}\n" + sample("codex", "fix").encode())
    (folder / "rollout-2.jsonl").symlink_to("/etc/passwd")
    os.mkfifo(folder / "rollout-3.jsonl")
    (folder / "rollout-4.jsonl").mkdir()
    assert list(denials(tmp_path)) == []
    assert list(denials(tmp_path / "none")) == []


def test_a_writers_edit_that_failed_is_no_denial() -> None:
    assert not [event for event in events("codex", "review_writes") if isinstance(event, Denied)]


@pytest.mark.parametrize("cli", ["claude", "codex"])
def test_a_line_of_megabytes_is_read(cli: str) -> None:
    long = "x" * 3_000_000
    block = {"type": "text", "text": long}
    told = (
        {"type": "assistant", "message": {"content": [block]}}
        if cli == "claude"
        else {"type": "item.completed", "item": {"type": "agent_message", "text": long}}
    )
    assert list(reader(cli).line(json.dumps(told).encode())) == [Text(long)]


JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
KEYS = st.sampled_from(
    (
        "type",
        "subtype",
        "message",
        "content",
        "usage",
        "modelUsage",
        "result",
        "is_error",
        "item",
        "error",
        "errors",
        "status",
        "permission_denials",
        "session_id",
        "structured_output",
        "retry_delay_ms",
        "rate_limit_info",
        "changes",
        "input",
        "text",
        "name",
    )
)
TYPES = st.sampled_from(
    (
        "system",
        "assistant",
        "user",
        "rate_limit_event",
        "thread.started",
        "item.started",
        "item.completed",
        "error",
        "turn.started",
    )
)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(["claude", "codex"]), st.lists(st.binary(max_size=60), max_size=8))
def test_no_bytes_stop_a_reader_or_make_an_answer(cli: str, data: list[bytes]) -> None:
    reading = reader(cli, schema=True)
    assert not [event for line in data for event in reading.line(line) if isinstance(event, Ended)]


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(["claude", "codex"]), TYPES, st.dictionaries(KEYS, JUNK, max_size=5))
def test_only_the_terminal_event_makes_an_answer(cli: str, kind: str, found: dict[str, Any]) -> None:
    line = json.dumps({**found, "type": kind}).encode()
    assert not [
        event for event in reader(cli, schema=True, reads=True).line(line) if isinstance(event, Ended)
    ]


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(["result", "turn.completed", "turn.failed"]), st.dictionaries(KEYS, JUNK, max_size=5))
def test_a_terminal_event_of_any_form_is_read(kind: str, found: dict[str, Any]) -> None:
    for cli in ("claude", "codex"):
        told = list(reader(cli, schema=True).line(json.dumps({**found, "type": kind}).encode()))
        ends = [event for event in told if isinstance(event, Ended | Failed)]
        assert len(ends) == (1 if (kind == "result") == (cli == "claude") else 0)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(["claude", "codex"]), st.data())
def test_a_stream_cut_anywhere_before_its_last_line_is_no_answer(cli: str, data: st.DataObject) -> None:
    whole = sample(cli, data.draw(st.sampled_from(samples(cli)))).rstrip("\n").encode()
    cut = data.draw(st.integers(0, max(len(whole) - 1, 0)))
    reading = reader(cli)
    found = [event for line in whole[:cut].split(b"\n") for event in reading.line(line)]
    assert not [event for event in found if isinstance(event, Ended)]
