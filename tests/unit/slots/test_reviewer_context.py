"""What the reviewer and the fixer of a slot are told, through the real loop."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from burnish.model.agent import Request
from burnish.model.briefing import Briefing
from burnish.model.slot import Bead, SlotPart
from burnish.model.step import Role
from tests.loops import Drive, edits, profile_named, says

DRIFT = '{"verdict": "drift", "followUpPrompt": "handle the empty name in app.py"}'
PASS = '{"verdict": "pass", "followUpPrompt": "fine"}'
BEAD = Bead("bd-7", "Add login", "open", 2)
SLOT = SlotPart(1, 2, 1, BEAD, log=".burnish/logs/iter-001-x-agent-02.jsonl")


def drive(folder: Path, slot: SlotPart = SLOT, *replies: str) -> Drive:
    return Drive(folder, profile_named("slots"), says(*replies or (PASS,)), briefing=Briefing(slot=slot))


def reviews(driven: Drive) -> list[str]:
    driven.run()
    return [request.prompt for request in driven.asked(Role.REVIEW)]


@pytest.mark.conformance("L-23", "L-28")
def test_a_reviewer_is_told_the_bead_and_the_form_of_its_answer(tmp_path: Path) -> None:
    [prompt] = reviews(drive(tmp_path))
    section = prompt.partition("## Task Under Review")[2].partition("\n## ")[0]
    for line in ("- id: bd-7", "- title: Add login", "- status: open", "- priority: 2"):
        assert line in section.splitlines()
    contract = prompt.partition("## Response Contract")[2]
    assert '{"verdict": "pass" | "drift", "followUpPrompt": "..."}' in contract


def test_the_sections_stand_in_the_order_of_the_origin(tmp_path: Path) -> None:
    prompt = reviews(drive(tmp_path, replace(SLOT, parallel=3), DRIFT, PASS))[1]
    sections = [
        "## Task Under Review",
        "## Fix Attempt 1",
        "## Implementer Output",
        "## Git Diff Snapshot",
        "## Warning: Parallel Agents Active",
        "## Response Contract",
    ]
    places = [prompt.index(f"\n{section}\n") for section in sections]
    assert places == sorted(places)


@pytest.mark.conformance("L-24")
def test_an_implementers_words_are_shown_up_to_fifty_thousand_characters(tmp_path: Path) -> None:
    def chats(request: Request) -> str:
        edits()(request)
        return "w" * 60_000

    driven = drive(tmp_path)
    driven.agents[Role.IMPLEMENT].answer = chats  # type: ignore[union-attr]
    [prompt] = reviews(driven)
    section = prompt.partition("## Implementer Output")[2].partition("## Git Diff Snapshot")[0]
    assert "Log: .burnish/logs/iter-001-x-agent-02.jsonl" in section
    assert 49_000 < section.count("w") <= 50_000
    assert "[cut: " in section


@pytest.mark.conformance("L-25")
def test_the_diff_is_shown_up_to_fifty_thousand_characters_with_new_files(tmp_path: Path) -> None:
    def floods(request: Request) -> str:
        (request.workspace / "small.txt").write_text("a new file\n")
        (request.workspace / "zzz.txt").write_text("y\n" * 60_000)
        return "done"

    driven = drive(tmp_path)
    driven.agents[Role.IMPLEMENT].answer = floods  # type: ignore[union-attr]
    [prompt] = reviews(driven)
    section = prompt.partition("## Git Diff Snapshot")[2].partition("## Response Contract")[0]
    assert "a new file" in section
    assert section.count("y") <= 50_000


@pytest.mark.conformance("L-26")
@pytest.mark.parametrize(("parallel", "warned"), [(1, False), (2, True)])
def test_parallel_agents_are_warned_of_only_where_there_are_any(
    tmp_path: Path, parallel: int, warned: bool
) -> None:
    [prompt] = reviews(drive(tmp_path, replace(SLOT, parallel=parallel)))
    assert ("## Warning: Parallel Agents Active" in prompt) is warned


@pytest.mark.conformance("L-27")
def test_a_second_review_is_told_which_fix_it_reviews_and_what_was_asked_for(tmp_path: Path) -> None:
    first, second = reviews(drive(tmp_path, SLOT, DRIFT, PASS))
    assert "Fix Attempt" not in first
    section = second.partition("## Fix Attempt 1\n")[2].partition("## Implementer Output")[0]
    assert "handle the empty name in app.py" in section
    assert "followUpPrompt" not in section


def test_the_fixer_is_told_the_bead_and_the_follow_up_without_the_developers_prompt(tmp_path: Path) -> None:
    slot = replace(SLOT, developer="BE A DEVELOPER", reviewer="BE A REVIEWER")
    driven = drive(tmp_path, slot, DRIFT, PASS)
    driven.run()
    [fix] = [request.prompt for request in driven.asked(Role.FIX)]
    assert fix.startswith("The reviewer found drift in your implementation of task bd-7: Add login\n")
    assert "handle the empty name in app.py" in fix
    assert "Please fix the issues described above." in fix
    assert "BE A DEVELOPER" not in fix
    assert driven.asked(Role.IMPLEMENT)[0].prompt.startswith("BE A DEVELOPER\n")
    assert all(request.prompt.startswith("BE A REVIEWER\n") for request in driven.asked(Role.REVIEW))


def test_a_prompt_of_the_users_is_text_and_no_template(tmp_path: Path) -> None:
    [prompt] = reviews(drive(tmp_path, replace(SLOT, reviewer="Look at {{ nothing }} {% if %}")))
    assert prompt.startswith("Look at {{ nothing }} {% if %}\n")


def test_without_words_or_changes_the_reviewer_is_told_so(tmp_path: Path) -> None:
    from burnish.prompts.book import PromptBook
    from tests.unit.test_prompts import VALUES

    prompt = PromptBook().render("slot_review", **(VALUES["slot_review"] | {"said": " ", "diff": ""}))
    assert "(no output captured)" in prompt
    assert "(no changes detected)" in prompt
