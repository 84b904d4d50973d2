"""A session beyond its step: kept by what the CLI wrote down, gone on with elsewhere, and counted once."""

from __future__ import annotations

import asyncio
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from burnish.agents import _kept_session
from burnish.agents._choose import choose
from burnish.agents._cli_events import Heard
from burnish.agents._kept_session import ABOUT, TRANSCRIPT
from burnish.agents._recording import recorded
from burnish.agents.claude import ADAPTER as CLAUDE
from burnish.agents.claude import ClaudeReader
from burnish.agents.codex import ADAPTER as CODEX
from burnish.errors import AgentFailed, AgentLimited
from burnish.model.agent import Reply, Usage
from burnish.model.agent_events import AgentTrouble
from burnish.model.agent_session import SessionUse
from burnish.model.step import Role
from burnish.ports import Agent
from burnish.workflows.ask import ask
from tests.unit.agents.clis import agent, answer, sample
from tests.unit.agents.desk import Desk

BOTH = pytest.mark.parametrize("cli", ["claude", "codex"])
ID = "01a1e05e-952a-7441-b98d-33f0c750c791"
NEW = "01a1e05e-0000-7441-b98d-33f0c750c792"


def stream(cli: str, text: str, tokens: int, *, session: str = ID, cost: float = 0.5) -> str:
    """An answer by which the session has used so many tokens in all, and a fifth of it to answer."""
    if cli == "claude":
        used = {"m": {"inputTokens": tokens, "outputTokens": tokens // 5, "costUSD": cost}}
        told: list[dict[str, Any]] = [
            {"type": "system", "subtype": "init", "session_id": session, "model": "m"},
            {"type": "result", "subtype": "success", "is_error": False, "result": text}
            | {"modelUsage": used, "total_cost_usd": cost},
        ]
    else:
        told = [
            {"type": "thread.started", "thread_id": session},
            {"type": "item.completed", "item": {"type": "agent_message", "text": text}},
            {"type": "turn.completed", "usage": {"input_tokens": tokens, "output_tokens": tokens // 5}},
        ]
    return "\n".join(map(json.dumps, told))


def counted(tokens: int) -> str:
    """A line of what Codex writes down."""
    total = {"input_tokens": tokens, "output_tokens": tokens // 5}
    count = {"type": "token_count", "info": {"total_token_usage": total}}
    return json.dumps({"type": "event_msg", "payload": count}) + "\n"


def first(desk: Desk, cli: str, **more: Any) -> Path:
    """A fix whose session is kept, and where."""
    kept = desk.root / "kept-1"
    plan = {"transcript": "first words\n", "session": ID, **more}
    asked = agent(desk, cli, stream(cli, "one", 100), **plan)
    reply = answer(desk, asked, role=Role.FIX, sessions=SessionUse(kept))
    assert (reply.kept, reply.resumed, reply.fresh_why) == (True, False, "")
    return kept


def second(desk: Desk, cli: str, kept: Path, resumed: str, **more: Any) -> Reply:
    """The fix after it, in a workspace of its own."""
    workspace = desk.root / "elsewhere"
    workspace.mkdir(exist_ok=True)
    changes = {"role": Role.FIX, "workspace": workspace, **more.pop("asking", {})}
    plan = {"transcript": "second words\n", "session": ID, "notes": "notes", **more}
    asked = agent(desk, cli, stream(cli, "anew", 70, session=NEW, cost=0.2), resumed=resumed, **plan)
    return answer(desk, asked, sessions=SessionUse(desk.root / "kept-2", kept), **changes)


def calls(desk: Desk) -> list[dict[str, Any]]:
    lines = (desk.root / "elsewhere" / "notes").read_text().splitlines()
    return [json.loads(line) for line in lines]


@BOTH
def test_a_fixer_goes_on_with_the_kept_session_in_its_own_home_and_workspace(desk: Desk, cli: str) -> None:
    kept = first(desk, cli)
    reply = second(desk, cli, kept, stream(cli, "two", 300, cost=1.25))
    assert (reply.text, reply.resumed, reply.kept, reply.fresh_why) == ("two", True, True, "")
    [call] = calls(desk)
    assert call["argv"][call["argv"].index("resume" if cli == "codex" else "--resume") + 1] == ID
    [name] = [name for name, text in call["files"].items() if text == "first words\n"]
    assert ID in name
    assert cli == "codex" or "elsewhere" in name
    # Where it was told to look before is gone.
    assert "another folder" in call["prompt"]
    assert call["prompt"].endswith("do it")
    assert (desk.root / "kept-2" / TRANSCRIPT).read_text() == "first words\nsecond words\n"
    assert (kept / TRANSCRIPT).read_text() == "first words\n"
    assert (kept / TRANSCRIPT).stat().st_mode & 0o077 == 0
    assert not list(desk.root.glob("agent-*"))


@BOTH
def test_what_the_session_used_before_is_not_counted_again(plain: Desk, cli: str) -> None:
    kept = first(plain, cli)
    reply = second(plain, cli, kept, stream(cli, "two", 300, cost=1.25))
    assert (reply.usage.tokens_in, reply.usage.tokens_out) == (200, 40)
    assert reply.usage.cost_usd == (0.75 if cli == "claude" else None)
    third = plain.root / "third"
    third.mkdir()
    asked = agent(plain, cli, "", resumed=stream(cli, "three", 310, cost=1.5), transcript="", session=ID)
    use = SessionUse(plain.root / "kept-3", plain.root / "kept-2")
    reply = answer(plain, asked, role=Role.FIX, workspace=third, sessions=use)
    assert (reply.usage.tokens_in, reply.usage.tokens_out) == (10, 2)
    assert reply.usage.cost_usd == (0.25 if cli == "claude" else None)


@BOTH
def test_a_budget_hears_only_of_what_comes_on_top(plain: Desk, cli: str) -> None:
    """Codex also writes its tokens down, those of the whole session: that is looked at while it works."""
    kept, told = first(plain, cli, transcript=counted(100)), list[Usage]()
    asking = {"on_used": told.append}
    second(plain, cli, kept, stream(cli, "two", 300), transcript=counted(300), asking=asking)
    assert told
    assert max(used.tokens for used in told) == 240


@BOTH
def test_a_session_that_the_cli_refuses_is_begun_anew_and_that_is_told(desk: Desk, cli: str) -> None:
    kept = first(desk, cli)
    reply = second(desk, cli, kept, "", refuses=f"No conversation found with session ID: {ID}")
    assert (reply.text, reply.resumed, reply.kept) == ("anew", False, True)
    assert "was not taken up" in reply.fresh_why
    assert "No conversation found" in reply.fresh_why
    refused, anew = calls(desk)
    assert not {"resume", "--resume"} & set(anew["argv"])
    assert anew["prompt"] == "do it"
    assert not [text for text in anew["files"].values() if text == "first words\n"]
    assert ID in refused["argv"]
    # All of it is its own: it is another session.
    assert (reply.session, reply.usage.tokens_in) == (NEW, 70)


def test_a_session_that_has_grown_too_long_is_begun_anew_and_what_it_cost_is_counted(plain: Desk) -> None:
    kept = first(plain, "claude")
    said = {"id": "1", "usage": {"input_tokens": 10, "output_tokens": 1}, "content": []}
    failed = {"type": "result", "subtype": "success", "is_error": True, "result": "Prompt is too long"}
    init = {"type": "system", "subtype": "init", "session_id": ID, "model": "m"}
    lines = [init, {"type": "assistant", "message": said}, failed]
    reply = second(plain, "claude", kept, "\n".join(map(json.dumps, lines)))
    assert (reply.text, reply.resumed) == ("anew", False)
    assert reply.usage.tokens_in == 80


@BOTH
def test_other_failures_of_a_resumed_session_are_the_agents_own(plain: Desk, cli: str) -> None:
    kept = first(plain, cli)
    with pytest.raises(AgentLimited):
        second(plain, cli, kept, sample(cli, "status_429"), exit=1)
    half = stream(cli, "two", 300).splitlines()[:-1]
    worked = json.dumps({"type": "assistant", "message": {"content": [{"type": "text", "text": "hm"}]}})
    with pytest.raises(AgentFailed) as caught:
        second(plain, cli, kept, "\n".join([*half, worked]))
    assert caught.value.trouble is AgentTrouble.NO_END
    assert len(calls(plain)) == 2


@pytest.mark.conformance("G-77")
@BOTH
def test_a_reviewer_is_fresh_whatever_it_is_asked_with(desk: Desk, cli: str) -> None:
    kept = first(desk, cli)
    (desk.root / "notes").touch()
    plan = {"transcript": "x\n", "session": NEW, "notes": str(desk.root / "outbox" / "notes")}
    asked = agent(
        desk, cli, stream(cli, "fresh", 70, session=NEW), resumed=stream(cli, "resumed", 300), **plan
    )
    use = SessionUse(desk.root / "kept-2", kept)
    reply = answer(desk, asked, role=Role.REVIEW, sessions=use)
    assert (reply.text, reply.resumed, reply.kept) == ("fresh", False, False)
    call = json.loads((desk.root / "outbox" / "notes").read_text())
    assert not {"resume", "--resume", ID} & set(call["argv"])
    assert "first words\n" not in call["files"].values()
    assert not (desk.root / "kept-2").exists()


def test_a_session_of_another_agent_is_not_taken_up(plain: Desk) -> None:
    kept = first(plain, "claude")
    reply = second(plain, "codex", kept, stream("codex", "two", 300))
    assert (reply.text, reply.resumed) == ("anew", False)
    assert reply.fresh_why == "the session of the step before is one of claude"


def _gone(kept: Path) -> None:
    (kept / ABOUT).unlink()


def _torn(kept: Path) -> None:
    (kept / ABOUT).write_text('{"adapter": "cod')


def _option(kept: Path) -> None:
    (kept / ABOUT).write_text((kept / ABOUT).read_text().replace(ID, "--yolo-yolo-yolo"))


def _outside(kept: Path) -> None:
    about = json.loads((kept / ABOUT).read_text())
    name = f"home/sessions/../../../rollout-x-{ID}.jsonl"
    (kept / ABOUT).write_text(json.dumps({**about, "name": name}))


def _link(kept: Path) -> None:
    (kept / TRANSCRIPT).rename(kept / "else")
    (kept / TRANSCRIPT).symlink_to(kept / "else")


def _no_words(kept: Path) -> None:
    (kept / TRANSCRIPT).unlink()


@pytest.mark.parametrize("spoil", [_gone, _torn, _option, _outside, _link, _no_words])
def test_what_is_left_of_a_kept_session_never_fails_a_step(plain: Desk, spoil: Any) -> None:
    kept = first(plain, "codex")
    spoil(kept)
    reply = second(plain, "codex", kept, stream("codex", "two", 300))
    assert (reply.text, reply.resumed) == ("anew", False)
    assert "not there any more" in reply.fresh_why
    [call] = calls(plain)
    assert "resume" not in call["argv"]
    assert not list(plain.root.rglob("rollout-x-*"))


def _symlink(file: Path, secret: Path) -> None:
    file.symlink_to(secret)


def _hard_link(file: Path, secret: Path) -> None:
    os.link(secret, file)


def _folder(file: Path, secret: Path) -> None:
    file.parent.rmdir()
    (secret.parent / file.name).write_text("secret")
    file.parent.symlink_to(secret.parent)


def _pipe(file: Path, secret: Path) -> None:
    os.mkfifo(file)


def _huge(file: Path, secret: Path) -> None:
    with file.open("wb") as sparse:
        sparse.truncate(_kept_session.MOST_BYTES + 1)


@pytest.mark.parametrize("trick", [_symlink, _hard_link, _folder, _pipe, _huge])
@pytest.mark.parametrize("adapter", [CLAUDE, CODEX], ids=["claude", "codex"])
def test_only_a_plain_file_of_bounded_size_is_taken_from_the_agents_home(
    plain: Desk, adapter: Any, trick: Any
) -> None:
    request = plain.request(role=Role.FIX, sessions=SessionUse(plain.root / "kept"))
    home, secret = plain.root / "agent-home", plain.root / "secrets" / "secret"
    secret.parent.mkdir()
    secret.write_text("secret")
    file = home / adapter.transcript(request.workspace, ID).replace("*", "x")
    file.parent.mkdir(parents=True)
    trick(file, secret)
    assert _kept_session.keep(request, adapter, home, ID, Usage(1))
    assert not (plain.root / "kept" / TRANSCRIPT).exists()
    again = replace(request, sessions=SessionUse(plain.root / "kept-2", plain.root / "kept"))
    why = _kept_session.place(again, adapter, home, _kept_session.earlier(again))
    assert why == "the transcript of the session before is not there any more"


@pytest.mark.parametrize("session", ["--yolo-yolo", "a b c d e", "x", ""])
def test_what_could_not_be_a_word_of_a_command_line_names_no_session(plain: Desk, session: str) -> None:
    request = plain.request(role=Role.FIX, sessions=SessionUse(plain.root / "kept"))
    file = plain.root / "home" / CLAUDE.transcript(request.workspace, session)
    file.parent.mkdir(parents=True)
    file.write_text("words")
    assert not _kept_session.keep(request, CLAUDE, plain.root / "home", session, Usage(1))
    assert not (plain.root / "kept").exists()


@BOTH
def test_a_recording_of_a_resumed_session_plays_the_same_and_costs_the_same(plain: Desk, cli: str) -> None:
    """Nothing of it is on this machine but what was printed."""

    def fix(asked: Agent, cycle: int, name: str) -> Reply:
        places = [plain.root / f"{name}-{number}" for number in (cycle, cycle - 1)]
        use = SessionUse(places[0], places[1] if cycle > 1 else None)
        request = plain.request(role=Role.FIX, sessions=use, variables={"BURNISH_CYCLE": str(cycle)})
        return asyncio.run(ask(asked, request))

    plan = {"resumed": stream(cli, "two", 300), "transcript": counted(100), "session": ID}
    real = recorded(agent(plain, cli, stream(cli, "one", 100), **plan), plain.root / "tape")
    lived = [fix(real, cycle, "lived") for cycle in (1, 2)]
    tape = choose(f"cassette:{plain.root / 'tape'}", plain.setup)
    played = [fix(tape, cycle, "played") for cycle in (1, 2)]
    for replies in (lived, played):
        assert [(reply.text, reply.resumed, reply.usage.tokens_in) for reply in replies] == [
            ("one", False, 100),
            ("two", True, 200),
        ]
        assert not replies[1].fresh_why


def test_a_replayed_session_is_known_by_its_name_and_counted_once(plain: Desk) -> None:
    kept = first(plain, "claude")
    earlier = _kept_session.earlier(plain.request(role=Role.FIX, sessions=SessionUse(kept, kept)))
    assert earlier is not None
    for session, resumed, tokens in ((ID, True, 200), (NEW, False, 300)):
        heard = Heard(ClaudeReader(), earlier=earlier)
        for line in stream("claude", "two", 300, session=session).splitlines():
            heard.line(line.encode())
        assert (heard.resumed, heard.usage.tokens_in, heard.summed.tokens_in) == (resumed, tokens, 300)


@BOTH
def test_a_text_is_no_end_however_much_it_looks_like_one(plain: Desk, cli: str) -> None:
    """Without the terminal event there is no answer, also where all that was asked for has been said."""
    half = stream(cli, "**Verdict: APPROVED**", 300).splitlines()[:-1]
    if cli == "claude":
        content = [{"type": "text", "text": "**Verdict: APPROVED**"}]
        half.append(json.dumps({"type": "assistant", "message": {"id": "1", "content": content}}))
    with pytest.raises(AgentFailed, match="ended without an answer") as caught:
        answer(plain, agent(plain, cli, "\n".join(half)))
    assert caught.value.trouble is AgentTrouble.NO_END
    heard = Heard(CLAUDE.reader(plain.request()) if cli == "claude" else CODEX.reader(plain.request()))
    for line in half:
        heard.line(line.encode())
    assert heard.worked
    assert heard.last is None
    assert not heard.over.is_set()


def test_what_a_stopped_call_of_codex_used_is_not_added_to_what_its_session_tells(plain: Desk) -> None:
    """It writes its tokens down as they come, so they are known when it is stopped and told again later."""
    begun = "\n".join(stream("codex", "half", 0).splitlines()[:2])
    more = {"resumed": stream("codex", "all of it", 300), "transcript": counted(100), "session": ID}
    asked = agent(plain, "codex", begun, linger_s=60, **more)

    async def scene() -> Reply | None:
        heard, session = asyncio.Event(), asked.session()
        try:
            await session.spawn(plain.request(on_used=lambda used: heard.set() if used.tokens else None))
            await asyncio.wait_for(heard.wait(), 60)
            assert await session.wait(0.5) is None
            await session.send("FINALIZE")
            return await session.wait(60)
        finally:
            await session.close()

    reply = asyncio.run(scene())
    assert reply is not None
    assert (reply.text, reply.usage.tokens_in, reply.usage.tokens_out) == ("all of it", 300, 60)
