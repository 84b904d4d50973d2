"""CLIs as agents: found, called in the right mode, held, heard, and ended with everything of theirs."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import replace
from pathlib import Path

import pytest

from burnish.agents._adapter import Room
from burnish.agents._adapters import adapters
from burnish.agents._cli_session import CliSession
from burnish.agents._known_as import known_as
from burnish.agents.claude import ADAPTER as CLAUDE
from burnish.agents.codex import ADAPTER as CODEX
from burnish.app.agents import abilities
from burnish.errors import AgentError, AgentFailed, AgentLimited, AgentMissing, AgentTimedOut, UsageError
from burnish.model.agent import Tier, Usage
from burnish.model.agent_events import AgentEvent, AgentTrouble, Denied, Ended, Started
from burnish.model.sandbox_mode import SandboxMode
from burnish.model.step import Role
from burnish.process.isolation import can_nest
from tests.unit.agents.clis import TELLS, agent, answer, called, plan, sample
from tests.unit.agents.desk import Desk

BOTH = pytest.mark.parametrize("cli", ["claude", "codex"])
HALF = json.dumps({"type": "system", "subtype": "init", "session_id": "s-1", "model": "m"})
SAID = json.dumps(
    {"type": "assistant", "message": {"id": "1", "usage": {"input_tokens": 10, "output_tokens": 1}}}
)


def result(text: str, **more: object) -> str:
    return json.dumps({"type": "result", "subtype": "success", "is_error": False, "result": text, **more})


@BOTH
def test_a_bare_name_is_the_cli_and_its_answer_is_the_terminal_events(desk: Desk, cli: str) -> None:
    reply = answer(desk, agent(desk, cli, sample(cli, "fix")), role=Role.FIX)
    assert (reply.text, reply.agent_exit, reply.usage.tokens_in % 100) == ("Fixed add().", 0, 0)
    assert reply.session == "00000000-0000-4000-8000-000000000001"
    assert reply.version == ("2.1.325" if cli == "claude" else "9.8.7")
    assert reply.model == ("claude-opus-5-5" if cli == "claude" else "gpt-6.1-sol")
    held = desk.mode is SandboxMode.REQUIRE
    assert reply.isolation.startswith("bubblewrap" if held else "guard (unsandboxed)")


def test_whoever_looks_on_is_told_words_and_tools_of_a_cli(plain: Desk) -> None:
    message = {
        "id": "m",
        "content": [
            {"type": "text", "text": "I see.\nThe cart is empty.\n"},
            {"type": "tool_use", "id": "t", "name": "Read", "input": {"file_path": "cart.py"}},
        ],
    }
    end = {"type": "result", "subtype": "success", "is_error": False, "result": "done"}
    stream = "\n".join(json.dumps(one) for one in ({"type": "assistant", "message": message}, end))
    heard: list[str] = []
    answer(plain, agent(plain, "claude", stream), on_line=heard.append)
    assert heard == ["The cart is empty.", "Read cart.py"]


def test_what_stands_behind_the_colon_is_a_tier_or_a_model(plain: Desk) -> None:
    assert agent(plain, "claude:fast", TELLS).tier is Tier.FAST
    assert agent(plain, "codex:gpt-5.5", TELLS).model == "gpt-5.5"
    asked = called(plain, "claude:fast", model="opus")["argv"]
    assert asked[asked.index("--model") + 1] == "sonnet"
    asked = called(plain, "claude", model="my-model")["argv"]
    assert asked[asked.index("--model") + 1] == "my-model"
    for wrong in ("claude:--dangerously-skip-permissions", "claude:a b", "codex:\n"):
        with pytest.raises(UsageError, match="expected"):
            agent(plain, wrong, TELLS)


def test_all_models_of_a_cli_share_its_limits(plain: Desk) -> None:
    assert known_as(agent(plain, "claude:fast", TELLS)) == "claude"
    assert set(adapters()) >= {"claude", "codex"}


@BOTH
def test_a_cli_that_is_not_there_is_named_with_how_to_get_it(plain: Desk, cli: str) -> None:
    asked = agent(plain, cli, TELLS)
    (plain.root / "bin" / cli).unlink()
    with pytest.raises(AgentMissing, match=f"{cli} is not installed") as caught:
        asked.check()
    assert caught.value.trouble is AgentTrouble.NOT_INSTALLED
    assert "npm install" in caught.value.hint


@BOTH
def test_a_cli_in_the_workspace_is_never_started(plain: Desk, cli: str) -> None:
    asked = agent(plain, cli, TELLS)
    (plain.root / "bin").rename(plain.workspace / "bin")
    environ = {**asked.setup.environ, "PATH": f"{plain.workspace}/bin:/usr/bin:/bin"}
    with pytest.raises(AgentMissing):
        answer(plain, replace(asked, setup=replace(asked.setup, environ=environ)))


@BOTH
def test_nobody_logged_in_is_found_before_anything_costs(plain: Desk, cli: str) -> None:
    asked = agent(plain, cli, TELLS, environ={"ANTHROPIC_API_KEY": "", "OPENAI_API_KEY": ""})
    with pytest.raises(AgentMissing, match="not logged in") as caught:
        asked.check()
    assert caught.value.trouble is AgentTrouble.NOT_LOGGED_IN
    assert "login" in caught.value.hint
    login = plain.root / "home" / (".claude/.credentials.json" if cli == "claude" else ".codex/auth.json")
    login.parent.mkdir()
    login.write_text('{"token": "x"}')
    asked.check()


def test_claude_reviews_without_tools_that_write_and_without_the_repositorys_settings(desk: Desk) -> None:
    asked = called(desk, "claude", prompt="look", schema={"type": "object"})
    argv, held = " ".join(asked["argv"]), desk.mode is SandboxMode.REQUIRE
    assert f"--tools Read,Grep,Glob,Write{',Bash' * held} --permission-mode dontAsk" in argv
    # Only tests, and only where our sandbox is around them.
    assert ("Bash(pytest:*)" in asked["argv"]) is held
    assert "Bash" not in asked["argv"]
    assert f"--allowedTools Edit(/{desk.outbox}/**)" in argv
    assert "--strict-mcp-config --setting-sources  " in argv
    assert asked["argv"][asked["argv"].index("--json-schema") + 1] == '{"type":"object"}'
    assert asked["prompt"] == "look"
    assert asked["env"]["CLAUDE_CODE_MAX_RETRIES"] == "1"
    assert asked["env"]["CLAUDE_CODE_DISABLE_CLAUDE_MDS"] == "1"
    assert asked["env"]["DISABLE_AUTOUPDATER"] == asked["env"]["DISABLE_TELEMETRY"] == "1"


def test_claude_runs_commands_only_where_our_sandbox_holds_it(desk: Desk) -> None:
    argv = called(desk, "claude", role=Role.FIX)["argv"]
    assert argv[argv.index("--permission-mode") + 1] == "acceptEdits"
    assert ("--allowedTools" in argv) is (desk.mode is SandboxMode.REQUIRE)
    assert "--tools" not in argv


def test_codex_reviews_in_a_sandbox_of_its_own_that_lets_it_write_its_report_alone(desk: Desk) -> None:
    argv, held = called(desk, "codex")["argv"], desk.mode is SandboxMode.REQUIRE
    if held and not can_nest():
        pytest.skip("this kernel does not allow a sandbox in a sandbox")
    rules = f'":root"="read",":tmpdir"="write","{desk.outbox}"="write"'
    network = f"network={{enabled={'true' if held else 'false'}}}"
    assert f"permissions.burnish_reviewer={{filesystem={{{rules}}},{network}}}" in argv
    assert 'default_permissions="burnish_reviewer"' in argv
    # It would take the place of the permissions.
    assert "--sandbox" not in argv


def test_codex_writes_in_its_own_sandbox_only_where_ours_is_not(desk: Desk) -> None:
    argv = called(desk, "codex", role=Role.FIX)["argv"]
    mode = "danger-full-access" if desk.mode is SandboxMode.REQUIRE else "workspace-write"
    assert argv[argv.index("--sandbox") + 1] == mode


def test_codex_is_not_called_read_only_where_its_sandbox_cannot_start_inside_ours(plain: Desk) -> None:
    held = Room(plain.root, {}, held=True)
    call = CODEX.call(plain.request(), held)
    assert call.argv[2:4] == ("--sandbox", "danger-full-access")
    assert call.isolation == "codex's own sandbox off, it cannot start inside"
    assert not CODEX.abilities.holds_itself(held=True, nests=False)
    assert CLAUDE.abilities.holds_itself(held=True, nests=False)
    told = {
        (held, nests): abilities(CODEX.abilities, held=held, nests=nests)
        for held, nests in ((False, False), (True, True), (True, False))
    }
    assert ["read-only" in can for can in told.values()] == [True, True, False]


def test_codex_is_told_to_trust_nothing_of_the_repository(plain: Desk) -> None:
    asked = called(
        plain, "codex", environ={"OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}, schema={"type": "object"}
    )
    argv, told = asked["argv"], " ".join(asked["argv"])
    assert f'projects={{"{plain.workspace}"={{trust_level="untrusted"}}}}' in argv
    for setting in ("project_doc_max_bytes=0", "skills.include_instructions=false", "features.hooks=false"):
        assert setting in argv
    assert 'base_url="http://127.0.0.1:1/v1",env_key="OPENAI_API_KEY"' in told
    assert "request_max_retries=1,stream_max_retries=1" in told
    assert asked["files"]["schema.json"] == '{"type":"object"}'
    assert argv[-1] == "-"
    # Its own sandbox does not start with a home below the folder for temporary files.
    assert not Path(asked["env"]["CODEX_HOME"]).is_relative_to(asked["env"]["TMPDIR"])


@BOTH
def test_a_cli_sees_its_own_login_and_no_other_secret(desk: Desk, cli: str) -> None:
    login = {"claude": ".claude/.credentials.json", "codex": ".codex/auth.json"}
    for name in (*login.values(), ".claude/settings.json", ".codex/config.toml"):
        path = desk.root / "home" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text('{"is": "login"}' if name in login.values() else "is = 'settings'")
    (desk.root / "home" / ".claude.json").write_text('{"primaryApiKey": "k", "projects": {"/secret": 1}}')
    secrets = {"AWS_SECRET_ACCESS_KEY": "canary", "GIT_DIR": "/x"}
    asked = called(desk, cli, environ=secrets)
    assert "canary" not in json.dumps(asked)
    assert "GIT_DIR" not in asked["env"]
    assert asked["files"][Path(login[cli]).name] == '{"is": "login"}'
    assert "settings" not in json.dumps(asked["files"])
    if cli == "claude":
        assert asked["files"][".claude.json"] == '{"primaryApiKey":"k"}'


@BOTH
def test_a_login_that_was_renewed_goes_home_and_nothing_else_is_left(desk: Desk, cli: str) -> None:
    name = ".claude/.credentials.json" if cli == "claude" else ".codex/auth.json"
    login = desk.root / "home" / name
    login.parent.mkdir(parents=True)
    login.write_text('{"token": "old"}')
    answer(desk, agent(desk, cli, sample(cli, "fix"), replace='{"token": "new"}'))
    assert login.read_text() == '{"token": "new"}'
    assert login.stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in desk.root.iterdir()) == [
        "bin",
        "home",
        "inbox",
        "outbox",
        "workspace",
    ]
    answer(desk, agent(desk, cli, sample(cli, "fix"), replace="no login"))
    assert login.read_text() == '{"token": "new"}'


def test_a_reviewer_finds_the_workspace_read_only_in_our_sandbox(desk: Desk) -> None:
    if desk.mode is SandboxMode.OFF:
        return
    (desk.workspace / "a.txt").write_text("a")
    program = plan(desk, "claude", "") / "claude"
    asked = agent(desk, "claude", "")
    program.write_text(
        f"#!/bin/sh\n(echo b > a.txt; echo c > ../outbox/report.md) 2>&1\necho '{result('done')}'\n"
    )
    reply = answer(desk, asked)
    assert (desk.workspace / "a.txt").read_text() == "a"
    assert reply.report == "c\n"
    answer(desk, asked, role=Role.FIX)
    assert (desk.workspace / "a.txt").read_text() == "b\n"


@BOTH
def test_status_0_without_the_terminal_event_is_no_answer(plain: Desk, cli: str) -> None:
    with pytest.raises(AgentFailed, match="ended without an answer") as caught:
        answer(plain, agent(plain, cli, sample(cli, "stopped")))
    assert caught.value.trouble is AgentTrouble.NO_END
    assert caught.value.agent_exit == 0


def test_an_answer_with_another_status_than_0_is_none(plain: Desk) -> None:
    with pytest.raises(AgentFailed, match="it broke") as caught:
        answer(plain, agent(plain, "claude", result("APPROVED"), exit=7, stderr="it broke"))
    assert caught.value.trouble is AgentTrouble.CRASHED


@pytest.mark.parametrize(("status", "trouble"), [(143, AgentTrouble.CANCELLED), (3, AgentTrouble.CRASHED)])
def test_how_a_cli_died_is_told(plain: Desk, status: int, trouble: AgentTrouble) -> None:
    with pytest.raises(AgentFailed) as caught:
        answer(plain, agent(plain, "claude", HALF, exit=status))
    assert (caught.value.trouble, caught.value.agent_exit) == (trouble, status)


def test_words_on_stderr_alone_tell_why(plain: Desk) -> None:
    with pytest.raises(AgentFailed, match="unknown option") as caught:
        answer(plain, agent(plain, "claude", "", exit=1, stderr="error: unknown option '--x'"))
    assert caught.value.trouble is AgentTrouble.CRASHED
    with pytest.raises(AgentFailed) as caught:
        answer(plain, agent(plain, "codex", "", exit=1, stderr="Not logged in. Run codex login"))
    assert caught.value.trouble is AgentTrouble.NOT_LOGGED_IN


@BOTH
def test_a_limit_is_an_error_that_is_waited_for(plain: Desk, cli: str) -> None:
    with pytest.raises(AgentLimited) as caught:
        answer(plain, agent(plain, cli, sample(cli, "status_429"), exit=1))
    assert caught.value.trouble is AgentTrouble.RATE_LIMIT
    assert caught.value.retry_after_s == (2.0 if cli == "claude" else None)


def test_what_was_not_allowed_is_in_the_reply(plain: Desk) -> None:
    reply = answer(plain, agent(plain, "claude", sample("claude", "denied")))
    assert reply.text == "Fixed add()."
    assert [what.split()[0] for what in reply.denied] == ["Write", "Bash"]


def test_every_event_is_heard_as_it_comes_and_what_a_listener_raises_ends_the_call(plain: Desk) -> None:
    heard: list[AgentEvent] = []
    answer(plain, replace(agent(plain, "claude", sample("claude", "denied")), listener=heard.append))
    assert isinstance(heard[0], Started)
    assert isinstance(heard[-1], Ended)

    def stop(event: AgentEvent) -> None:
        raise AgentFailed("that is enough")

    began = time.monotonic()
    asked = agent(plain, "claude", f"{HALF}\n{SAID}", linger_s=60)
    with pytest.raises(AgentFailed, match="enough"):
        answer(plain, replace(asked, listener=stop))
    assert time.monotonic() - began < 20


def test_a_cli_that_says_nothing_is_stalled(desk: Desk) -> None:
    with pytest.raises(AgentTimedOut, match="printed nothing for 4 s") as caught:
        answer(desk, agent(desk, "claude", f"{HALF}\n{SAID}", linger_s=60, stall_s=4.0))
    assert caught.value.trouble is AgentTrouble.STALLED
    assert caught.value.usage.tokens_in == 10


def test_a_cli_that_does_not_go_after_its_answer_is_ended(plain: Desk) -> None:
    began = time.monotonic()
    asked = agent(plain, "claude", f"{HALF}\n{result('done')}", linger_s=100)
    reply = answer(plain, replace(asked, linger_s=1.0))
    assert reply.text == "done"
    assert 1 < time.monotonic() - began < 20
    assert reply.isolation.startswith("guard")


def test_what_came_after_a_failure_that_was_none_is_the_answer(plain: Desk) -> None:
    told = sample("codex", "long_pause") + "\n".join(sample("codex", "fix").splitlines()[2:])
    assert answer(plain, agent(plain, "codex", told)).text == "Fixed add()."
    begun = "\n".join(told.splitlines()[:-2])
    with pytest.raises(AgentFailed) as caught:
        answer(plain, agent(plain, "codex", begun))
    assert caught.value.trouble is AgentTrouble.NO_END


@pytest.mark.conformance("C-69")
@BOTH
def test_at_a_timeout_the_session_goes_on_with_the_reminder(desk: Desk, cli: str) -> None:
    begun = f"{HALF}\n{SAID}" if cli == "claude" else "\n".join(sample(cli, "fix").splitlines()[:3])
    end = result("as far as I came", modelUsage={"m": {"inputTokens": 5, "outputTokens": 2}})
    more = end if cli == "claude" else sample(cli, "resumed")
    asked = agent(desk, cli, begun, resumed=more, linger_s=30)
    began = time.monotonic()
    reply = answer(desk, asked, timeout_s=2.0, grace_s=20.0)
    assert reply.text == ("as far as I came" if cli == "claude" else "second answer")
    assert time.monotonic() - began < 20
    # Claude tells what the second call used, Codex what the whole session did.
    assert (reply.usage.tokens_in, reply.usage.tokens_out) == ((15, 3) if cli == "claude" else (200, 40))


def test_a_reminder_goes_to_the_session_that_was_begun(plain: Desk) -> None:
    asked = agent(plain, "claude", HALF, resumed=TELLS, linger_s=30)
    seen = json.loads(answer(plain, asked, timeout_s=1.5, grace_s=20.0).text)
    assert seen["argv"][seen["argv"].index("--resume") + 1] == "s-1"
    assert seen["prompt"].startswith("STATUS_CHECK")


def test_a_cli_without_a_session_cannot_be_reminded(plain: Desk) -> None:
    with pytest.raises(AgentTimedOut, match="did not finish within 1 s"):
        answer(plain, agent(plain, "claude", SAID, linger_s=30), timeout_s=1.0)


@pytest.mark.conformance("C-66", "C-70")
def test_a_session_that_is_closed_leaves_nobody_and_nothing(desk: Desk) -> None:
    asked = agent(desk, "claude", f"{HALF}\n{SAID}", linger_s=60)
    (desk.root / "bin" / "claude").write_text(f"#!/bin/sh\necho '{HALF}'\nsleep 61.7 &\nsleep 61.7\n")

    async def scene() -> None:
        session = asked.session()
        assert isinstance(session, CliSession)
        await session.spawn(desk.request())
        assert await session.wait(1.0) is None
        await session.close()
        with pytest.raises(AgentError, match="closed"):
            await session.wait(1.0)
        with pytest.raises(AgentError, match="closed"):
            await session.send("go on")

    asyncio.run(scene())
    commands = [_command(entry) for entry in Path("/proc").iterdir() if entry.name.isdecimal()]
    assert not [command for command in commands if b"61.7" in command]
    assert not list(desk.root.glob("agent-*"))


def test_a_denial_is_kept_to_the_first_few(plain: Desk) -> None:
    denials = [{"tool_name": "Bash", "tool_input": {"command": f"x{number}"}} for number in range(50)]
    reply = answer(plain, agent(plain, "claude", result("done", permission_denials=denials)))
    assert len(reply.denied) == 20
    assert reply.denied[0] == "Bash x0"
    assert Denied("Bash", "x0").about in reply.denied[0]


def test_usage_of_a_failed_call_is_told_with_the_failure(plain: Desk) -> None:
    with pytest.raises(AgentFailed) as caught:
        answer(plain, agent(plain, "claude", sample("claude", "budget"), exit=1))
    assert caught.value.trouble is AgentTrouble.BUDGET
    assert caught.value.usage.tokens == Usage(200_000, 40_000).tokens


def _command(process: Path) -> bytes:
    try:
        return (process / "cmdline").read_bytes()
    except OSError:
        return b""
