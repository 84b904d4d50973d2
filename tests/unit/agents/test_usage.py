"""What an agent used: said by itself in a file, measured by us in seconds, known also when it failed."""

from __future__ import annotations

import asyncio
import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish import codec
from burnish.agents import _outbox
from burnish.agents._in_memory import ScriptedAgent
from burnish.errors import AgentError, AgentFailed, AgentTimedOut
from burnish.model.agent import Reply, Request, Usage
from burnish.model.change import Change, Failure
from burnish.model.step import Role
from burnish.workflows.ask import ask
from tests.unit.agents.desk import Desk

REQUEST = Request(Role.REVIEW, "?", Path(), Path(), Path(), timeout_s=5.0)
SAID = '{"tokens_in": 1200, "tokens_out": 300, "cost_usd": 0.25, "model": "m-1"}'


def spoken(usage: Usage) -> tuple[int, int, float | None]:
    return usage.tokens_in, usage.tokens_out, usage.cost_usd


def test_a_program_may_tell_what_it_used_in_a_file_beside_its_answer(desk: Desk) -> None:
    reply = desk.shell(f"echo '{SAID}' > \"$BURNISH_USAGE\"; sleep 0.1; echo done")
    assert spoken(reply.usage) == (1200, 300, 0.25)
    assert reply.model == "m-1"
    assert 0.1 <= reply.usage.seconds < 20


def test_what_a_program_used_is_known_also_when_it_fails_or_is_out_of_time(desk: Desk) -> None:
    say = f"echo '{SAID}' > \"$BURNISH_USAGE\""
    with pytest.raises(AgentFailed) as failed:
        desk.shell(f"{say}; exit 3")
    assert spoken(failed.value.usage) == (1200, 300, 0.25)
    assert failed.value.usage.seconds > 0
    with pytest.raises(AgentTimedOut) as late:
        desk.shell(f"{say}; sleep 30", timeout_s=0.6)
    assert spoken(late.value.usage) == (1200, 300, 0.25)
    assert 0.5 <= late.value.usage.seconds < 20


def test_a_scenario_tells_what_its_steps_use(desk: Desk) -> None:
    usage = 'usage = { tokens_in = 7, tokens_out = 3, cost_usd = 0.5, model = "fake" }'
    reply = desk.scripted(f'[[step]]\n{usage}\nreply = "ok"\n')
    assert (spoken(reply.usage), reply.model) == ((7, 3, 0.5), "fake")


@pytest.mark.parametrize(
    "content",
    [
        "", "not json", "[]", "null", "7", '{"tokens_in": -1}', '{"tokens_in": 1.5}', '{"tokens_in": true}',
        '{"tokens_in": "12"}', '{"cost_usd": NaN}', '{"cost_usd": Infinity}', '{"cost_usd": 1e999}',
        '{"cost_usd": -0.01}', '{"cost_usd": 1e7}', '{"tokens_out": 1000000000001}', "{" * 100_000,
        '{"tokens_in": ' + "9" * 5000 + "}", '{"tokens_in": 1, "tokens_in": 2}', '{"tokens_in": 1}' + " " * 70_000,
    ],
)  # fmt: skip
def test_a_file_that_says_something_impossible_counts_as_unknown(tmp_path: Path, content: str) -> None:
    (tmp_path / "usage.json").write_text(content)
    assert _outbox.usage(tmp_path) == (Usage(), "")


def test_nothing_but_a_plain_file_is_read(tmp_path: Path) -> None:
    real = tmp_path / "elsewhere.json"
    real.write_text(SAID)
    place = tmp_path / "usage.json"
    place.symlink_to(real)
    assert _outbox.usage(tmp_path) == (Usage(), "")
    place.unlink()
    os.mkfifo(place)
    assert _outbox.usage(tmp_path) == (Usage(), "")
    place.unlink()
    assert _outbox.usage(tmp_path) == (Usage(), "")
    real.rename(place)
    assert spoken(_outbox.usage(tmp_path)[0]) == (1200, 300, 0.25)


def test_what_an_earlier_answer_used_is_not_taken_for_this_ones(desk: Desk) -> None:
    (desk.outbox / "usage.json").write_text(SAID)
    assert spoken(desk.shell("echo done").usage) == (0, 0, None)


@given(st.binary(max_size=200) | st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from(["tokens_in", "tokens_out", "cost_usd", "model"]), inner, max_size=4),
    max_leaves=8,
).map(lambda value: codec.dumps(value).encode()))  # fmt: skip
def test_whatever_the_file_holds_the_numbers_are_possible(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "usage.json").write_bytes(content)
        usage, model = _outbox.usage(Path(folder))
    assert 0 <= usage.tokens <= 2 * _outbox.MOST_TOKENS
    assert usage.cost_usd is None or 0 <= usage.cost_usd <= _outbox.MOST_USD
    assert len(model) <= _outbox.MODEL_CHARS
    assert model.isprintable()


def test_seconds_are_measured_for_an_answer_and_for_a_failure() -> None:
    reply = asyncio.run(ask(ScriptedAgent([Reply("ok", usage=Usage(1, 2, 0.5))]), REQUEST))
    assert spoken(reply.usage) == (1, 2, 0.5)
    error = AgentError("broken", usage=Usage(4, 5, 0.1, seconds=7.0))
    with pytest.raises(AgentError) as raised:
        asyncio.run(ask(ScriptedAgent([error]), REQUEST))
    # Whoever is made of others has measured it better.
    assert raised.value.usage == Usage(4, 5, 0.1, 7.0)


def test_a_result_recorded_before_seconds_were_counted_is_still_read() -> None:
    old = (
        '{"type":"Change","value":{"role":"fix","commit":"c","tree":"t","before":"b",'
        '"usage":{"tokens_in":1,"tokens_out":2,"cost_usd":null}}}'
    )
    found = codec.decode(old, Change | Failure)
    assert found.usage == Usage(1, 2, None, 0.0)
