"""Any program is an agent."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path

import pytest

from burnish.errors import AgentError, AgentFailed, AgentMissing, AgentTimedOut, UsageError
from burnish.model.sandbox_mode import SandboxMode
from burnish.model.step import Role
from tests.unit.agents.desk import PYTHON, Desk


def test_the_prompt_comes_on_stdin_and_stdout_is_the_answer(desk: Desk) -> None:
    reply = desk.shell("tr a-z A-Z; pwd")
    assert reply.text == f"DO IT{desk.workspace}\n"
    assert (reply.agent_exit, reply.report, reply.truncated) == (0, None, False)
    assert reply.isolation == ("guard (unsandboxed)" if desk.mode is SandboxMode.OFF else "bubblewrap")


def test_the_output_file_is_the_answer_when_it_was_written(desk: Desk) -> None:
    script = 'echo chatter; echo "the answer" > "$BURNISH_OUTPUT"; echo r > ../outbox/report.md'
    reply = desk.shell(script, role=Role.IMPLEMENT)
    assert (reply.text, reply.report) == ("the answer\n", "r\n")


def test_an_empty_output_file_is_an_empty_answer_not_the_chatter(desk: Desk) -> None:
    assert desk.shell('echo "chatter"; : > "$BURNISH_OUTPUT"', role=Role.IMPLEMENT).text == ""


def test_a_reviewer_answers_on_stdout_alone(desk: Desk) -> None:
    """Whatever it runs can write its outbox, so a file there is not its answer."""
    reply = desk.shell(
        "echo '**Verdict: APPROVED**' > ../outbox/message.md; echo '**Verdict: NEEDS_DISCUSSION**'"
    )
    assert reply.text == "**Verdict: NEEDS_DISCUSSION**\n"


def test_a_report_of_a_program_is_not_witnessed_and_one_of_a_scenario_is(desk: Desk) -> None:
    reply = desk.shell("echo '## Grade: PASS' > ../outbox/report.md; echo done")
    assert (reply.report, reply.report_witnessed) == ("## Grade: PASS\n", False)
    assert desk.scripted('[[step]]\nreport = "## Grade: PASS"\nreply = "done"\n').report_witnessed


def test_no_output_path_socket_or_token_is_in_a_reviewers_environment(desk: Desk) -> None:
    names = {line.partition("=")[0] for line in desk.shell("env").text.splitlines()}
    ours = {name for name in names if name.startswith("BURNISH")}
    assert ours == {"BURNISH_ROLE", "BURNISH_MODEL", "BURNISH_TIER", "BURNISH_USAGE"}


def test_what_a_reviewer_runs_cannot_open_its_output(desk: Desk) -> None:
    script = "sh -c 'echo forged > /proc/$PPID/fd/1' 2>/dev/null || echo refused; echo said"
    assert desk.shell(script).text == "refused\nsaid\n"


def test_whoever_looks_on_is_told_each_line_as_it_comes(desk: Desk) -> None:
    heard: list[str] = []
    reply = desk.shell("printf 'one\\n\\n  two  \\r\\n\\377 three'", on_line=heard.append)
    assert heard == ["one", "two", "\ufffd three"]
    assert reply.text.startswith("one\n\n  two")


def test_role_and_variables_are_in_the_environment_and_secrets_are_not(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("API_TOKEN", "canary")
    monkeypatch.setenv("GIT_DIR", "/somewhere")
    reply = desk.shell("env", role=Role.FIX, variables={"BURNISH_RUN": "r-1", "BURNISH_CYCLE": "2"})
    lines = reply.text.splitlines()
    assert {"BURNISH_ROLE=fix", "BURNISH_RUN=r-1", "BURNISH_CYCLE=2"} <= set(lines)
    assert f"BURNISH_OUTPUT={desk.outbox}/message.md" in lines
    assert "canary" not in reply.text
    assert not any(line.startswith("GIT_") for line in lines)


def test_a_variable_is_passed_by_name(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("API_TOKEN", "wanted")
    agent = desk.agent("/bin/sh -c 'echo $API_TOKEN'", pass_names=("API_TOKEN",))
    session = agent.session()

    async def answer() -> str:
        await session.spawn(desk.request())
        reply = await session.wait(20)
        assert reply is not None
        return reply.text

    assert asyncio.run(answer()) == "wanted\n"


def test_words_are_split_like_a_shell_would_and_no_shell_sees_them(desk: Desk) -> None:
    reply = desk.ask(f"{PYTHON} -c 'import sys; print(sys.argv[1:])' \"a b\" '$HOME' '*' ';' c\\ d")
    assert reply.text == "['a b', '$HOME', '*', ';', 'c d']\n"


@pytest.mark.parametrize("spec", ["", "   ", "''", "sh -c 'unfinished", "a\0b"])
def test_a_command_line_that_cannot_be_read_is_a_usage_error(plain: Desk, spec: str) -> None:
    with pytest.raises(UsageError):
        plain.agent(spec)


def test_another_status_than_0_is_a_failure_that_tells_what_was_said(desk: Desk) -> None:
    with pytest.raises(AgentFailed, match=r"ended with status 7: the last words$") as caught:
        desk.shell("echo '## Grade: PASS'; echo the last words >&2; exit 7")
    assert caught.value.agent_exit == 7


def test_an_agent_killed_by_a_signal_failed_whatever_it_said(desk: Desk) -> None:
    with pytest.raises(AgentFailed, match=r"status 137 \(signal 9\)") as caught:
        desk.shell("echo '## Grade: PASS'; kill -9 $$")
    assert caught.value.agent_exit == 137


def test_a_program_that_is_not_there_is_missing(desk: Desk) -> None:
    with pytest.raises(AgentMissing, match="'no-such-agent' was not found on PATH") as caught:
        desk.ask("no-such-agent --flag")
    assert caught.value.hint


def test_a_program_that_cannot_be_executed_is_missing(desk: Desk) -> None:
    (desk.root / "agent").write_text("#!/no/such/thing\n")
    with pytest.raises(AgentMissing, match="is not executable"):
        desk.ask("./agent")
    (desk.root / "agent").chmod(0o755)
    with pytest.raises(AgentMissing, match="interpreter '/no/such/thing'"):
        desk.ask("./agent")


def test_a_program_of_the_workspace_is_not_taken(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = desk.workspace / "reviewer"
    fake.write_text("#!/bin/sh\necho '## Grade: PASS'\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f".:{desk.workspace}:{os.environ['PATH']}")
    with pytest.raises(AgentMissing):
        desk.ask("reviewer")


def test_an_agent_past_its_time_is_stopped_and_its_last_words_are_kept(desk: Desk) -> None:
    begun = time.monotonic()
    with pytest.raises(AgentTimedOut, match=r"did not finish within 0.5 s: still thinking"):
        desk.shell("echo still thinking; sleep 60", timeout_s=0.5)
    assert time.monotonic() - begun < 5


def test_a_silent_agent_is_stopped(desk: Desk) -> None:
    async def answer() -> None:
        session = desk.agent("sleep 60", stall_s=0.3).session()
        await session.spawn(desk.request())
        try:
            await session.wait(60)
        finally:
            await session.close()

    with pytest.raises(AgentTimedOut, match=r"printed nothing for 0.3 s"):
        asyncio.run(answer())


@pytest.mark.conformance("C-66", "C-68", "C-70")
def test_a_session_can_be_waited_for_again_and_closed_for_good(desk: Desk) -> None:
    async def talk() -> None:
        session = desk.agent("/bin/sh -c 'sleep 0.6; echo done'").session()
        await session.spawn(desk.request())
        assert await session.wait(0.1) is None
        with pytest.raises(AgentError, match="cannot be told anything"):
            await session.send("are you there?")
        with pytest.raises(AgentError, match="already started"):
            await session.spawn(desk.request())
        reply = await session.wait(20)
        assert reply is not None
        assert reply.text == "done\n"
        await session.close()
        await session.close()
        with pytest.raises(AgentError, match="closed"):
            await session.wait(1)

    asyncio.run(talk())


def test_closing_kills_what_still_runs(desk: Desk) -> None:
    async def leave() -> None:
        session = desk.agent("/bin/sh -c 'sleep 61.25 & echo up > started; wait'").session()
        await session.spawn(desk.request())
        while not (desk.workspace / "started").exists():
            await asyncio.sleep(0.01)
        await session.close()

    asyncio.run(leave())
    commands = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if path.exists()]
    assert not [command for command in commands if b"61.25" in command]


def test_what_an_earlier_answer_left_is_not_taken_for_this_one(desk: Desk) -> None:
    (desk.outbox / "message.md").write_text("**Verdict: APPROVED**")
    (desk.outbox / "report.md").symlink_to("/etc/passwd")
    reply = desk.shell("echo fresh")
    assert (reply.text, reply.report) == ("fresh\n", None)


@pytest.mark.parametrize(
    "deed", ["ln -s /etc/passwd $BURNISH_OUTPUT", "mkfifo $BURNISH_OUTPUT", "mkdir $BURNISH_OUTPUT"]
)
def test_an_output_that_is_no_plain_file_is_a_failure(desk: Desk, deed: str) -> None:
    with pytest.raises(AgentFailed, match=r"message\.md is not"):
        desk.shell(f"{deed}; echo '## Grade: PASS'", role=Role.IMPLEMENT)


def test_an_outbox_replaced_by_a_link_is_a_failure(plain: Desk, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "message.md").write_text("not yours")
    with pytest.raises(AgentFailed):
        plain.shell(f"rmdir {plain.outbox}; ln -s {elsewhere} {plain.outbox}")


def test_a_huge_answer_is_cut_in_the_middle_and_says_so(desk: Desk) -> None:
    reply = desk.shell("printf start; head -c 5000000 /dev/zero | tr '\\0' x; printf end")
    assert reply.truncated
    assert len(reply.text) < 2_200_000
    assert reply.text.startswith("start")
    assert reply.text.endswith("end")
    script = "head -c 5000000 /dev/zero > $BURNISH_OUTPUT; echo end >> $BURNISH_OUTPUT"
    filed = desk.shell(script, role=Role.IMPLEMENT)
    assert filed.truncated
    assert filed.text.endswith("end\n")


def test_the_sandbox_shows_the_inbox_read_only_and_nothing_else_of_the_run(tmp_path: Path) -> None:
    desk = Desk(tmp_path, SandboxMode.AUTO)
    request = desk.request()
    (request.inbox / "review.md").write_text("findings")
    (tmp_path / "database").write_text("SECRET")
    reply = desk.shell(
        f"cat {request.inbox}/review.md; ls {tmp_path}; (echo x > {request.inbox}/new) 2>/dev/null; :"
    )
    if reply.isolation != "bubblewrap":
        pytest.skip("bubblewrap is not usable here")
    assert reply.text == "findingsinbox\noutbox\nworkspace\n"
    assert not (request.inbox / "new").exists()


def test_a_prompt_with_unencodable_text_still_arrives(desk: Desk) -> None:
    assert desk.ask("cat", prompt="file \udce9 and ä").text == "file \\udce9 and ä"


def test_a_reviewer_cannot_change_what_it_reviews_in_our_sandbox_and_a_fixer_can(desk: Desk) -> None:
    file = desk.workspace / "app.py"
    script = "echo changed > app.py; echo new > made.txt; echo report > ../outbox/report.md"
    for role in (Role.REVIEW, Role.FIX):
        file.write_text("as it was\n")
        reply = desk.shell(script, role=role)
        held = desk.mode is SandboxMode.REQUIRE and role is Role.REVIEW
        assert file.read_text() == ("as it was\n" if held else "changed\n")
        assert (desk.workspace / "made.txt").exists()
        assert reply.report == "report\n"
