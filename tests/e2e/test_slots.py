"""`burnish slots` as a user runs it: what is reviewed, what lands, and how it ends."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.repos import TestRepo
from tests.slots import DRIFTS_ONCE, WRITER, Slots, bead

Repos = Callable[..., TestRepo]


@pytest.fixture
def slots(tmp_path: Path, repo: Repos) -> Slots:
    made = Slots(tmp_path / "agents", repo({"app.py": "start\n"}))
    made.beads(bead("bd-1"), bead("bd-2", priority=1))
    return made


@pytest.mark.conformance("L-03", "L-36")
def test_every_slot_implements_and_without_the_flag_nobody_reviews(slots: Slots) -> None:
    said = slots.run("--parallel-agents", "2")
    assert sorted(slots.asked) == ["bd-1-implement-1", "bd-2-implement-1"]
    assert slots.files(slots.branch) == ["bd-1.txt", "bd-2.txt"]
    assert sorted(slots.landed()) == ["Add bd-1", "Add bd-2"]
    assert "nothing is left to pick; 2 slots: 2 not reviewed" in said.out
    assert slots.repo.git("log", "--format=%s", "main") == "first"
    # The most urgent is picked first, and nobody is told to pick the same.
    assert re.findall(r"slot (\d) \[SPAWN\] (\S+)", said.out) == [("1", "bd-2"), ("2", "bd-1")]


@pytest.mark.conformance("L-01")
def test_with_the_flag_each_slot_is_reviewed_and_fixed_after_its_implementation(slots: Slots) -> None:
    slots.beads(bead("bd-1"))
    slots.agent("reviewer", DRIFTS_ONCE)
    said = slots.run("--review")
    assert slots.asked == [f"bd-1-{step}" for step in ("implement-1", "review-1", "fix-1", "review-2")]
    assert "say more than in 1" in slots.prompt("bd-1-fix-1")
    assert "1 slot: 1 passed" in said.out
    assert "slot 1 [REVIEW] reviewing bd-1" in said.out
    assert "slot 1 [FIX] fix attempt 1 for bd-1" in said.out
    stem = re.sub(r"-[0-9TZ]{16}-", "-STAMP-", slots.logs[0])
    assert stem == "iter-001-STAMP-agent-01-fix-1.jsonl"
    names = {re.sub(r"^iter-\d{3}-[0-9TZ]{16}-", "", name) for name in slots.logs}
    assert names == {
        f"agent-01{which}{end}"
        for which in ("", "-review-1", "-fix-1", "-review-2")
        for end in (".jsonl", ".last-message.txt")
    }


@pytest.mark.conformance("L-37")
def test_no_review_is_stronger_than_what_the_settings_say(slots: Slots) -> None:
    slots.repo.commit("settings", {"burnish.toml": "reviewEnabled = true\n"})
    slots.run("--no-review", "--iterations", "1")
    assert slots.asked == ["bd-2-implement-1"]


@pytest.mark.conformance("L-38")
def test_unresolved_drift_fails_the_slot_and_the_iteration_and_what_passed_stays(slots: Slots) -> None:
    slots.agent("reviewer", "verdict('drift' if bead == 'bd-1' else 'pass', 'never enough')\n")
    said = slots.run("--review", "--parallel-agents", "2", "--review-max-fix-attempts", "1", code=1)
    assert [step for step in slots.asked if step.startswith("bd-1")] == [
        f"bd-1-{step}" for step in ("implement-1", "review-1", "fix-1", "review-2")
    ]
    assert "iteration 1 failed: slot 2 failed on bd-1: drift unresolved after 1 fix attempt(s)" in said.err
    assert slots.landed() == ["Add bd-2"]
    [kept] = [name for name in slots.repo.branches if "unapproved" in name]
    assert slots.files(kept) == ["bd-1.txt"]


@pytest.mark.conformance("L-04", "L-13")
def test_a_slot_is_reviewed_only_when_a_bead_was_picked_and_its_implementation_ended_well(
    slots: Slots,
) -> None:
    """Three slots whose agents pick for themselves: one says which, one does not, one fails."""
    count = slots.folder / "count"
    slots.agent(
        "implementer",
        f"place = Path({str(count)!r}); place.mkdir(exist_ok=True)\n"
        "mine = len(list(place.iterdir())); (place / str(mine)).touch()\n"
        "write(f'slot-{mine}')\n"
        "print('Updated issue: bd-2' if mine == 0 else 'something was done')\n"
        "sys.exit(3 if mine == 2 else 0)\n",
    )
    said = slots.run("--review", "--picks", "agent", "--parallel-agents", "3", code=1)
    assert [step for step in slots.asked if "review" in step] == ["bd-2-review-1"]
    assert slots.files(slots.branch) == ["slot-0.txt"]
    assert "slot 2: not reviewed (no review)" in said.out
    assert "no bead was picked" in said.out
    assert (
        "slot 3 failed: implementer process exited with status 3; what it had written then is kept"
        in said.err
    )
    # Unreviewed work is not lost, and not where reviewed work is.
    [kept] = [name for name in slots.repo.branches if "unapproved" in name]
    assert slots.files(kept) == ["slot-1.txt"]


@pytest.mark.conformance("L-12")
def test_without_a_reviewers_prompt_there_is_no_review(slots: Slots) -> None:
    slots.repo.commit("settings", {"burnish.toml": 'reviewEnabled = true\nreviewerPromptPath = "none"\n'})
    said = slots.run("--iterations", "1")
    assert slots.asked == ["bd-2-implement-1"]
    assert "nothing is reviewed: reviewerPromptPath is none" in said.out


@pytest.mark.conformance("L-39", "L-40")
def test_prompts_of_the_users_go_on_top_and_a_missing_one_stops_everything(slots: Slots) -> None:
    for flag in ("--developer-prompt", "--reviewer-prompt"):
        said = slots.run("--review", flag, "gone.md", code=2)
        assert f"{flag}: expected a prompt at 'gone.md', found none on disk." in said.err
    assert slots.asked == []
    slots.repo.write("mine.md", "BUILD IT WELL\n")
    slots.repo.write("yours.md", "LOOK CLOSELY\n")
    slots.repo.write(".ai_agents/prompts/reviewer.md", "NOT THIS ONE\n")
    own = ("--developer-prompt", "mine.md", "--reviewer-prompt", "yours.md")
    slots.run("--review", "--iterations", "1", *own)
    assert slots.prompt("bd-2-implement-1").startswith("BUILD IT WELL\n")
    assert slots.prompt("bd-2-review-1").startswith("LOOK CLOSELY\n")


@pytest.mark.conformance("L-29", "L-30")
def test_a_marker_ends_the_loop_when_a_writer_gives_it_and_not_when_a_reviewer_quotes_it(
    slots: Slots,
) -> None:
    slots.beads(bead("bd-1"), bead("bd-2", priority=1), bead("bd-3", priority=3))
    slots.agent("reviewer", "verdict('pass', 'nobody should say no_beads_available here')\n")
    slots.agent("implementer", "print('no_beads_available') if bead == 'bd-1' else write()\n")
    said = slots.run("--review", code=4)
    assert slots.asked == ["bd-2-implement-1", "bd-2-review-1", "bd-1-implement-1"]
    assert "slot 1 says no_beads_available, although 2 tasks can be picked" in said.err
    assert slots.landed() == ["Add bd-2"]


def test_an_agent_that_dies_in_each_phase_ends_its_own_slot_with_its_status(slots: Slots) -> None:
    slots.beads(*(bead(f"bd-{number}") for number in range(1, 5)))
    slots.agent(
        "implementer",
        "write()\nprint('done')\nsys.exit(3 if (bead, role) in (('bd-1', 'implement'), ('bd-3', 'fix')) else 0)\n",
    )
    slots.agent(
        "reviewer",
        "sys.exit(4) if bead == 'bd-2' else verdict('drift' if bead == 'bd-3' else 'pass', 'more')\n",
    )
    said = slots.run("--review", "--parallel-agents", "4", code=1)
    ends = dict(re.findall(r"slot (\d): (?:FAILED|pass) \(.*?\) .*?(?:: (.*))?\n", said.out))
    assert {slot: why.partition(";")[0] for slot, why in ends.items()} == {
        "1": "implementer process exited with status 3",
        "2": "reviewer process exited with status 4",
        "3": "fixer process exited with status 3",
        "4": "",
    }
    assert slots.landed() == ["Add bd-4"]
    # What the dead ones had written is kept: as a commit, or under a ref that `show` names.
    kept = [name for name in slots.repo.branches if "unapproved" in name]
    assert sorted(slots.files(name)[0] for name in kept) == ["bd-2.txt", "bd-3.txt"]


def test_a_delay_that_a_failed_agent_names_is_waited_for_and_the_bead_tried_again(slots: Slots) -> None:
    slots.agent(
        "implementer",
        "tried = log.parent / f'tried-{bead}'\n"
        "if not tried.exists():\n    tried.touch()\n    sys.exit('limited, retry_after_seconds: 0.2')\n"
        + WRITER,
    )
    slots.beads(bead("bd-1"))
    said = slots.run()
    assert slots.asked == ["bd-1-implement-1"] * 2
    assert "iteration 1 failed; the next one begins at" in said.out
    assert slots.landed() == ["Add bd-1"]


def test_two_slots_that_change_one_file_both_land_the_second_done_again_on_top(slots: Slots) -> None:
    slots.agent(
        "implementer",
        f"mine = Path({str(slots.folder)!r}, bead); mine.touch()\n"
        "end = time.monotonic() + 60\n"
        "while not all(mine.with_name(name).exists() for name in ('bd-1', 'bd-2')):\n"
        "    assert time.monotonic() < end\n    time.sleep(0.01)\n"
        "before = Path('app.py').read_text()\n"
        "Path('app.py').write_text(before.replace('start', f'start {bead}'))\n",
    )
    said = slots.run("--parallel-agents", "2", "--onto", "main")
    assert len(slots.asked) == 3
    assert "again on top: main and the change of" in said.out
    text = slots.repo.path.joinpath("app.py").read_text()
    assert {"bd-1", "bd-2"} <= set(text.split())
    assert sorted(slots.repo.git("log", "--format=%s", "-2").splitlines()) == ["Add bd-1", "Add bd-2"]


def test_a_session_that_ran_out_of_iterations_goes_on_with_more_and_not_without(slots: Slots) -> None:
    said = slots.run("--iterations", "1")
    assert "1 of 1 iterations done, 1 task left" in said.out
    state = slots.repo.path.joinpath(".burnish", "iteration.json").read_text()
    assert re.sub(r"\s", "", state) == '{"current_iteration":1,"max_iterations":1}'
    assert "circuit broken: current_iteration 1 is at max_iterations 1" in slots.run("--resume", code=2).err
    said = slots.run("--resume", "--iterations", "2", "--review", "--parallel-agents", "2")
    # What is said now holds from now on: the second slot is reviewed, and the first iteration stays as it was.
    assert "iteration 2 slot 1: pass (1 review, 0 fixes) bd-1" in said.out
    assert slots.asked == ["bd-2-implement-1", "bd-1-implement-1", "bd-1-review-1"]
    assert "has ended" in slots.run("--resume", code=2).err


def test_what_landed_is_not_done_again_until_its_bead_is_edited(slots: Slots) -> None:
    slots.beads(bead("bd-1"))
    slots.run()
    said = slots.run()
    assert len(slots.asked) == 1
    assert "landed by earlier sessions and left out unless edited since (--again takes them)" in said.out
    assert "nothing to do: nothing can be picked" in said.out
    slots.beads(bead("bd-1", description="And more of it."))
    slots.run()
    assert slots.asked[1:] == ["bd-1-implement-1"]
