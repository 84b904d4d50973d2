"""Runs that go nowhere: told always, ended early only when asked, by a flag, a policy or a setting."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli import Said, burnish, program
from tests.repos import TestRepo

WRITES = "Path('app.py').write_text(f'{role} {cycle}\\n')\n"
# Fixes by rewriting the same thing, so that only the first fix changes anything.
ONCE = "Path('app.py').write_text(role)\n"
COMPLAINS = "print('- no input validation\\n\\n**Verdict: CHANGES_REQUESTED**')\n"
WAVERS = "print(f'- it is wrong, way {\"ab\"[cycle % 2]}\\n\\n**Verdict: CHANGES_REQUESTED**')\n"
NITS = """
finding = dict(id=f'qual-001-0a1b2c{cycle:02}', title=f'Name number {"abcdefgh"[cycle]}', severity='medium',
    category='naming', description='A name.', file=FILE, line=1, snippet='x', recommendation='Rename it.',
    references=[], impact='None.', metadata={}, iteration=0, status='pending_remediation', cross_references=[])
report = dict(dimension='quality', review_id='review-20260101-000000',
    analysis_timestamp='2026-01-01T00:00:00Z', cli_tool_used='codex', model='test', analysis_duration_ms=1,
    summary=dict(total_findings=1, critical=0, high=0, medium=1, low=0, files_analyzed=1, lines_reviewed=1),
    findings=[finding], cross_references=[])
import json
print(json.dumps([report]))
"""


class Desk:
    def __init__(self, folder: Path, repo: TestRepo) -> None:
        self.folder, self.repo = folder / "agents", repo

    def run(self, review: str, *extra: str, write: str = WRITES, env: dict[str, str] | None = None) -> Said:
        writer, reviewer = program(self.folder, "w", write), program(self.folder, "r", review)
        agents = ("--implementer", writer, "--reviewer", reviewer, "--json", "--sandbox", "off")
        return burnish(self.repo.path, "run", "Add it", *agents, *extra, env=env)


@pytest.fixture
def desk(tmp_path: Path, repo: Callable[..., TestRepo]) -> Desk:
    return Desk(tmp_path, repo({"app.py": "print('hi')\n", "old.py": "x = 1\n"}))


def told(said: Said) -> set[str]:
    return {event["key"].split("/")[0] for event in said.events if event["kind"] == "notice"}


def test_without_being_asked_a_run_goes_on_to_its_limit_and_says_what_it_sees(desk: Desk) -> None:
    said = desk.run(COMPLAINS, write=ONCE)
    assert (said.end["outcome"], said.end["cycles"]) == ("exhausted", 3)
    assert {"same_findings", "no_change"} <= told(said)


@pytest.mark.parametrize(
    ("review", "write", "asked", "reason", "cycles"),
    [
        (COMPLAINS, WRITES, ("--patience", "1"), "out_of_patience", 2),
        (COMPLAINS, ONCE, ("--stop-on-no-progress",), "no_progress", 2),
        (WAVERS, WRITES, ("--policy", "returning", "--cycles", "4"), "returning_findings", 3),
    ],
    ids=["patience", "no progress", "returning"],
)
def test_a_run_ends_early_when_asked_with_a_code_for_why(
    desk: Desk, review: str, write: str, asked: tuple[str, ...], reason: str, cycles: int
) -> None:
    said = desk.run(review, *asked, write=write)
    assert said.code == 4
    assert (said.end["outcome"], said.end["reason"], said.end["cycles"]) == ("stopped", reason, cycles)
    assert said.end["message"]


@pytest.mark.parametrize(
    ("file", "key", "value", "reason"),
    [
        ("app.py", "RATCHET", "high@2", "lesser_findings"),
        ("old.py", "STOP_ON_UNTOUCHED_CODE", "true", "untouched_code"),
    ],
)
def test_a_setting_asks_as_well_as_a_flag(desk: Desk, file: str, key: str, value: str, reason: str) -> None:
    asked = ("--contract", "findings", "--fail-on", "low")
    said = desk.run(NITS.replace("FILE", repr(file)), *asked, env={f"BURNISH_LIMITS_{key}": value})
    assert (said.end["reason"], said.end["cycles"], said.code) == (reason, 2, 4)
