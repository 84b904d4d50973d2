"""`burnish spec --resume`: after kill -9, without the journal, with another text; nothing is done twice."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from burnish.app.place import find_place
from burnish.app.spec_evidence import Evidence
from burnish.specs.document import read_spec
from burnish.specs.phase import Spec
from burnish.specs.signal_text import read_signal
from burnish.specs.signals import Signal
from tests.cli import burnish
from tests.receipt_bench import needs_ssh_keygen
from tests.repos import TestRepo
from tests.specs import PASS_AT, SIDE_BY_SIDE, SLOW_ONCE, TWO, WRITER, Specs

BRANCH = "burnish/spec-042-login"
Make = Callable[..., Specs]
CYCLES = ("implement-1", "review-1", "fix-1", "review-2")
WHOLE = [f"phase-{phase}-{step}" for phase in (1, 2) for step in CYCLES]


@pytest.fixture
def specs(tmp_path: Path, repo: Callable[..., TestRepo]) -> Specs:
    found = Specs(tmp_path / "agents", repo({"specs/042-login.md": TWO, "app.py": "start\n"}))
    found.agent("reviewer", PASS_AT.format(at=2))
    return found


def killed_at(specs: Specs, role: str, phase: int, cycle: int, *more: str) -> None:
    """A session killed while an agent was at work on that step."""
    seen = len(specs.log_entries(f"phase-{phase}-{role}-{cycle}"))
    agent = "reviewer" if role == "review" else "implementer"
    body = PASS_AT.format(at=2) if role == "review" else WRITER
    specs.agent(agent, SLOW_ONCE.format(step=(role, phase, cycle)) + body)
    child = specs.start(*more)
    specs.wait_for(f"phase-{phase}-{role}-{cycle}", seen + 1)
    child.kill()
    child.communicate()


def without_the_killed(specs: Specs, step: str) -> list[str]:
    """The steps in which agents were at work, less the one that was cut short."""
    steps = specs.steps
    steps.remove(step)
    return steps


def test_a_killed_session_goes_on_and_ends_as_if_nothing_had_happened(specs: Specs) -> None:
    killed_at(specs, "fix", 2, 1)
    said = specs.run("--resume")
    assert said.code == 0, said.err
    assert without_the_killed(specs, "phase-2-fix-1") == WHOLE
    assert specs.subjects() == [
        *("spec(042): IMPLEMENT phase-1 - Model", "spec(042): FIX phase-1 cycle-1 - model.py:1: not enough in cycle 1"),
        *("spec(042): IMPLEMENT phase-2 - View", "spec(042): FIX phase-2 cycle-1 - model.py:1: not enough in cycle 1"),
    ]  # fmt: skip
    for num in (1, 2):
        lines = specs.repo.show(BRANCH, f"phase{num}.txt").splitlines()
        assert [line.rsplit(" ", 1)[0] for line in lines] == ["implement 1", "fix 1"]
    assert len(specs.listing) == 10
    assert specs.repo.branches == [BRANCH, "main"]


def test_a_session_has_one_process_at_a_time(specs: Specs) -> None:
    specs.agent("implementer", SLOW_ONCE.format(step=("implement", 1, 1)) + WRITER)
    child = specs.start("--phase", "1")
    specs.wait_for("phase-1-implement-1")
    for more in ((), ("--resume",)):
        said = specs.run(*more)
        assert (said.code, specs.steps) == (1, ["phase-1-implement-1"])
        assert "a session of specs/042-login.md is at work already: run r-" in said.err
        assert f"process {child.pid}" in said.err
    # Another document of the same number and topic is a session of its own, in a place of its own.
    specs.repo.write("other/042-login.md", "# Spec 042: Login\n\nMake it at once, phase-2.\n")
    other = replace(specs, folder=specs.folder / "other", document="other/042-login.md", agents={})
    assert other.run().code == 0
    assert specs.repo.branches == [f"{BRANCH}-2", "main"]
    assert len(list((specs.repo.path / ".burnish/sessions").iterdir())) == 1
    child.terminate()
    child.communicate(timeout=60)
    assert child.returncode == 130
    assert specs.run("--resume").code == 0


def sign_the_pass_of_phase_1(specs: Specs) -> None:
    """By a key that the user's own list allows, so that the receipt is proven without the journal."""
    key = specs.folder / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True)
    run = specs.signal("phase-1-review-2.done")["run"]
    assert burnish(specs.repo.path, "receipt", "sign", run, "--key", str(key)).code == 0
    listed = Path(os.environ["XDG_CONFIG_HOME"]) / "burnish" / "allowed_signers"
    listed.parent.mkdir(parents=True, exist_ok=True)
    listed.write_text(f"me {key.with_suffix('.pub').read_text()}")


@pytest.mark.conformance("O-44")
@pytest.mark.parametrize("signed", [False, pytest.param(True, marks=needs_ssh_keygen)])
def test_without_the_journal_signals_tell_where_to_go_on(specs: Specs, signed: bool) -> None:
    killed_at(specs, "review", 2, 2)
    if signed:
        sign_the_pass_of_phase_1(specs)
    specs.lose_the_journal()
    (specs.folder / "slept").unlink()
    killed_at(specs, "review", 2, 2, "--resume")
    specs.log_entries("phase-2-review-2")[0].unlink()
    said = specs.run("--resume")
    assert said.code == 0, said.err
    # Killed once more, it still knew what the signals had said: phase 1 passed, and is reviewed again unless
    # its receipt is proven; of phase 2 the fix is finished, and only its review is left.
    again = [] if signed else ["phase-1-review-3"]
    assert without_the_killed(specs, "phase-2-review-2") == [*WHOLE[:-1], *again, WHOLE[-1]]
    assert len(specs.subjects()) == 4
    assert len(specs.listing) == 10 + 2 * len(again)
    assert specs.signal("phase-2-review-2.done")["grade"] == "PASS"


def test_without_any_state_a_phase_that_failed_is_still_a_persons_to_decide(specs: Specs) -> None:
    assert specs.run("--cycles=1").code == 5
    before = specs.steps
    shutil.rmtree(specs.state)
    said = specs.run("--resume", "--cycles=1")
    assert (said.code, specs.steps) == (5, before)
    assert "STAGE_FAILED: phase 1 did not pass (WARN after 1 cycle)" in said.err
    assert specs.repo.branches == ["burnish/unapproved/spec-042-login-phase-1", "main"]
    said = specs.run("--resume", "--phase", "1")
    assert said.code == 0, said.err
    assert specs.steps == [*before, "phase-1-implement-1", "phase-1-review-2"]
    assert [name for name in specs.listing if name.startswith(".signals")] == [
        ".signals/phase-1-review-1.done",
        ".signals/phase-1-review-2.done",
    ]


def test_without_the_journal_a_second_attempt_has_its_own_cycles_left(specs: Specs) -> None:
    specs.agent("reviewer", PASS_AT.format(at=4))
    assert specs.run("--cycles=2", "--phase", "1").code == 5
    before = specs.steps
    specs.agent("implementer", SLOW_ONCE.format(step=("fix", 1, 3)) + WRITER)
    child = specs.start("--resume", "--phase", "1")
    specs.wait_for("phase-1-fix-3")
    child.kill()
    child.communicate()
    specs.lose_the_journal()
    said = specs.run("--resume", "--number", "41")
    assert said.code == 2
    assert "which is not one of spec 041" in said.err
    said = specs.run("--resume", "--phase", "1", "--cycles=2")
    assert said.code == 0, said.err
    # The review of the lost run is what is fixed next.
    assert "not enough in cycle 3" in specs.prompt("phase-1-fix-3")
    assert without_the_killed(specs, "phase-1-fix-3")[len(before) :] == [
        *("phase-1-implement-1", "phase-1-review-3", "phase-1-fix-3", "phase-1-review-4"),
    ]
    assert len(specs.subjects()) == 2


def test_phases_killed_side_by_side_both_go_on(tmp_path: Path, repo: Callable[..., TestRepo]) -> None:
    specs = Specs(tmp_path / "agents", repo({"specs/042-login.md": SIDE_BY_SIDE, "app.py": "start\n"}))
    slow = SLOW_ONCE.replace("'slept'", "f'slept-{{phase}}'").replace("{step!r}", "(role, phase, 1)")
    specs.agent("implementer", slow.replace("{{", "{").replace("}}", "}") + WRITER)
    child = specs.start()
    specs.wait_for("phase-1-implement-1")
    specs.wait_for("phase-2-implement-1")
    child.kill()
    child.communicate()
    said = specs.run("--resume")
    assert said.code == 0, said.err
    assert len(specs.steps) == 6
    assert sorted(specs.subjects()) == [
        *("spec(042): IMPLEMENT phase-1 - Model", "spec(042): IMPLEMENT phase-2 - View")
    ]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("garbage", "signal phase-1-review-1.done is damaged: expected lines of 'key: value'"),
        ("status: success\nversion: 9\n", "signal phase-1-review-1.done is of version 9; this Burnish reads"),
    ],
)
def test_a_signal_that_cannot_be_relied_on_is_named(specs: Specs, text: str, sentence: str) -> None:
    folder = specs.repo.path / ".burnish/sessions/20260102-0304-login/.signals"
    folder.mkdir(parents=True)
    (folder / "phase-1-review-1.done").write_text(text)
    said = specs.run("--resume")
    assert (said.code, specs.steps) == (2, [])
    assert sentence in said.err
    assert "hint: move that file away" in said.err


def test_a_pass_without_a_receipt_of_this_commit_and_these_words_is_reviewed_again(
    specs: Specs, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert specs.run("--phase", "1").code == 0
    monkeypatch.chdir(specs.repo.path)
    path = specs.session / ".signals" / "phase-1-review-2.done"
    signal = read_signal(path.name, path.read_text())
    spec = read_spec("specs/042-login.md", TWO)
    place = asyncio.run(find_place())

    def shows(signal: Signal, spec: Spec = spec) -> bool:
        return asyncio.run(Evidence(place, spec).of(signal)) is not None

    assert shows(signal)
    assert not shows(replace(signal, commit=specs.repo.head))
    assert not shows(replace(signal, phase=2))
    assert not shows(replace(signal, run="r-none"))
    assert not shows(replace(signal, run=f"../receipts/{signal.run}"))
    assert not shows(signal, read_spec("specs/042-login.md", TWO.replace("a model", "a robot")))
    receipt = place.receipt(signal.run)
    text = receipt.read_text()
    receipt.write_text("{}")
    assert not shows(signal)
    receipt.write_text(text.replace('"partial": false', '"partial": true', 1))
    assert receipt.read_text() != text
    assert not shows(signal)
    receipt.write_text(text)
    assert shows(signal)
    specs.lose_the_journal()
    assert not shows(signal), "consistent but not proven"
    said = specs.run("--resume", "--phase", "1")
    assert said.code == 0, said.err
    assert "the PASS of cycle 2 has no receipt that is proven: reviewed again" in said.out
    assert specs.steps == [*WHOLE[:4], "phase-1-review-3"]
    assert specs.signal("phase-1-review-3.done")["grade"] == "PASS"
    # Its commits are on the branch already, once.
    assert len(specs.subjects()) == 2


def test_an_edited_document_and_a_branch_in_use_are_told_and_nothing_is_lost(specs: Specs) -> None:
    assert specs.run("--phase", "1").code == 0
    specs.repo.git("checkout", "-q", BRANCH)
    specs.repo.write("specs/042-login.md", TWO.replace("Make a view.", "Make a song."))
    said = specs.run("--resume")
    assert said.code == 1
    assert f"the branch {BRANCH} is checked out" in said.err
    # A session goes on with the words it began with.
    assert "specs/042-login.md was edited since this session began" in said.out
    assert "Make a view." in specs.prompt("phase-2-implement-1")
    assert "Make a song." not in specs.prompt("phase-2-implement-1")
    specs.repo.git("checkout", "-q", "main")
    said = specs.run("--resume")
    assert said.code == 0, said.err
    assert specs.steps == WHOLE
    assert len(specs.subjects()) == 4
