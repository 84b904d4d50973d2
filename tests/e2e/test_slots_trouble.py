"""What goes wrong around a session of slots: one documented end each, and nothing lost."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli import burnish
from tests.repos import TestRepo
from tests.slots import ENV, WRITER, Slots, bead

Repos = Callable[..., TestRepo]
BROKEN = '{"id": "bd-1", "title": "Add bd-1", "status": "open"}\n{"id": "bd-2", "title"\n'
BD = """#!/bin/sh
echo "$@" >> {log}
case "$1" in
list) echo '[{{"id": "bd-5", "title": "Add bd-5", "status": "open", "priority": 1}}]' ;;
esac
"""


@pytest.fixture
def slots(tmp_path: Path, repo: Repos) -> Slots:
    made = Slots(tmp_path / "agents", repo({"app.py": "start\n"}))
    made.beads(bead("bd-1"), bead("bd-2"))
    return made


def with_bd(slots: Slots) -> dict[str, str]:
    """A `bd` of the user's own, first on the path."""
    folder = slots.folder / "bin"
    folder.mkdir()
    program = folder / "bd"
    program.write_text(BD.format(log=slots.folder / "bd.log"))
    program.chmod(0o755)
    return {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}


def test_a_malformed_line_stops_everything_before_anything_is_started(slots: Slots) -> None:
    slots.repo.write(".beads/issues.jsonl", BROKEN)
    said = slots.run(code=2)
    assert ".beads/issues.jsonl, line 2: expected a bead, a JSON object with id, title and status" in said.err
    assert slots.asked == []
    assert slots.views() == []
    assert slots.repo.branches == ["main"]


def test_with_bd_its_own_list_is_used_instead_and_closing_is_asked_for(slots: Slots) -> None:
    slots.repo.write(".beads/issues.jsonl", BROKEN)
    slots.run("--close-beads", "--iterations", "1", env=with_bd(slots))
    assert slots.asked == ["bd-5-implement-1"]
    calls = (slots.folder / "bd.log").read_text().splitlines()
    assert calls[0] == "list --json --all --limit 0"
    assert [call for call in calls if not call.startswith("list")] == [
        f"close bd-5 --reason on {slots.branch}"
    ]


def test_a_line_that_breaks_in_mid_session_leaves_it_to_be_resumed(slots: Slots) -> None:
    file = slots.repo.path / ".beads" / "issues.jsonl"
    whole = file.read_text()
    slots.agent("implementer", WRITER + f"Path({str(file)!r}).write_text({BROKEN!r})\n")
    said = slots.run(code=2)
    assert "line 2: expected a bead" in said.err
    assert slots.landed() == ["Add bd-1"]
    file.write_text(whole)
    slots.agent("implementer", WRITER)
    slots.run("--resume")
    assert slots.asked == ["bd-1-implement-1", "bd-2-implement-1"]
    assert slots.landed() == ["Add bd-1", "Add bd-2"]


def test_a_second_slot_that_picks_the_bead_of_the_first_fails_and_its_work_is_kept(slots: Slots) -> None:
    slots.agent("implementer", "write(os.environ['BURNISH_RUN'])\nprint('Updated issue: bd-1')\n")
    said = slots.run("--picks", "agent", "--parallel-agents", "2", code=1)
    assert "slot 2 failed on bd-1: it picked bd-1, which another slot has" in said.err
    # What lands is called as the bead that was picked.
    assert slots.landed() == ["Add bd-1"]
    assert len([name for name in slots.repo.branches if "unapproved" in name]) == 1


def test_a_target_that_is_deleted_in_mid_run_waits_for_the_user_with_nothing_lost(slots: Slots) -> None:
    slots.repo.git("branch", "line")
    delete = f"import subprocess\nsubprocess.run(['git', '-C', {str(slots.repo.path)!r}, 'branch', '-D', 'line'])\n"
    slots.agent("implementer", WRITER + delete)
    said = slots.run("--onto", "line", "--iterations", "1", code=1)
    assert "the branch line is gone, and what passes has to go there." in said.err
    assert "burnish slots --resume" in said.err
    slots.repo.git("branch", "line", "main")
    slots.run("--resume", "--iterations", "1")
    assert slots.asked == ["bd-1-implement-1"]
    assert slots.landed("line") == ["Add bd-1"]


def test_the_checked_out_branch_may_go_where_the_session_has_its_own(slots: Slots) -> None:
    slots.repo.git("checkout", "-q", "-b", "work")
    away = [["checkout", "-q", "main"], ["branch", "-q", "-D", "work"]]
    body = "import subprocess\n" + "".join(
        f"subprocess.run(['git', '-C', {str(slots.repo.path)!r}, *{words}])\n" for words in away
    )
    slots.agent("implementer", WRITER + body)
    slots.run("--iterations", "1")
    assert slots.landed() == ["Add bd-1"]


def test_work_comes_from_a_checklist_and_from_our_own_tasks_too(slots: Slots) -> None:
    slots.repo.write("TODO.md", "- [x] Old\n- [ ] First\n- [ ] Second after: #2\n")
    said = slots.run("--source", "checklist:TODO.md", "--parallel-agents", "2", "--iterations", "1")
    assert "note: uncommitted changes in your checkout are not part of this session\n" in said.out
    # The second waits for the first, so that one slot stays empty.
    assert slots.asked == ["item-2-implement-1"]
    burnish(slots.repo.path, "add", "Task of ours")
    slots.run("--source", "tasks")
    assert slots.asked[1:] == ["#1-implement-1"]
    assert "completed" in burnish(slots.repo.path, "show", "1").out
    assert "nothing to do" in slots.run("--source", "tasks").out
    assert "expected --source beads, tasks or checklist:FILE" in slots.run("--source", "jira", code=2).err


def test_a_second_session_is_refused_while_one_is_at_work(slots: Slots) -> None:
    inner = "import subprocess\nsaid = subprocess.run([sys.executable, '-m', 'burnish', 'slots'], capture_output=True, text=True, cwd="
    slots.agent(
        "implementer",
        f"{inner}{str(slots.repo.path)!r}, env={{**os.environ, 'BURNISH_STATE': {os.environ['BURNISH_STATE']!r}}})\nprint(said.stderr)\n{WRITER}",
    )
    slots.run("--iterations", "1")
    logged = [name for name in slots.logs if name.endswith(".last-message.txt")]
    text = (slots.repo.path / ".burnish" / "logs" / logged[0]).read_text()
    assert "a session of slots is at work already: run r-" in text


def test_a_slot_that_asks_a_person_waits_durably_and_goes_on_with_the_answer(slots: Slots) -> None:
    slots.agent(
        "implementer",
        "write()\nprint('QUESTION: euros or dollars?' if bead == 'bd-1' and 'take euros' not in prompt else 'done')\n",
    )
    said = slots.run("--parallel-agents", "2", code=5)
    assert "slot 1 asks: euros or dollars?" in said.err
    assert slots.landed() == ["Add bd-2"]
    [asking] = [view.id for view in slots.views() if view.title == "Add bd-1"]
    assert f"burnish answer {asking} TEXT" in said.err
    assert "euros or dollars?" in burnish(slots.repo.path, "status").out
    slots.run("--resume", code=5)
    assert len(slots.asked) == 2
    answered = burnish(slots.repo.path, "answer", asking, "take euros", env=ENV)
    assert answered.code == 0
    assert "slot 1 [MERGE] bd-1 Add bd-1" in answered.out
    assert slots.asked[2:] == ["bd-1-implement-1"]
    assert slots.landed() == ["Add bd-2", "Add bd-1"]
    assert "euros or dollars?" not in burnish(slots.repo.path, "status").out
    again = burnish(slots.repo.path, "answer", asking, "take dollars", env=ENV)
    assert f"run {asking} does not wait for an answer: it ended" in again.err
