"""A CLI that tells what it uses while it works is stopped in the middle, with everything it started."""

from __future__ import annotations

import asyncio
import os
import time
from dataclasses import replace
from pathlib import Path

import pytest

from burnish.agents._codex_record import CHUNK_BYTES, Counted
from burnish.errors import AgentFailed
from burnish.model.agent import Request, Usage
from burnish.model.agent_events import AgentTrouble
from burnish.model.step import Role
from burnish.workflows.ask import ask
from tests.unit.agents.desk import Desk

THREAD = "2026-11-15T18-00-57-01a1e05e-952a-7441-b98d-33f0c750c791"
COUNT = '{"type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":'
LINE = (
    '{"type":"assistant","message":{"id":"m%d","content":[{"type":"text","text":"hm"}],'
    '"usage":{"input_tokens":1000,"output_tokens":0}}}'
)


def claude(desk: Desk) -> dict[str, str]:
    """A program that says in five messages that it used a thousand tokens each, then thinks for long."""
    folder = desk.root / "bin"
    folder.mkdir()
    told = "\n".join(f"echo '{LINE % number}'; sleep 0.05" for number in range(5))
    start = '{"type":"system","subtype":"init","session_id":"s","model":"claude-sonnet-4-5-20250929"}'
    program = folder / "claude"
    program.write_text(f"#!/bin/sh\ncat > /dev/null\necho '{start}'\n{told}\nsleep 60\n")
    program.chmod(0o755)
    return {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "ANTHROPIC_API_KEY": "dummy"}


def codex(desk: Desk, *, ends: bool = False) -> dict[str, str]:
    """A program that writes its tokens down, 120 for each answer, and prints them at the end of its turn."""
    folder = desk.root / "bin"
    folder.mkdir()
    program = folder / "codex"
    end = 'echo \'{"type":"turn.completed","usage":{"input_tokens":90,"output_tokens":10}}\''
    program.write_text(
        f"""#!/bin/sh
cat > /dev/null
echo '{{"type":"thread.started","thread_id":"t"}}'
mkdir -p $CODEX_HOME/sessions/2026/11/15
file=$CODEX_HOME/sessions/2026/11/15/rollout-{THREAD}.jsonl
for n in 1 2 3 4 5 6 7 8 9; do
    printf '%s%s%s\\n' '{COUNT}' $((n * 100)) ',"cached_input_tokens":40,"output_tokens":20}}}}}}}}' >> $file
    sleep 0.1
done
{end if ends else "sleep 60"}
"""
    )
    program.chmod(0o755)
    return {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "OPENAI_API_KEY": "dummy"}


def test_codex_is_stopped_by_the_tokens_it_writes_down_before_it_prints_any(desk: Desk) -> None:
    told: list[Usage] = []

    def on_used(used: Usage) -> None:
        told.append(used)
        if used.tokens >= 300:
            raise AgentFailed("too much")

    agent = desk.agent("codex:gpt-5", environ=codex(desk))
    request = replace(desk.request(), role=Role.FIX, on_used=on_used)
    with pytest.raises(AgentFailed, match="too much") as found:
        asyncio.run(ask(agent, request))
    assert 300 <= found.value.usage.tokens < 920
    assert (found.value.usage.cached_in, found.value.usage.estimated) == (40, True)
    assert told == sorted(told, key=lambda used: used.tokens)
    assert not _alive(desk.root / "bin" / "codex")


def test_what_codex_printed_less_than_it_wrote_down_is_not_believed(desk: Desk) -> None:
    """Its threads beside the first are in the files alone."""
    reply = asyncio.run(ask(desk.agent("codex", environ=codex(desk, ends=True)), desk.request()))
    assert reply.usage.tokens == 920


def test_a_record_is_read_on_from_where_it_was_whole(tmp_path: Path) -> None:
    folder = tmp_path / "2026" / "11" / "15"
    folder.mkdir(parents=True)
    one, other = (folder / f"rollout-{THREAD[:-1]}{end}.jsonl" for end in "ab")
    count = Counted(tmp_path)
    assert count().tokens == 0
    one.write_text('{"payload":{"type":"message","text":"\\"token_count\\""}}\n' + counted(100)[:60])
    assert count().tokens == 0
    one.write_text('{"payload":{"type":"message","text":"\\"token_count\\""}}\n' + counted(100))
    assert count().tokens == 100
    with one.open("a") as file:
        file.write("x" * (CHUNK_BYTES + 10) + "\n" + counted(250))
    other.write_text(counted(50))
    assert count().tokens == 300
    one.unlink()
    one.symlink_to("/dev/zero")
    assert count().tokens == 300


def counted(tokens: int) -> str:
    return COUNT + f"{tokens}" + "}}}}\n"


def asked(desk: Desk, most_usd: float) -> tuple[Request, list[Usage]]:
    told: list[Usage] = []

    def on_used(used: Usage) -> None:
        told.append(used)
        if (used.cost_usd or 0.0) >= most_usd:
            error = AgentFailed("too much")
            error.trouble = AgentTrouble.BUDGET
            raise error

    return replace(desk.request(), role=Role.FIX, on_used=on_used), told


def test_a_cli_is_stopped_as_soon_as_it_tells_of_too_much(desk: Desk) -> None:
    agent = desk.agent("claude", environ=claude(desk))
    request, told = asked(desk, most_usd=0.006)
    began = time.monotonic()
    with pytest.raises(AgentFailed, match="too much") as found:
        asyncio.run(ask(agent, request))
    assert time.monotonic() - began < 20
    assert found.value.trouble is AgentTrouble.BUDGET
    # Only tokens were told: what they cost is from the table, three dollars a million.
    assert [(used.tokens_in, used.cost_usd) for used in told] == [(1000, 0.003), (2000, 0.006)]
    assert (found.value.usage.tokens_in, found.value.usage.estimated) == (2000, True)
    assert not _alive(desk.root / "bin" / "claude")


def _alive(program: Path) -> bool:
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and str(program).encode() in (folder / "cmdline").read_bytes():
                return True
        except OSError:
            continue
    return False
