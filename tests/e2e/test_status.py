"""What a user sees of the queue: status, show, log, report and the completion of a shell."""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from burnish.store.cooldowns import Cooldowns
from burnish.store.database import open_database
from tests.cli import BURNISH, TIMEOUT_S, burnish, start
from tests.queues import WRITER, QueueBench
from tests.repos import TestRepo

# Approves task "ok" in its third review, "never" in none, and breaks at "broken".
BREAKER = "if 'broken' in prompt: sys.exit(3)\n" + WRITER
JUDGE = """
if 'Task slow' in prompt and cycle == 2:
    gate = Path(os.environ['HOME']) / 'go'
    while not gate.exists(): time.sleep(0.05)
print('**Verdict: APPROVED**' if cycle == 3 and 'never' not in prompt else
      f'## Must-Fix\\n\\n- missing check {cycle}\\n\\n**Verdict: CHANGES_REQUESTED**')
"""
# Conformance 2b: the fields of a task at the seed's date.
SEED_FIELDS = {
    "id", "prompt", "status", "task_type", "task_id", "branch", "log_file", "report_file", "based_on", "has_commits",
    "duration_seconds", "num_turns", "cost_usd", "created_at", "started_at", "completed_at", "group", "depends_on",
    "spec", "create_review", "same_branch", "task_type_hint", "output_content", "session_id", "auto_review",
    "max_review_cycles", "review_cycle", "final_verdict",
}  # fmt: skip


@pytest.fixture
def bench(tmp_path: Path, repo: Callable[..., TestRepo]) -> QueueBench:
    made = QueueBench(tmp_path, repo({"a": "1\n"}))
    made.configure(BREAKER, JUDGE)
    return made


def until(said: Callable[[], str], wanted: str) -> str:
    deadline = time.monotonic() + TIMEOUT_S
    while wanted not in (found := said()):
        assert time.monotonic() < deadline, found
        time.sleep(0.1)
    return found


@pytest.mark.conformance("G-14", "G-62", "G-63")
def test_status_lists_every_task_with_its_verdict_and_cycles(bench: QueueBench) -> None:
    for title in ("Task ok", "Task never", "Task broken"):
        bench.do("add", title, "--type", "implement", "--auto-review", "--max-cycles", "3")
    bench.do("add", "After it", "--depends-on", "3", "--group", "later")
    bench.do("work", "--all", "-j", "3", code=None)
    assert bench.do("status").out.splitlines() == [
        "(no group)",
        "  ✓ 1. implement Task ok        completed  APPROVED (3 cycles)",
        "  ✓ 2. implement Task never     completed  MAX_CYCLES_REACHED (3 cycles)",
        "  ✗ 3. implement Task broken    failed     implementer_failed",
        "later",
        "  ○ 4. implement After it       pending    blocked by #3",
        "",
        "4 tasks: 1 pending, 2 completed, 1 failed",
        "3 need a person: #2, #3, #4 (burnish status --why 2)",
    ]
    assert bench.do("status", "later").out.splitlines()[0] == (
        "  ○ 4. implement After it    pending    blocked by #3"
    )
    unknown = bench.do("status", "night", code=2)
    assert "there is no group 'night': the groups are later." in unknown.err
    _as_json(bench)
    _in_words(bench)
    _in_the_morning(bench)


def _as_json(bench: QueueBench) -> None:
    ok, never, broken, after = json.loads(bench.do("status", "--json").out)
    for task in (ok, never, broken, after):
        assert set(task) >= SEED_FIELDS
    assert (ok["id"], ok["status"], ok["final_verdict"], ok["review_cycle"]) == (
        1,
        "completed",
        "APPROVED",
        3,
    )
    assert ok["has_commits"] is True
    assert bench.repo.git("rev-parse", ok["branch"]) == ok["commit"]
    for name in ("log_file", "report_file"):
        assert (bench.repo.path / ok[name]).is_file()
    assert Path(ok["receipt"]).is_file()
    assert (broken["status"], broken["reason"], broken["has_commits"]) == (
        "failed",
        "implementer_failed",
        False,
    )
    assert (after["waits_for"], after["blocked_by"], after["group"]) == ([3], [3], "later")
    assert (after["branch"], after["run"], after["started_at"], after["log_file"]) == (None, None, None, None)
    whole = json.loads(bench.do("show", "2", "--json").out)
    assert [review["cycle"] for review in whole["reviews"]] == [1, 2, 3]
    assert {"implement", "review", "fix"} <= set(whole["used"])


def _in_words(bench: QueueBench) -> None:
    why = bench.do("status", "--why", "2").out
    assert "It is completed: MAX_CYCLES_REACHED after 3 cycles." in why
    assert "cycles_exhausted: " in why
    assert "The last review (cycle 3) said CHANGES_REQUESTED: missing check 3" in why
    [cat] = [line for line in why.splitlines() if line.startswith("  cat ")]
    assert "missing check 3" in (bench.repo.path / cat.split()[1]).read_text("utf8")
    assert "#3 implement Task broken is failed" in bench.do("status", "--why", "4").out
    bench.do("edit", "2", "--verdict", "APPROVED", "--why", "good enough")
    page = bench.do("show", "2").out
    assert re.search(r"verdict APPROVED \(was MAX_CYCLES_REACHED\): good enough", page)
    [run] = re.findall(r"^  (r-\w+)  .*exhausted", page, re.MULTILINE)
    shown = bench.do("show", run).out
    assert shown.startswith(f"run      {run}")
    assert shown.endswith("An attempt at task #2: burnish show 2\n")
    assert re.search(rf"^{run}  #2 +exhausted", bench.do("runs").out, re.MULTILINE)
    assert bench.do("log", "2").out == bench.do("log", run).out
    assert bench.do("log", "2").out.count("CHANGES_REQUESTED") == 3
    assert "nothing happened yet: task #4 is pending" in bench.do("log", "4").err
    assert "there is no task #99; the queue has #1 to #4." in bench.do("show", "99", code=2).err


def _in_the_morning(bench: QueueBench) -> None:
    said = bench.do("report", "--since", "1h").out
    assert "**1 needs a person, 1 failed, 2 approved.**" in said
    page = bench.repo.path / ".git" / "morning.html"
    bench.do("report", "--since", "2d", "--output", str(page))
    assert "<svg" in page.read_text("utf8")
    assert "cannot be written" in bench.do("report", "--output", "no/such/folder.md", code=2).err
    assert "expected 30m, 12h, 2d or a date" in bench.do("report", "--since", "often", code=2).err


@pytest.mark.conformance("G-64")
def test_a_task_at_work_is_followed_by_status_log_and_watch(
    bench: QueueBench, isolated_environment: Path
) -> None:
    bench.do("add", "Task slow", "-a")
    follows = start(bench.repo.path, "log", "1", "--follow")
    watch = start(bench.repo.path, "status", "--watch")
    work = start(bench.repo.path, "work")
    try:
        line = "  → 1. implement Task slow    in_progress (cycle 2/3)"
        until(lambda: bench.do("status").out, line)
        assert f"process {work.pid} works on it" in bench.do("status", "--why", "1").out
        (isolated_environment / "go").touch()
        assert work.wait(TIMEOUT_S) == 0
        said, _ = follows.communicate(timeout=TIMEOUT_S)
        assert follows.returncode == 0
        assert "APPROVED after 3 cycles" in said.decode().splitlines()[-2]
        time.sleep(2)
        watch.send_signal(signal.SIGINT)
        seen, _ = watch.communicate(timeout=TIMEOUT_S)
        assert watch.returncode == 130
        shown = seen.decode().splitlines()
        assert shown[0] == "  ○ 1. implement Task slow    pending"
        assert re.fullmatch(r"\d\d:\d\d:\d\d  → 1\. implement Task slow    in_progress .*", shown[3])
        assert re.fullmatch(r"\d\d:\d\d:\d\d  ✓ 1\. .* completed  APPROVED \(3 cycles\)", shown[-1])
    finally:
        for child in (follows, watch, work):
            child.kill()
            child.communicate()


@contextmanager
def terminal(
    folder: Path, *words: str, columns: int = 80, **env: str
) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """A command at a terminal of its own: the end to read from, and its process."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    plain = {
        name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "LINES")
    }
    child = subprocess.Popen(
        [*BURNISH, *words], cwd=folder, env={**plain, "TERM": "xterm-256color", **env},
        stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
    )  # fmt: skip
    os.close(theirs)
    try:
        yield ours, child
    finally:
        child.kill()
        child.wait()
        os.close(ours)


def read(end: int, wanted: str | None = None) -> str:
    """Until that is there, or until the end."""
    said = b""
    with suppress(OSError):
        while select.select([end], [], [], TIMEOUT_S)[0]:
            said += os.read(end, 65536)
            if wanted is not None and wanted in said.decode("utf8", "replace"):
                break
    return said.decode("utf8", "replace")


def test_a_terminal_gets_colours_and_lines_that_fit(bench: QueueBench) -> None:
    bench.do("add", "A title that is much longer than a terminal of eighty columns " * 3)
    bench.do("cancel", "1")
    with terminal(bench.repo.path, "status") as (end, _):
        first = read(end).splitlines()[0]
    with terminal(bench.repo.path, "status", columns=60, NO_COLOR="1") as (end, _):
        second = read(end).splitlines()[0]
    bare = re.sub(r"\x1b\[[0-9;]*m", "", first)
    assert first.startswith("\x1b[2m  - \x1b[0m1. implement A title")
    assert (len(bare), "…" in bare) == (80, True)
    assert (len(second), "\x1b" in second) == (60, False)
    assert "\x1b" not in bench.do("status").out


def test_the_live_view_is_drawn_again_at_a_new_size_and_leaves_the_terminal_in_order(
    bench: QueueBench,
) -> None:
    bench.do("add", "Task ok", "-a")
    bench.do("add", "Cancelled \x1b[31m one")
    bench.do("cancel", "2")
    with terminal(bench.repo.path, "status", "--watch") as (end, child):
        said = read(end, "cancelled")
        assert "\x1b[2m" in said  # dim
        assert "\x1b[31m" not in said  # the title's own
        fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 40, 0, 0))
        child.send_signal(signal.SIGWINCH)
        assert "…" in read(end, "…")
        bench.do("add", "One more")
        assert "One more" in read(end, "One more")
        child.send_signal(signal.SIGINT)
        rest = read(end)
        assert child.wait(TIMEOUT_S) == 130
        assert "\x1b[?25h" in rest  # the cursor is shown again


def test_agents_that_cool_down_and_the_budget_of_a_day_are_shown(bench: QueueBench) -> None:
    bench.do("add", "Task ok")
    [path] = bench.state.glob("repos/*/burnish.db")
    with closing(open_database(path)) as database:
        asyncio.run(Cooldowns(database).cool("codex", 600, "rate limit"))
    said = burnish(bench.repo.path, "status", env={"BURNISH_BUDGET_DAY_COST_USD": "10"}).out
    assert re.search(r"^codex: rate limit, next try at \d\d:\d\d:\d\d$", said, re.MULTILINE)
    assert "the last 24 hours: $0.00 of $10.00" in said
    assert "the last 24 hours" not in bench.do("status").out
    assert "codex: rate limit, next try at" in bench.do("status", "--why", "1").out


def completed(bench: QueueBench, shell: str, script: str) -> list[str]:
    """What a real shell offers; its `burnish` is this one."""
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"there is no {shell} here")
    folder = bench.folder / "bin"
    folder.mkdir(exist_ok=True)
    (folder / "burnish").write_text(f'#!/bin/sh\nexec {sys.executable} -m burnish "$@"\n')
    (folder / "burnish").chmod(0o755)
    env = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
    off = {"bash": ["--norc"], "zsh": ["-f"], "fish": ["--no-config"]}[shell]
    done = subprocess.run(
        [program, *off, "-c", script], cwd=bench.repo.path, env=env, capture_output=True, text=True,
        timeout=TIMEOUT_S, check=False,
    )  # fmt: skip
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_bash_completes_verbs_options_and_task_numbers(bench: QueueBench) -> None:
    for title in ("One", "Two", "Three"):
        bench.do("add", title, "--group", "night")
    script = """
        eval "$(burnish completion bash)"
        offer() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _burnish_completion burnish; echo "${COMPREPLY[*]}"; }
        offer burnish sta; offer burnish status --w; offer burnish show ''; offer burnish retry 2
        offer burnish status n; cd /; offer burnish show ''
    """
    assert completed(bench, "bash", script) == ["status", "--watch --why", "1 2 3", "2", "night", ""]


def test_fish_completes_them_with_what_they_are(bench: QueueBench) -> None:
    bench.do("add", "One")
    script = 'burnish completion fish | source; complete -C "burnish show "; complete -C "burnish repo"'
    assert completed(bench, "fish", script) == [
        "1\tpending: One",
        "report\tWhat the queue did while nobody looked",
    ]


def test_zsh_completes_them_too(bench: QueueBench) -> None:
    bench.do("add", "One: two")
    # What zsh would show is printed instead.
    script = """
        autoload -Uz compinit; compinit -D -u; eval "$(burnish completion zsh)"
        _describe() { print -rl -- "${(@P)3}" }; compadd() { print -r -- ${(P)@[-1]} }
        print -r -- $_comps[burnish]
        words=(burnish show ''); CURRENT=3; _burnish_completion
        words=(burnish repo); CURRENT=2; _burnish_completion
    """
    assert completed(bench, "zsh", script) == [
        "_burnish_completion",
        "1:pending: One: two",
        "report:What the queue did while nobody looked",
    ]
