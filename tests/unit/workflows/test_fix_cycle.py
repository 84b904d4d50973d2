"""The fix pipeline as a whole, in memory."""

from __future__ import annotations

from pathlib import Path

from burnish.model.fixing import FixResult
from tests.repairs import FunctionFixer, Shop, changes_line, only, told


def test_every_finding_is_repaired_checked_and_committed_on_one_line(tmp_path: Path) -> None:
    shop = Shop(
        tmp_path, {"a.py": "BAD\nok\nBAD\n", "b.py": "UGLY\n"}, (FunctionFixer(changes_line("good")),)
    )
    outcome = shop.run()
    assert (outcome.fixed, outcome.failed, outcome.complete) == (3, 0, True)
    assert shop.read(outcome.tree) == {"a.py": "good\nok\ngood\n", "b.py": "good\n"}
    subjects = [shop.workspaces.messages[fix.commit].splitlines()[0] for fix in outcome.fixes]
    assert subjects == [
        "fix(quality): BAD code [qual-002-0a1b2c3d]",
        "fix(quality): BAD code [qual-001-0a1b2c3d]",
        "fix(quality): UGLY code [qual-003-0a1b2c3d]",
    ]
    assert outcome.verified_by == (
        "toy:BAD is gone; `check files` is green",
        "toy:UGLY is gone; `check files` is green",
    )


def test_a_fix_that_turns_the_gate_red_is_undone_and_the_next_one_goes_on(tmp_path: Path) -> None:
    shop = Shop(tmp_path, {"a.py": "BAD\n", "b.py": "UGLY\n"}, (FunctionFixer(changes_line("good")),))
    shop.gate.fine = lambda files: "good" not in files["a.py"]
    outcome = shop.run()
    assert told(outcome) == {"qual-001-0a1b2c3d": "failed", "qual-002-0a1b2c3d": "fixed"}
    assert shop.read(outcome.tree) == {"a.py": "BAD\n", "b.py": "good\n"}
    assert "turned red" in outcome.fixes[0].error


def test_nothing_to_fix_is_said_and_is_no_error(tmp_path: Path) -> None:
    shop = Shop(tmp_path, {"a.py": "ok\n"})
    outcome = shop.run()
    assert outcome.commit == shop.workspaces.base
    assert "there are no findings to fix" in shop.notes


def test_what_no_fixer_knows_is_not_fixable_without_an_agent(tmp_path: Path) -> None:
    shop = Shop(tmp_path, {"a.py": "BAD\n"})
    assert only(shop.run()).result is FixResult.NOT_FIXABLE
