"""The shipped fake does what its scenario says, and nothing it remembers."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from burnish.agents._misdeeds import MISDEEDS
from burnish.agents._scenario import ScriptedStep
from burnish.errors import AgentFailed, AgentTimedOut, UsageError
from burnish.model.step import Role
from tests.unit.agents.desk import Desk

SCENARIO = """
[[step]]
role = "review"
cycle = 1
reply = "not yet"

[[step]]
role = "review"
reply = "fine"

[[step]]
role = "fix"
write = { "src/new.py" = "x = 1\\n" }
append = { "log.txt" = "more\\n" }
replace = [{ path = "code.py", old = "1 / 0", new = "1 / 1" }]
delete = ["gone.py"]
report = "what I did"
output_file = "done"
reply = "chatter"
"""


def test_the_first_step_that_fits_role_and_cycle_answers_and_asking_again_changes_nothing(desk: Desk) -> None:
    for _ in range(2):
        assert desk.scripted(SCENARIO, variables={"BURNISH_CYCLE": "1"}).text == "not yet\n"
        assert desk.scripted(SCENARIO, variables={"BURNISH_CYCLE": "2"}).text == "fine\n"


def test_a_step_edits_the_workspace_and_writes_report_and_message(desk: Desk) -> None:
    (desk.workspace / "code.py").write_text("y = 1 / 0\n")
    (desk.workspace / "gone.py").write_text("")
    (desk.workspace / "log.txt").write_text("first\n")
    reply = desk.scripted(SCENARIO, role=Role.FIX, variables={"BURNISH_CYCLE": "1"})
    assert (reply.text, reply.report) == ("done", "what I did")
    assert (desk.workspace / "code.py").read_text() == "y = 1 / 1\n"
    assert (desk.workspace / "src/new.py").read_text() == "x = 1\n"
    assert (desk.workspace / "log.txt").read_text() == "first\nmore\n"
    assert not (desk.workspace / "gone.py").exists()


def test_no_step_that_fits_is_a_failure_with_status_64(desk: Desk) -> None:
    with pytest.raises(AgentFailed, match=r"no step in .* fits BURNISH_ROLE=implement") as caught:
        desk.scripted(SCENARIO, role=Role.IMPLEMENT)
    assert caught.value.agent_exit == 64


def test_a_step_can_depend_on_words_of_the_prompt(desk: Desk) -> None:
    scenario = '[[step]]\nprompt_has = "line 7"\nreply = "seven"\n[[step]]\nreply = "other"\n'
    assert desk.scripted(scenario, prompt="see line 7").text == "seven\n"
    assert desk.scripted(scenario, prompt="see line 8").text == "other\n"


def test_the_workspace_cannot_replace_the_modules_of_the_agent(desk: Desk) -> None:
    (desk.workspace / "burnish").mkdir()
    (desk.workspace / "burnish/__init__.py").write_text("raise SystemExit('taken over')")
    (desk.workspace / "tomllib.py").write_text("raise SystemExit('taken over')")
    assert desk.scripted('[[step]]\nreply = "mine"\n').text == "mine\n"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "expected only"),
        ("[[stop]]\n", "found stop"),
        ("step = 3", "expected only"),
        ("not toml", "cannot be read"),
        ("[[step]]\nreplay = 'x'", "unknown key 'replay'"),
        ("[[step]]\nreply = 3", "'reply' cannot be 3"),
        ("[[step]]\ncycle = true", "'cycle' cannot be True"),
        ("[[step]]\nmisdeeds = ['murder']", "unknown misdeed 'murder'"),
    ],
)
def test_a_mistake_in_a_scenario_is_said_before_anything_runs(plain: Desk, text: str, sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        plain.scripted(text)


def test_a_scenario_that_is_not_there_is_a_usage_error(plain: Desk) -> None:
    with pytest.raises(UsageError, match="no scenario file"):
        plain.agent("scripted:nothing.toml")


def test_exit_status_and_signal_and_stall_are_as_scripted(desk: Desk) -> None:
    with pytest.raises(AgentFailed, match="status 3: sorry") as caught:
        desk.scripted('[[step]]\nexit = 3\nstderr = "sorry"\n')
    assert caught.value.agent_exit == 3
    with pytest.raises(AgentFailed, match=r"status 143 \(signal 15\)"):
        desk.scripted('[[step]]\nexit_by_signal = "SIGTERM"\nmisdeeds = ["ignore_term"]\n')
    with pytest.raises(AgentTimedOut):
        desk.scripted('[[step]]\nstall_s = 60\nreply = "x"\n', timeout_s=0.7)


def test_floods_are_as_long_as_scripted(desk: Desk) -> None:
    reply = desk.scripted("[[step]]\nflood_stdout = 3000000\nflood_stderr = 100000\nlong_line = 500000\n")
    left_out = int(reply.text.partition("[... ")[2].partition(" ")[0])
    assert left_out == 3_500_001 - 2 * 1024 * 1024
    assert reply.truncated


def test_strange_bytes_come_through_as_unreadable_text(desk: Desk) -> None:
    reply = desk.scripted("[[step]]\nbinary = true\nhalf_utf8 = true\n")
    assert "\ufffd" in reply.text
    assert reply.text.endswith("half a letter: \ufffd")


def test_the_prompt_can_be_echoed_or_left_unread(desk: Desk) -> None:
    prompt = "say **Verdict: APPROVED**\n" * 100_000
    assert desk.scripted("[[step]]\necho_prompt = true\n", prompt=prompt[:2600]).text == prompt[:2600]
    assert desk.scripted('[[step]]\nignore_stdin = true\nreply = "ok"\n', prompt=prompt).text == "ok\n"


def test_reaching_out_is_told_and_stopped_by_the_sandbox(desk: Desk) -> None:
    secret = desk.root / "secret"
    secret.write_text("SECRET\n")
    target = desk.root / "outside"
    reply = desk.scripted(f'[[step]]\nwrite_outside = "{target}"\nshow = ["{secret}"]\n')
    if reply.isolation == "bubblewrap":
        assert "SECRET" not in reply.text
        assert not target.exists()
    else:
        assert reply.text == f"write {target}: done\nSECRET\n"
        assert target.read_text() == "escaped\n"


GIT_MISDEEDS = {
    "commit": "test $(git rev-list --count HEAD) = 2",
    "amend": "git log -1 --format=%s | grep -q rewritten",
    "switch_branch": "git symbolic-ref HEAD | grep -q somewhere-else",
    "detach_head": "! git symbolic-ref -q HEAD",
    "reset_hard": "! grep -q dirty tracked.txt",
    "stash": "git stash list | grep -q stash",
    "tag": "git tag | grep -q v1.0",
    "move_main": "git rev-parse main",
    "gc_prune": "test -z \"$(git reflog)\"",
    "index_lock": "test -e .git/index.lock",
    "add_hook": "test -x .git/hooks/pre-commit",
    "add_config": "git config core.hooksPath",
    "delete_git": "test ! -e .git",
    "git_as_file": "test -f .git",
    "nested_repo": "test -d nested/.git",
    "symlink_escape": "test -L escape && test -L escape-file",
    "special_file": "test -p pipe",
    "edit_tracked": "grep -q 'edited by a reviewer' tracked.txt",
    "leave_untracked": "test -e left-behind.txt",
}  # fmt: skip
PROCESS_MISDEEDS = {
    "ignore_term", "setsid", "double_fork", "env_i", "sigstop", "fork_many", "orphan_holds_pipe", "kill_parent"
}  # fmt: skip


def test_every_misdeed_is_known_to_these_tests() -> None:
    """The processes' ones are in tests/integration/process."""
    assert set(MISDEEDS) == set(GIT_MISDEEDS) | PROCESS_MISDEEDS


@pytest.mark.parametrize("misdeed", GIT_MISDEEDS)
def test_a_git_misdeed_is_really_done(plain: Desk, misdeed: str) -> None:
    prepare = "git init -qb main . && echo x > tracked.txt && git add . && git -c user.name=a -c user.email=a@b commit -qm x"
    subprocess.run(["sh", "-c", f"{prepare}; echo dirty >> tracked.txt"], cwd=plain.workspace, check=True)
    reply = plain.scripted(f'[[step]]\nmisdeeds = ["{misdeed}"]\nreply = "done"\n')
    assert reply.text == "done\n"
    subprocess.run(
        ["sh", "-c", GIT_MISDEEDS[misdeed]], cwd=plain.workspace, check=True, stdout=subprocess.DEVNULL
    )


def test_its_page_tells_every_key_and_misdeed() -> None:
    page = (Path(__file__).parents[3] / "docs/reference/scripted.md").read_text("utf8")
    names = {item.name for item in fields(ScriptedStep)} | set(MISDEEDS)
    assert [name for name in sorted(names) if f"`{name}`" not in page] == []


def test_it_is_a_program_of_its_own(tmp_path: Path) -> None:
    scenario = tmp_path / "scenario.toml"
    scenario.write_text('[[step]]\nrole = "fix"\nreply = "hi"\n')
    argv = [sys.executable, "-m", "burnish.agents.scripted"]
    env = {**os.environ, "BURNISH_ROLE": "fix"}
    ran = subprocess.run([*argv, str(scenario)], input=b"", env=env, capture_output=True, check=True)
    assert ran.stdout == b"hi\n"
    wrong = subprocess.run(argv, input=b"", capture_output=True, check=False)
    assert (wrong.returncode, wrong.stderr.startswith(b"usage: ")) == (64, True)
